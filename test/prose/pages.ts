// Which pages the prose check reads.
import { readdirSync, readFileSync } from 'node:fs'
import { readSources, type SourceFile } from '../support/source/source-tree.ts'

/** Written by `npm run docs:events` from texts in schemas. Its long table rows are not wrapped. */
const GENERATED = ['ingest/contract/EVENTS.md']

export const isGenerated = (path: string): boolean => GENERATED.includes(path)

const topLevelPages = (): SourceFile[] =>
  readdirSync('.')
    .filter((path) => path.endsWith('.md'))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** Templates of served documents. `served.ts` reads these documents with their values. */
const TEMPLATES = 'api/discovery/assets/'

/** Every Markdown page of the project. To check other prose, add it here. */
export const readPages = (): SourceFile[] => [
  ...topLevelPages(),
  ...readSources().filter(({ path }) => path.endsWith('.md') && !path.startsWith(TEMPLATES)),
]
