// Finds variables of the environment that have no effect because their names are almost the name of a setting. Pure.
import type { Environment } from '../base/runtime/config.ts'
import { SETTINGS } from './settings.ts'

/** `setting` is the setting that is meant. */
export type UnusedVariable = { variable: string; setting: string }

const NAMES = SETTINGS.flatMap(({ settings }) => settings.map(({ env }) => env))

/** Letter case and underscores do not count. */
const simplify = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** Whether at most `most` letters are inserted, missing, wrong or swapped. */
export function isNear(one: string, other: string, most: number): boolean {
  let same = 0
  while (same < one.length && one[same] === other[same]) same++
  const [a, b] = [one.slice(same), other.slice(same)]
  if (a === '' && b === '') return true
  if (most === 0) return false
  const isSwapped = a.length > 1 && a[0] === b[1] && a[1] === b[0]
  return (
    isNear(a.slice(1), b, most - 1) ||
    isNear(a, b.slice(1), most - 1) ||
    isNear(a.slice(1), b.slice(1), most - 1) ||
    (isSwapped && isNear(a.slice(2), b.slice(2), most - 1))
  )
}

/** In short names such as PORT or HOST, two letters are most of the name: HOME and PATH are no mistakes. */
const SHORT_NAME = 6

const findSimilar = (variable: string): string | undefined => {
  const simple = simplify(variable)
  const near = (most: number) => (name: string) => isNear(simple, simplify(name), most)
  return NAMES.find(near(1)) ?? NAMES.filter(({ length }) => length > SHORT_NAME).find(near(2))
}

/** Names only: the value of a mistyped setting may be a secret. */
export function findUnusedVariables(env: Environment): UnusedVariable[] {
  return Object.keys(env)
    .filter((variable) => env[variable] !== undefined && !NAMES.includes(variable))
    .flatMap((variable) => {
      const setting = findSimilar(variable)
      return setting === undefined ? [] : [{ variable, setting }]
    })
}

export function unusedVariableText({ variable, setting }: UnusedVariable): string {
  return `${variable} is not a setting and has no effect; is it meant to be ${setting}?`
}
