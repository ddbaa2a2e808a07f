// The digests of all answers, as committed: `npm run record:answers` writes them again.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { Line } from './every-answer.ts'

export const DIGESTS_FILE = fileURLToPath(new URL('../fixtures/answers.json', import.meta.url))

/** Request → the first half of the SHA-256 of its answer. */
export type Digests = Readonly<Record<string, string>>

/** Without what follows from other bytes: the entity tag of the body, and the digests in the URLs of scripts and styles. */
const toComparable = (line: string): string =>
  line.replace(/"etag":"\\"[\w-]+\\"",/, '').replaceAll(/(\/assets\/\w+)-[0-9a-f]{12}\./g, '$1.')

/** The bytes of compressed answers belong to a version of Node. */
const isCompressed = (line: string): boolean =>
  'content-encoding' in (JSON.parse(line) as Line).headers

export const toDigests = (lines: ReadonlyMap<string, string>): Digests =>
  Object.fromEntries(
    [...lines]
      .filter(([, line]) => !isCompressed(line))
      .map(([request, line]) => {
        const digest = createHash('sha256').update(toComparable(line)).digest('hex')
        return [request, digest.slice(0, 32)]
      }),
  )

/** The requests whose answers differ, or that only one of both has. */
export const differingRequests = (one: Digests, other: Digests): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])].filter(
    (request) => one[request] !== other[request],
  )
