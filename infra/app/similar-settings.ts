// Finds variables of the environment whose names are almost the name of a setting: they have no effect. Pure.
import type { Environment } from '../base/runtime/config.ts'
import { SETTINGS } from './settings.ts'

export type SimilarSetting = { variable: string; setting: string }

const NAMES = SETTINGS.flatMap(([, group]) => Object.values(group).map(({ name }) => name))
const KNOWN: ReadonlySet<string> = new Set(NAMES)

/** In short names such as PORT or HOST, two letters are most of the name: HOME and PATH are no mistakes. */
const SHORT_NAME = 6
const toMaxDistance = (name: string): number => (name.length <= SHORT_NAME ? 1 : 2)

/** Letter case and underscores do not count. */
const simplify = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '')

/** The number of inserted, missing, wrong and swapped letters. */
const computeDistance = (one: string, other: string): number => {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const [above = [], twoAbove = []] = [rows[row - 1], rows[row - 2]]
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        above[column]! + 1,
        current[column - 1]! + 1,
        above[column - 1]! + (isSame ? 0 : 1),
        isSwapped ? (twoAbove[column - 2] ?? Infinity) + 1 : Infinity,
      )
    }
    rows.push(current)
  }
  return rows[one.length]![other.length]!
}

const findSimilar = (variable: string): string | undefined => {
  const simple = simplify(variable)
  const near = NAMES.map((name) => ({ name, distance: computeDistance(simple, simplify(name)) }))
    .filter(({ name, distance }) => distance <= toMaxDistance(name))
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.name
}

/** Names only: the value of a mistyped setting may be a secret. */
export const findSimilarSettings = (env: Environment): SimilarSetting[] =>
  Object.keys(env)
    .filter((variable) => env[variable] !== undefined && !KNOWN.has(variable))
    .flatMap((variable) => {
      const setting = findSimilar(variable)
      return setting === undefined ? [] : [{ variable, setting }]
    })

export const similarSettingText = ({ variable, setting }: SimilarSetting): string =>
  `${variable} is not a setting and has no effect; is it meant to be ${setting}?`
