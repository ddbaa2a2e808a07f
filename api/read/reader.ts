// Answers queries from the cache, or by a read in a slot of the client. Inconsistent reads are repeated.

import type { Turns } from '../../infra/base/http/limits/turns.ts'
import { type Clock, systemClock } from '../../infra/base/runtime/clock.ts'
import { toHeight } from '../../ingest/contract/envelope.ts'
import { type AsOf, createAsOf } from '../schemas/common.ts'
import type { QueryCache } from './cache.ts'
import { ApiProblem } from './problems.ts'
import { formatTime } from './queries/values.ts'
import {
  type AnswerBounds,
  type Inconsistency,
  InconsistentRead,
  type Query,
  type QueryResult,
  readConsistent,
} from './query.ts'
import type { ReadingSlots } from './reading-slots.ts'
import { isSettled, type Snapshot, type Watermark } from './snapshot.ts'
import type { SnapshotSource } from './snapshots.ts'
import type { AroundRead } from './store.ts'

export type Answer<Body> = {
  body: Body
  /** True if body and `asOf` can never change. */
  isFinal: boolean
  /** Equal to `Reader.stamp` of the query while this answer is valid; undefined if it is not cached. */
  stamp: string | undefined
}

/** The members of a query that determine the state of its answer. */
type Answered = Pick<Query<unknown>, 'proposalId' | 'version' | 'isFinal'>
type Generation = Pick<Query<unknown>, 'generation'>

export type ReadConsistency = 'consistent' | Inconsistency

/** All formats and protocols of the API use the reader. */
export type Reader = {
  /** The cached answer, if any. */
  find<Body>(query: Query<unknown, Body>): Answer<Body> | undefined
  /** From the cache, or from the store in a slot of the client. Throws `ApiProblem`. */
  get<Body>(
    query: Query<unknown, Body>,
    client: string,
    bounds?: AnswerBounds,
  ): Promise<Answer<Body>>
  /** Changes whenever the answer can change; undefined without an answer under the current snapshot. */
  stamp(query: Answered & Generation): string | undefined
}

/** For what exists without data too: `otherwise` if the store cannot be read. */
export async function readOr<Body>(
  reader: Pick<Reader, 'get'>,
  query: Query<unknown, Body>,
  { client, otherwise }: { client: string; otherwise: Body },
): Promise<Body> {
  try {
    return (await reader.get(query, client)).body
  } catch {
    return otherwise
  }
}

export type ReaderOptions = {
  snapshots: SnapshotSource
  /** Around a read of a snapshot, because no request waits for a store that hangs. */
  whileAlive: AroundRead
  cache: QueryCache
  slots: ReadingSlots
  /** An answer is completed, and then rendered, in a turn of its client. */
  turns?: Turns
  baseUrl: string
  /** Called after every read that did not fail, with its duration and consistency. */
  onRead?: (read: { seconds: number; consistency: ReadConsistency }, client: string) => void
  clock?: Clock
}

/** Up to half a second in total. */
const READING_PAUSE_MS = 10

/** The watermark of a final proposal. */
const findFinal = ({ proposalId }: Answered, { watermarks }: Snapshot): Watermark | undefined => {
  const watermark = proposalId === null ? undefined : watermarks.get(proposalId)
  return watermark?.final ? watermark : undefined
}

const getAsOfHeight = (query: Answered, snapshot: Snapshot): number => {
  const final = findFinal(query, snapshot)
  return final ? toHeight(final.position) : snapshot.height
}

const computeAsOf = (query: Answered, snapshot: Snapshot): AsOf => {
  const { timeMs } = findFinal(query, snapshot) ?? snapshot
  const height = getAsOfHeight(query, snapshot)
  return createAsOf(snapshot.chainId, height, formatTime(timeMs))
}

const nothingYet = () =>
  new ApiProblem('nothing-projected', 'The first heights are being indexed. Try again in a moment.')

/** The rows belong to two heights, so no `asOf` would be correct. */
const createSettlingProblem = (proposalId: string | null, { kind }: InconsistentRead) => {
  const data = kind === 'finalizing' ? 'final data' : 'data of a later height'
  const of = proposalId === null ? '' : ` of proposal ${proposalId}`
  return new ApiProblem('settling', `The ${data}${of} is being written. Try again in a moment.`)
}

const cursorExpired = () =>
  new ApiProblem(
    'cursor-expired',
    'The tables were rebuilt after this cursor was issued. Start again from the first page.',
  )

