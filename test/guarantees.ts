// Reads `guarantees.yaml`. A test names what it proves by its tags.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** `from` occurs once in the file. */
export type Defect = Record<'file' | 'from' | 'to', string>

export type Guarantee = {
  text: string
  /** Ids of clauses. */
  source?: readonly string[]
  levels: readonly string[]
  defects: readonly Defect[]
}

const FILE = new URL('guarantees.yaml', import.meta.url)

export const GUARANTEES: Readonly<Record<string, Guarantee>> = parse(readFileSync(FILE, 'utf8'))

/** The prefix of an id before the colon, and the page with its guarantees. */
export const READMES: Readonly<Record<string, string>> = {
  rollcall: 'README.md',
  ingest: 'ingest/README.md',
  projections: 'projections/README.md',
  api: 'api/README.md',
  auth: 'auth/README.md',
  infra: 'infra/README.md',
  deploy: 'infra/deploy/README.md',
}
