// The type of a skill: a page that describes one task for an agent, with commands that run unchanged.
import type { About } from '../about.ts'

export type Skill = {
  /** Lower case letters, digits and single hyphens. Also the folder in its URL. */
  name: string
  title: string
  /** What it does and when to use it. */
  description: string
  /** Example requests of users. */
  queries: readonly string[]
  /** Markdown below the title. Each `sh` block runs after the blocks before it. */
  body: (about: About) => string
}

/** A command that prints the id of the first proposal in a list, which is one line of JSON. */
export const FIRST_ID = String.raw`sed -n 's/^{"items":\[{"proposalId":"\([0-9]*\)".*/\1/p'`
