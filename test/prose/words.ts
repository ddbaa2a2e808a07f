// The words that prose of this project does not use, each with what to write instead.
import type { SourceFile } from '../support/source/source-tree.ts'

/** A pattern of whole words without regard to case, and its replacement. */
type Term = readonly [pattern: string, replacement: string]

/** Old or literary words, and words that are hard to look up for a reader whose first language is not English. */
const PLAIN_ENGLISH: readonly Term[] = [
  ['(?:un)?told', 'reported'],
  ['tells? of', 'report'],
  ['heard', 'received'],
  ['held', 'kept, cached or compared'],
  ['(?:re)?spell(?:ed|ings?)', 'format or form'],
  ['parted', 'separated'],
  ['mend(?:s|ed|ing)?', 'fix'],
  ['anew', 'again'],
  ['afresh', 'again'],
  ['for ever', 'permanently'],
  ['lately', 'recently'],
  ['thereof', 'of it'],
  ['whoever', 'the reader or component by name'],
  ['whom', 'the reader or component by name'],
  ['somebody|someone', 'the reader or component by name'],
  ['nobody|no one', 'the reader or component by name'],
  ['those who', 'the readers or components by name'],
  ["one's own", 'your own'],
  ['wish(?:es|ed)?', 'query or request'],
  ['(?:leads?|led) on', 'continue or link to'],
  ['(?:goes|go|went|going) on', 'continue'],
  ['(?:comes?|came) about', 'result from'],
  ['(?:stands?|stood) behind', 'follow or support'],
  ['(?:is|are) let go', 'is disconnected'],
  ['ha(?:s|ve) (?:its|their) say', 'decide'],
  ['all the same', 'nevertheless'],
  ['but for', 'except for'],
  ['save for', 'except for'],
]

/** Private words for things that have a standard name. */
const FIELD_TERMS: readonly Term[] = [
  ['alarms?', 'alert'],
  ['garbage', 'invalid response'],
  ['hot pages?', 'response cache'],
  ['hot path', 'fast path'],
  ['lines of JSON', 'NDJSON'],
  ['neighbours?', 'component or plugin'],
  ['page kinds?', 'resource'],
  ['pages for people', 'web UI or HTML pages'],
  ['patient (?:node|log)', 'node or log with retries'],
  ['pool book', 'pool registry'],
  ['(?:rooms?|rules?) of the house', 'package or project rule'],
  ['the house', 'the project'],
  ['rooms', 'packages'],
  ['shel(?:f|ves)', 'expiring map'],
  ['silent pools?', 'non-voting pools'],
  ['stretch(?:es)?', 'batch'],
]

const TERMS = [...PLAIN_ENGLISH, ...FIELD_TERMS].map(
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
