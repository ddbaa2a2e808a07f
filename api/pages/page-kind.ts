// One kind of page: which facts it shows, how they are read, and where a walk goes on from it.
import type { Store } from '../../infra/clickhouse/client.ts'
import type { Served } from '../served/served.ts'
import type { ByteCache } from './byte-cache.ts'
import type { Content } from './page-content.ts'

/**
 * What a reading found. `moving`: rows of a later commit in place of some that are served. `closing`: a proposal
 * whose final facts are still being written. Neither is ever answered: the page is read again.
 */
export type Verdict = 'settled' | 'moving' | 'closing'

/** What pages are made of. `memory` is shared with all other pages. */
export type PageSources = { store: Store; baseUrl: string; memory: ByteCache }

export type Loaded = {
  /** By key: the page asked for, and those read ahead. */
  contents: ReadonlyMap<string, Content>
  verdict: Verdict
  /** Pages of which a visitor can invent any number: answered, and not cached. */
  isUncached?: boolean
}

/** One kind of page with its parameters. `key` names all that its content depends on. */
export type PageKind = {
  /** Null for a list of proposals. */
  proposalId: string | null
  /** The one that a cursor was given out of; the one that is served where absent. */
  generation?: number
  key(served: Served): string
  /** Throws `ApiProblem`. */
  load(served: Served): Promise<Loaded>
  /** The pages at which a walk stood before this one or will stand after it: two, or one at either end of all pages. */
  neighbours?(served: Served): readonly PageKind[]
}

/** The page of whoever follows a cursor: read where the cursor was given out. */
export const followed = (kind: PageKind, cursor: { generation: number } | undefined): PageKind =>
  cursor ? { ...kind, generation: cursor.generation } : kind
