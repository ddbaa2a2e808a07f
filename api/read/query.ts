// One question to the store with its parameters: what its answer depends on, and how it is read under a snapshot.
import type { Store } from '../../infra/clickhouse/client.ts'
import type { DisplayUnit } from '../display-unit.ts'
import type { AsOf } from '../schemas/common.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * What a reading found. `moving`: rows of a later commit in place of some of the snapshot's. `closing`: a proposal whose
 * final facts are still being written. Neither is ever answered: the query is read again under a newer snapshot.
 */
export type ReadConsistency = 'settled' | 'moving' | 'closing'

export type Found<Value> = {
  value: Value
  consistency: ReadConsistency
  /** Values of other queries that the same reading gave, by cache key. */
  ahead?: ReadonlyMap<string, unknown>
  /** True where clients can invent any number of such queries: the value is answered and not cached. */
  isUncached?: boolean
}

/** What a query is read with. */
export type Reads = {
  store: Store
  snapshot: Snapshot
  /** The configured one. */
  displayUnit: DisplayUnit | undefined
  /** The value of another query under the same snapshot: from the cache, or read once for all that wait for it. */
  use<Value>(query: Query<Value, unknown>): Promise<Found<Value>>
  /** A cached value by its key, else undefined. */
  cached<Value>(key: string): Value | undefined
}

/** What completes a value into the body of an answer. */
export type Completion = { asOf: AsOf; baseUrl: string; generation: number }

export type Query<Value, Body = Value> = {
  /** The query with its parameters, in one spelling; of a resource, its path and query string. */
  name: string
  /** The proposal whose facts it shows; null where it shows the whole chain. */
  proposalId: string | null
  /** The one that issued the cursor that is followed; the current one where absent. */
  generation?: number | undefined
  /** Changes whenever the value may. */
  version(snapshot: Snapshot): string
  /** True where the answer can never change; where absent, it cannot once its proposal is final. */
  isFinal?(snapshot: Snapshot): boolean
  /** Throws `ApiProblem`. */
  read(reads: Reads): Promise<Found<Value>>
  complete(value: Value, completion: Completion): Body
  /** What a walk asked for before this or will ask for after it: two queries, or one at either end. */
  getAdjacent?(snapshot: Snapshot): readonly Query<unknown, unknown>[]
}

export const createQueryKey = (
  query: Pick<Query<unknown>, 'name' | 'version'>,
  snapshot: Snapshot,
): string => `${query.name} ${query.version(snapshot)}`

/** A query whose value is only used by other queries. */
export const createInnerQuery = <Value>(query: Omit<Query<Value>, 'complete'>): Query<Value> => ({
  ...query,
  complete: (value) => value,
})

/** Changes with every fact of the proposal. */
export const proposalVersion =
  (proposalId: string) =>
  ({ generation, watermarks }: Snapshot): string =>
    `${generation}/${watermarks.get(proposalId)?.position}`

/** Changes with every fact of any proposal. */
export const chainVersion = ({ generation, changedAt }: Snapshot): string =>
  `${generation}/${changedAt}`

/** Changes with every height. */
export const heightVersion = ({ generation, height }: Snapshot): string => `${generation}/${height}`

/** Settled where all are; else why the first is not. */
export const getWorstConsistency = (
  ...consistencies: readonly ReadConsistency[]
): ReadConsistency => consistencies.find((consistency) => consistency !== 'settled') ?? 'settled'

export const toConsistency = (isConsistent: boolean): ReadConsistency =>
  isConsistent ? 'settled' : 'moving'
