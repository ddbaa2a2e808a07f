// Answers queries from the cache, or by a read in a slot of the client. Inconsistent reads are repeated.
import { type Clock, systemClock } from '../../infra/runtime/clock.ts'
import { waitUntilSettled } from '../../infra/runtime/promises.ts'
import { toHeight } from '../../ingest/contract/envelope.ts'
import { ApiProblem } from '../problem.ts'
import type { AsOf } from '../schemas/common.ts'
import { RowsReplaced } from './queries/as-of.ts'
import { formatTime } from './queries/values.ts'
import type { Found, Query, ReadConsistency } from './query.ts'
import type { QueryCache } from './query-cache.ts'
import { createReadAhead } from './read-ahead.ts'
import type { ReadingSlots } from './reading-slots.ts'
import type { Snapshot } from './snapshot.ts'
import type { SnapshotSource } from './snapshots/snapshot-source.ts'

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

/** All formats and protocols of the API use the reader. */
export type Reader = {
  /** The cached answer, if any. */
  find<Body>(query: Query<unknown, Body>): Answer<Body> | undefined
  /** From the cache, or from the store in a slot of the client. Throws `ApiProblem`. */
  get<Body>(query: Query<unknown, Body>, client: string): Promise<Answer<Body>>
  /** Changes whenever the answer can change; undefined without an answer under the current snapshot. */
  stamp(query: Answered & Generation): string | undefined
}

export type ReaderOptions = {
  snapshots: SnapshotSource
  cache: QueryCache
  slots: ReadingSlots
  baseUrl: string
  /** Called after every read with its duration and consistency. */
  onRead?: (read: { seconds: number; consistency: ReadConsistency }) => void
  clock?: Clock
}

/** Maximum reads of one query while commits replace its rows. The pauses grow, up to half a second in total. */
const MAX_READINGS = 10
const READING_PAUSE_MS = 10

const computeAsOf = (
  snapshot: Snapshot,
  proposalId: string | null,
): AsOf & { isFinal: boolean } => {
  const watermark = proposalId === null ? undefined : snapshot.watermarks.get(proposalId)
  const { chainId } = snapshot
  if (!watermark?.final) {
    return { chainId, height: snapshot.height, time: formatTime(snapshot.timeMs), isFinal: false }
  }
  const height = toHeight(watermark.position)
  return { chainId, height, time: formatTime(watermark.timeMs), isFinal: true }
}

const nothingYet = () =>
  new ApiProblem('nothing-projected', 'The first heights are being indexed. Try again in a moment.')

/** The rows belong to two heights, so no `asOf` would be correct. */
const createSettlingProblem = (proposalId: string | null, consistency: ReadConsistency) => {
  const data = consistency === 'finalizing' ? 'final data' : 'data of a later height'
  const of = proposalId === null ? '' : ` of proposal ${proposalId}`
  return new ApiProblem('settling', `The ${data}${of} is being written. Try again in a moment.`)
}

const cursorExpired = () =>
  new ApiProblem(
    'cursor-expired',
    'The tables were rebuilt after this cursor was issued. Start again from the first page.',
  )

const isFinalUnder = (query: Answered, snapshot: Snapshot): boolean =>
  query.isFinal?.(snapshot) ?? computeAsOf(snapshot, query.proposalId).isFinal

/** A final answer does not change with the height. The answer of a final proposal has the height of its end. */
const computeStamp = (query: Answered, snapshot: Snapshot): string => {
  const { height } = computeAsOf(snapshot, query.proposalId)
  return `${query.version(snapshot)} ${query.isFinal?.(snapshot) ? 'final' : height}`
}

const IN_FLIGHT: Found<never> = { value: undefined as never, consistency: 'inFlight' }

/** A commit replaced rows of the query: it is read again. */
const handleReplaced = (error: unknown): Found<never> => {
  if (error instanceof RowsReplaced) return IN_FLIGHT
  throw error
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
  ): Promise<Found<Value>> => {
    // Another request may have read it while this one waited for a slot.
    const known = cache.find(query, snapshot)
    if (known) return { value: known.value, consistency: 'consistent' }
    const startedMs = clock.now()
    const found = await cache.read(query, snapshot).catch(handleReplaced)
    onRead?.({ seconds: (clock.now() - startedMs) / 1_000, consistency: found.consistency })
    return found
  }
  return <Value>(
    query: Query<Value, unknown>,
    snapshot: Snapshot,
    client: string,
  ): Promise<Found<Value>> =>
    cache.reading(query, snapshot)?.catch(handleReplaced) ??
    slots.take(client, () => readNow(query, snapshot))
}

export const createReader = (options: ReaderOptions): Reader => {
  const { snapshots, cache, baseUrl, clock = systemClock } = options
  const selection = createSelection(snapshots)
  const read = createReading(options)
  const readAhead = createReadAhead({
    isCached: (query, snapshot) => cache.find(query, snapshot) !== undefined,
    isIdle: cache.isIdle,
    start: (query, snapshot) => void waitUntilSettled(cache.read(query, snapshot)),
  })

  const answer = <Value, Body>(
    query: Query<Value, Body>,
    snapshot: Snapshot,
    found: { value: Value; isCached: boolean },
  ): Answer<Body> => {
    const { isFinal: _, ...asOf } = computeAsOf(snapshot, query.proposalId)
    const { generation } = snapshot
    return {
      body: query.complete(found.value, { asOf, baseUrl, generation }),
      isFinal: isFinalUnder(query, snapshot),
      stamp: found.isCached ? computeStamp(query, snapshot) : undefined,
    }
  }
  const find = <Body>(query: Query<unknown, Body>): Answer<Body> | undefined => {
    const snapshot = selection.current(query)
    const found = snapshot && cache.find(query, snapshot)
    if (!found) return undefined
    readAhead.found(snapshot, query)
    return answer(query, snapshot, { value: found.value, isCached: true })
  }
  const get = async <Body>(query: Query<unknown, Body>, client: string): Promise<Answer<Body>> => {
    const known = find(query)
    if (known) return known
    for (let readings = 1; ; readings++) {
      const snapshot = await selection.find(query, readings > 1)
      const { value, consistency, isUncached = false } = await read(query, snapshot, client)
      if (consistency === 'consistent') {
        readAhead.read(snapshot, query)
        return answer(query, snapshot, { value, isCached: !isUncached })
      }
      if (readings >= MAX_READINGS) throw createSettlingProblem(query.proposalId, consistency)
      await clock.sleep(readings * READING_PAUSE_MS)
    }
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