const isFinalUnder = (query: Answered, snapshot: Snapshot): boolean => {
  const final = findFinal(query, snapshot)
  return query.isFinal?.(snapshot) ?? (final !== undefined && isSettled(final))
}

/** A final answer does not change with the height. The answer of a final proposal has the height of its end. */
const computeStamp = (query: Answered, snapshot: Snapshot): string => {
  const until = query.isFinal?.(snapshot) ? 'final' : getAsOfHeight(query, snapshot)
  return `${query.version(snapshot)} ${until}`
}

/** Selects the snapshot of a query. */
const createSelection = (snapshots: SnapshotSource) => ({
  /** The current snapshot; undefined for a query of another generation. */
  current: ({ generation }: Generation): Snapshot | undefined => {
    const snapshot = snapshots.current()
    return generation === undefined || generation === snapshot?.generation ? snapshot : undefined
  },
  /** `isAgain` is true after an inconsistent read. Throws `ApiProblem`. */
  find: async ({ generation }: Generation, isAgain: boolean): Promise<Snapshot> => {
    if (generation === undefined) {
      if (isAgain) await snapshots.refresh()
      const snapshot = snapshots.current()
      if (!snapshot) throw nothingYet()
      return snapshot
    }
    const snapshot = await (isAgain ? snapshots.find(generation, 0) : snapshots.find(generation))
    if (!snapshot) throw cursorExpired()
    return snapshot
  },
})

/** Reads in a slot of the client. A request that waits for a pending read needs no slot. */
const createReading = ({ cache, slots, onRead, clock = systemClock }: ReaderOptions) => {
  const readNow = async <Value>(
    query: Query<Value, unknown>,
    snapshot: Snapshot,
    client: string,
  ): Promise<QueryResult<Value>> => {
    // Another request may have read it while this one waited for a slot.
    const known = cache.find(query, snapshot)
    if (known) return known
    const startedMs = clock.now()
    const note = (consistency: ReadConsistency) =>
      onRead?.({ seconds: (clock.now() - startedMs) / 1_000, consistency }, client)
    try {
      const found = await cache.read(query, snapshot)
      note('consistent')
      return found
    } catch (error) {
      if (error instanceof InconsistentRead) note(error.kind)
      throw error
    }
  }
  return <Value>(
    query: Query<Value, unknown>,
    snapshot: Snapshot,
    client: string,
  ): Promise<QueryResult<Value>> =>
    cache.reading(query, snapshot) ?? slots.take(client, () => readNow(query, snapshot, client))
}

export const createReader = (options: ReaderOptions): Reader => {
  const { snapshots, whileAlive, cache, turns, baseUrl, clock = systemClock } = options
  const selection = createSelection(snapshots)
  const read = createReading(options)

  const answer = <Value, Body>(
    query: Query<Value, Body>,
    snapshot: Snapshot,
    { value, isUncached }: QueryResult<Value>,
    bounds?: AnswerBounds,
  ): Answer<Body> => {
    const { generation } = snapshot
    const asOf = computeAsOf(query, snapshot)
    return {
      body: query.complete(value, { asOf, baseUrl, generation, bounds }),
      isFinal: isFinalUnder(query, snapshot),
      stamp: isUncached ? undefined : computeStamp(query, snapshot),
    }
  }
  const find = <Body>(
    query: Query<unknown, Body>,
    bounds?: AnswerBounds,
  ): Answer<Body> | undefined => {
    const snapshot = selection.current(query)
    const found = snapshot && cache.find(query, snapshot)
    return found && answer(query, snapshot, found, bounds)
  }
  const get = async <Body>(
    query: Query<unknown, Body>,
    client: string,
    bounds?: AnswerBounds,
  ): Promise<Answer<Body>> => {
    const known = find(query, bounds)
    if (known) return known
    const found = await readConsistent(
      async (isAgain) => {
        const snapshot = await whileAlive(() => selection.find(query, isAgain))
        const result = await read(query, snapshot, client)
        await turns?.take(client)
        return answer(query, snapshot, result, bounds)
      },
      { clock, pauseMs: READING_PAUSE_MS },
    )
    if (found instanceof InconsistentRead) throw createSettlingProblem(query.proposalId, found)
    return found
  }
  return {
    find,
    get,
    stamp: (query) => {
      const snapshot = selection.current(query)
      return snapshot && computeStamp(query, snapshot)
    },
  }
}
