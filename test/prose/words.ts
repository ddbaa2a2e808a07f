// Finds the words of `words.yaml` in prose.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { SourceFile } from '../support/source/source-tree.ts'

const FILE = new URL('words.yaml', import.meta.url)

const TERMS = Object.entries<string>(parse(readFileSync(FILE, 'utf8'))).map(
  ([pattern, replacement]) =>
    [new RegExp(`\\b(?:${pattern.replaceAll(' ', '\\s+')})\\b`, 'gi'), replacement] as const,
)

const hide = (text: string): string => text.replaceAll(/[^\n]/g, 'x')

/** Every word outside code and addresses that has a plainer one, with its line. */
export function wordProblems({ path, text }: SourceFile): string[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1|`[^`]*`|\]\([^)]*\)/gm, hide)
  return TERMS.flatMap(([pattern, replacement]) =>
    [...prose.matchAll(pattern)].map((found) => {
      const line = prose.slice(0, found.index).split('\n').length
      return `${path}:${line} “${found[0]}”: write ${replacement}`
    }),
  )
}
