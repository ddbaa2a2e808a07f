// What a skill is: a page that an agent reads to learn one task here, with commands that can be run as they stand.
import type { About } from '../about.ts'

export type Skill = {
  /** Lower case letters, digits and single hyphens; also the folder it is served from. */
  name: string
  title: string
  /** What it does and when to use it. */
  description: string
  /** What somebody would ask for who needs it. */
  queries: readonly string[]
  /** Markdown below the title. Each block marked `sh` goes on from the ones before. */
  body: (about: About) => string
}

/** The id of the first proposal of a list, out of the one line of JSON that the list is. */
export const FIRST_ID = String.raw`sed -n 's/^{"items":\[{"proposalId":"\([0-9]*\)".*/\1/p'`
