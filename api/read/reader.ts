// How a query is answered: from memory, else read in one of the client's slots, again while facts move under the reading.
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
  /** True where neither the body nor its `asOf` can change any more. */
  isFinal: boolean
  /** Equal to `Reader.stamp` of the same query as long as this is its answer; undefined where it is not cached. */
  stamp: string | undefined
}

/** What the state of an answer depends on. */
type Answered = Pick<Query<unknown>, 'proposalId' | 'version' | 'isFinal'>
type Generation = Pick<Query<unknown>, 'generation'>

/** What every surface of the API reads through. */
export type Reader = {
  /** From memory, else undefined. */
  find<Body>(query: Query<unknown, Body>): Answer<Body> | undefined
  /** From memory, or from the store in one of the slots of the client. Throws `ApiProblem`. */
  get<Body>(query: Query<unknown, Body>, client: string): Promise<Answer<Body>>
  /** Changes whenever the answer may; undefined where there is none under the current snapshot. */
  stamp(query: Answered & Generation): string | undefined
}

export type ReaderOptions = {
  snapshots: SnapshotSource
  cache: QueryCache
  slots: ReadingSlots
  baseUrl: string
  /** Called after every reading: how long it took and what it found. */
  onRead?: (read: { seconds: number; consistency: ReadConsistency }) => void
  clock?: Clock
}

/** Readings of one query while later commits replace its rows: with growing pauses, for half a second in all. */
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

/** The rows belong to two heights: no `asOf` would be true of them. */
const createSettlingProblem = (proposalId: string | null, consistency: ReadConsistency) => {
  const facts = consistency === 'closing' ? 'final facts' : 'facts of a later height'
  const of = proposalId === null ? '' : ` of proposal ${proposalId}`
  return new ApiProblem('settling', `The ${facts}${of} are being written.`)
}

const cursorExpired = () =>
  new ApiProblem(
    'cursor-expired',
    'The tables were rebuilt since this cursor was given out. Start again from the first page.',
  )

const isFinalUnder = (query: Answered, snapshot: Snapshot): boolean =>
  query.isFinal?.(snapshot) ?? computeAsOf(snapshot, query.proposalId).isFinal

/** A final answer does not move with the height; one of a final proposal has the height of its own end. */
const computeStamp = (query: Answered, snapshot: Snapshot): string => {
  const { height } = computeAsOf(snapshot, query.proposalId)
  return `${query.version(snapshot)} ${query.isFinal?.(snapshot) ? 'final' : height}`
}

const IN_FLIGHT: Found<never> = { value: undefined as never, consistency: 'moving' }

/** Rows of a later commit were in the way: the query is read again. */
const handleReplaced = (error: unknown): Found<never> => {
  if (error instanceof RowsReplaced) return IN_FLIGHT
  throw error
}

/** Under which snapshot a query is answered. */
const createSelection = (snapshots: SnapshotSource) => ({
  /** Of the current generation; undefined for a query of another one. */
  current: ({ generation }: Generation): Snapshot | undefined => {
    const snapshot = snapshots.current()
    return generation === undefined || generation === snapshot?.generation ? snapshot : undefined
  },
  /** `isAgain` where the query has just been read and was moving. Throws `ApiProblem`. */
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

/** Reads in one of the client's slots; a request that waits for a reading of another one needs none. */
const createReading = ({ cache, slots, onRead, clock = systemClock }: ReaderOptions) => {
  const readNow = async <Value>(
    query: Query<Value, unknown>,
    snapshot: Snapshot,
  ): Promise<Found<Value>> => {
    // It may have been read while this request waited for its slot.
    const known = cache.find(query, snapshot)
    if (known) return { value: known.value, consistency: 'settled' }
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
      if (consistency === 'settled') {
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
