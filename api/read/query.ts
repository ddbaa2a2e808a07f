// The type of queries: how a value is read under a snapshot, and when it changes.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { AsOf } from '../schemas/common.ts'
import type { DisplayUnit } from '../words/display-unit.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * `inFlight`: rows of a later commit have replaced rows of the snapshot. `finalizing`: the final rows of a proposal are not
 * complete yet.
 */
export type Inconsistency = 'inFlight' | 'finalizing'

/** A read found rows of two states. The query is read again under a newer snapshot. */
export class InconsistentRead extends Error {
  readonly kind: Inconsistency

  constructor(kind: Inconsistency) {
    super(`the rows do not belong to one state: ${kind}`)
    this.name = 'InconsistentRead'
    this.kind = kind
  }
}

/** Maximum reads while commits replace rows. The pauses grow. */
const MAX_READINGS = 10

/** Repeats a read that finds rows of two states, under newer snapshots. Returns the last inconsistency if they do not end. */
export async function readConsistent<Result>(
  read: (isAgain: boolean) => Promise<Result>,
  { clock, pauseMs }: { clock: Clock; pauseMs: number },
): Promise<Result | InconsistentRead> {
  for (let readings = 1; ; readings++) {
    try {
      return await read(readings > 1)
    } catch (error) {
      if (!(error instanceof InconsistentRead)) throw error
      if (readings >= MAX_READINGS) return error
    }
    await clock.sleep(readings * pauseMs)
  }
}

export type QueryResult<Value> = {
  value: Value
  /** Values of other queries from the same read, by cache key. */
  ahead?: ReadonlyMap<string, unknown>
  /** True for values that must not be cached, because clients can construct any number of such queries. */
  isUncached?: boolean
}

/** The context of a read. */
export type Reads = {
  store: Store
  snapshot: Snapshot
  /** The configured unit. */
  displayUnit: DisplayUnit | undefined
  /** The value of another query under the same snapshot: from the cache, or from a read that all waiting queries share. */
  use<Value>(query: Query<Value, unknown>): Promise<QueryResult<Value>>
  /** The cached value of a key, if any. */
  cached<Value>(key: string): Value | undefined
}

/** Data that completes a value to the body of a response. */
export type Completion = {
  asOf: AsOf
  baseUrl: string
  generation: number
  /** Besides the limits of every answer. */
  bounds?: AnswerBounds | undefined
}

/** Limits of an answer for a language model. */
export type AnswerBounds = {
  /** Of the JSON of the body. */
  maxTokens: number
  /** Of a list, or of the list in a single resource. By default the size of a page. */
  maxItems?: number | undefined
}

export type Query<Value, Body = Value> = {
  /** The canonical name of the query with its parameters. For resources it is path and query string. */
  name: string
  /** The proposal of the data; null for data of the whole chain. */
  proposalId: string | null
  /** The generation of the cursor; by default the current one. */
  generation?: number | undefined
  /** Changes whenever the value can change. */
  version(snapshot: Snapshot): string
  /** True if the response can never change. By default this is true for a final proposal. */
  isFinal?(snapshot: Snapshot): boolean
  /** Throws `ApiProblem` or `InconsistentRead`. */
  read(reads: Reads): Promise<QueryResult<Value>>
  complete(value: Value, completion: Completion): Body
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

/** For data that never changes within a generation. */
export const generationVersion = ({ generation }: Snapshot): string => `${generation}`

/** Changes with every event of the proposal. */
export const proposalVersion =
  (proposalId: string) =>
  ({ generation, watermarks }: Snapshot): string =>
    `${generation}/${watermarks.get(proposalId)?.position}`

/** Changes with every event of any proposal. */
export const chainVersion = ({ generation, changedAt }: Snapshot): string =>
  `${generation}/${changedAt}`

/** Changes with every height. */
export const heightVersion = ({ generation, height }: Snapshot): string => `${generation}/${height}`
