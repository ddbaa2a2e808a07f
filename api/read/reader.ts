// How a query is answered: from memory, else read in one of the client's slots, again while facts move under the reading.
import { type Clock, systemClock } from '../../infra/runtime/clock.ts'
import { heightOfPosition } from '../../ingest/contract/envelope.ts'
import { ApiProblem } from '../problem.ts'
import type { AsOf } from '../schemas/common.ts'
import { RowsReplaced } from './queries/as-of.ts'
import { formatTime } from './queries/values.ts'
import type { Found, Query, Verdict } from './query.ts'
import type { QueryCache } from './query-cache.ts'
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

/** What every surface of the API reads through. */
export type Reader = {
  /** From memory, else undefined. */
  find<Body>(query: Query<unknown, Body>): Answer<Body> | undefined
  /** From memory, or from the store in one of the slots of the client. Throws `ApiProblem`. */
  get<Body>(query: Query<unknown, Body>, client: string): Promise<Answer<Body>>
  /** Changes whenever the answer may; undefined where there is none under the current snapshot. */
  stamp(query: Pick<Query<unknown>, 'proposalId' | 'generation' | 'version'>): string | undefined
}

export type ReaderOptions = {
  snapshots: SnapshotSource
  cache: QueryCache
  slots: ReadingSlots
  baseUrl: string
  /** Called after every reading: how long it took and what it found. */
  onRead?: (read: { seconds: number; verdict: Verdict }) => void
  clock?: Clock
}

/** Readings of one query while later commits replace its rows: with growing pauses, for half a second in all. */
const MAX_READINGS = 10
const READING_PAUSE_MS = 10

const asOfProposal = (
  snapshot: Snapshot,
  proposalId: string | null,
): AsOf & { isFinal: boolean } => {
  const watermark = proposalId === null ? undefined : snapshot.watermarks.get(proposalId)
  const { chainId } = snapshot
  if (!watermark?.final) {
    return { chainId, height: snapshot.height, time: formatTime(snapshot.timeMs), isFinal: false }
  }
  const height = heightOfPosition(watermark.position)
  return { chainId, height, time: formatTime(watermark.timeMs), isFinal: true }
}

const nothingYet = () =>
  new ApiProblem('nothing-projected', 'The first heights are being indexed. Try again in a moment.')

/** The rows belong to two heights: no `asOf` would be true of them. */
const stillWriting = (proposalId: string | null, verdict: Verdict) => {
  const facts = verdict === 'closing' ? 'final facts' : 'facts of a later height'
  const of = proposalId === null ? '' : ` of proposal ${proposalId}`
  return new ApiProblem('settling', `The ${facts}${of} are being written.`)
}

const cursorExpired = () =>
  new ApiProblem(
    'cursor-expired',
    'The tables were rebuilt since this cursor was given out. Start again from the first page.',
  )

const stampUnder = (
  { version, proposalId }: Pick<Query<unknown>, 'proposalId' | 'version'>,
  snapshot: Snapshot,
): string => `${version(snapshot)} ${asOfProposal(snapshot, proposalId).height}`

const MOVING: Found<never> = { value: undefined as never, verdict: 'moving' }

/** Rows of a later commit were in the way: the query is read again. */
const replaced = (error: unknown): Found<never> => {
  if (error instanceof RowsReplaced) return MOVING
  throw error
}

export const createReader = (options: ReaderOptions): Reader => {
  const { snapshots, cache, slots, baseUrl, onRead, clock = systemClock } = options

  const answer = <Value, Body>(
    query: Query<Value, Body>,
    snapshot: Snapshot,
    found: { value: Value; isCached: boolean },
  ): Answer<Body> => {
    const { isFinal, ...asOf } = asOfProposal(snapshot, query.proposalId)
    const { generation } = snapshot
    return {
      body: query.complete(found.value, { asOf, baseUrl, generation }),
      isFinal,
      stamp: found.isCached ? stampUnder(query, snapshot) : undefined,
    }
  }
  /** Under the snapshot that a query of the current generation is answered from. */
  const currentFor = (query: Pick<Query<unknown>, 'generation'>): Snapshot | undefined => {
    const snapshot = snapshots.current()
    const isCurrent = query.generation === undefined || query.generation === snapshot?.generation
    return isCurrent ? snapshot : undefined
  }
  const find = <Body>(query: Query<unknown, Body>): Answer<Body> | undefined => {
    const snapshot = currentFor(query)
    const found = snapshot && cache.find(query, snapshot)
    return found && answer(query, snapshot, { value: found.value, isCached: true })
  }
  /** `isAgain` where it has just been read and was moving. */
  const snapshotFor = async (
    { generation }: Pick<Query<unknown>, 'generation'>,
    isAgain: boolean,
  ): Promise<Snapshot> => {
    if (generation === undefined) {
      if (isAgain) await snapshots.refresh()
      const snapshot = snapshots.current()
      if (!snapshot) throw nothingYet()
      return snapshot
    }
    const snapshot = await (isAgain ? snapshots.of(generation, 0) : snapshots.of(generation))
    if (!snapshot) throw cursorExpired()
    return snapshot
  }
  const readNow = async <Value>(
    query: Query<Value, unknown>,
    snapshot: Snapshot,
  ): Promise<Found<Value>> => {
    const startedMs = clock.now()
    const found = await cache.read(query, snapshot).catch(replaced)
    onRead?.({ seconds: (clock.now() - startedMs) / 1_000, verdict: found.verdict })
    return found
  }
  /** A request that waits for a reading of another one needs no slot. */
  const readIn = <Value>(query: Query<Value, unknown>, snapshot: Snapshot, client: string) =>
    cache.reading(query, snapshot)?.catch(replaced) ??
    slots.take(client, () => readNow(query, snapshot))

  const get = async <Value, Body>(
    query: Query<Value, Body>,
    client: string,
  ): Promise<Answer<Body>> => {
    const known = find(query)
    if (known) return known as Answer<Body>
    for (let readings = 1; ; readings++) {
      const snapshot = await snapshotFor(query, readings > 1)
      const { value, verdict, isUncached = false } = await readIn(query, snapshot, client)
      if (verdict === 'settled') return answer(query, snapshot, { value, isCached: !isUncached })
      if (readings >= MAX_READINGS) throw stillWriting(query.proposalId, verdict)
      await clock.sleep(readings * READING_PAUSE_MS)
    }
  }
  return {
    find,
    get: (query, client) => get(query, client),
    stamp: (query) => {
      const snapshot = currentFor(query)
      return snapshot && stampUnder(query, snapshot)
    },
  }
}
