// How a page comes about: from the cache, else read once for all who wait, again while facts move under the reading.
import { type Clock, systemClock } from '../../infra/runtime/clock.ts'
import { settled } from '../../infra/runtime/promises.ts'
import { heightOfPosition } from '../../ingest/contract/envelope.ts'
import { ApiProblem } from '../problem.ts'
import { RowsReplaced } from '../queries/read.ts'
import { formatTime } from '../queries/values.ts'
import type { AsOf } from '../schemas/common.ts'
import type { Served } from '../served/served.ts'
import type { ServedState } from '../served/served-state.ts'
import type { PageCache } from './page-cache.ts'
import { type Content, type StampedPage, stampPage } from './page-content.ts'
import type { Loaded, PageKind, Verdict } from './page-kind.ts'
import { createReadAhead } from './read-ahead.ts'
import type { ReadingSlots } from './reading-slots.ts'

export type AnsweredPage = { page: StampedPage; isFinal: boolean }

export type Pages = {
  /** From memory, else undefined. */
  find(kind: PageKind): AnsweredPage | undefined
  /** From memory, or from the store in one of the slots of the client at `address`. */
  get(kind: PageKind, address: string): Promise<AnsweredPage>
}

export type PagesOptions = {
  state: ServedState
  cache: PageCache
  slots: ReadingSlots
  /** Told of every reading: how long it took and what it found. */
  onRead?: (read: { seconds: number; verdict: Verdict }) => void
  clock?: Clock
}

/** Readings of one page while later commits replace its rows: with growing pauses, for half a second in all. */
const MAX_READINGS = 10
const READING_PAUSE_MS = 10

const asOfOf = (served: Served, proposalId: string | null): AsOf & { isFinal: boolean } => {
  const watermark = proposalId === null ? undefined : served.watermarks.get(proposalId)
  const { chainId } = served
  if (!watermark?.final) {
    return { chainId, height: served.height, time: formatTime(served.timeMs), isFinal: false }
  }
  const height = heightOfPosition(watermark.position)
  return { chainId, height, time: formatTime(watermark.timeMs), isFinal: true }
}

const nothingYet = () =>
  new ApiProblem('nothing-projected', 'The first heights are being indexed. Try again in a moment.')

/** What is there is of two heights: no `asOf` would be true of it. */
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

type Reading = { served: Served; contents: ReadonlyMap<string, Content>; verdict: Verdict }

const MOVING: Loaded = { contents: new Map(), verdict: 'moving' }

/** Rows of a later commit stood in the way: the page is read again. */
const replaced = (error: unknown): Loaded => {
  if (error instanceof RowsReplaced) return MOVING
  throw error
}

/** Each page is read once for all who wait for it. */
const createReadings = ({ cache, slots, onRead, clock = systemClock }: PagesOptions) => {
  const loading = new Map<string, Promise<Reading>>()

  const loadOnce = async (served: Served, kind: PageKind): Promise<Reading> => {
    const startedMs = clock.now()
    const { contents, verdict, isUncached = false } = await kind.load(served).catch(replaced)
    const isKept = verdict === 'settled' && !isUncached
    if (isKept) for (const [key, content] of contents) cache.put(key, content)
    onRead?.({ seconds: (clock.now() - startedMs) / 1_000, verdict })
    return { served, contents, verdict }
  }
  const load = (served: Served, kind: PageKind): Promise<Reading> => {
    const key = kind.key(served)
    const known = loading.get(key)
    if (known !== undefined) return known
    const started = loadOnce(served, kind).finally(() => loading.delete(key))
    loading.set(key, started)
    return started
  }
  /** A request for a page that is being read needs no slot for it. */
  const loadFor = async (address: string, served: Served, kind: PageKind): Promise<Reading> => {
    const key = kind.key(served)
    const cached: Reading = { served, contents: new Map(), verdict: 'settled' }
    // It may have been read while this request waited for its slot.
    const inSlot = async () => (cache.has(key) ? cached : await load(served, kind))
    return await (loading.get(key) ?? slots.take(address, inSlot))
  }
  return { load, loadFor, isIdle: () => loading.size === 0 }
}

export const createPages = (options: PagesOptions): Pages => {
  const { state, cache, clock = systemClock } = options
  const { load, loadFor, isIdle } = createReadings(options)

  const readAhead = createReadAhead({
    isCached: (key) => cache.has(key),
    isIdle,
    // Whoever asks for the page is told what is wrong with it.
    start: (served, kind) => void settled(load(served, kind)),
  })

  const findIn = (served: Served, kind: PageKind): AnsweredPage | undefined => {
    const { isFinal, ...asOf } = asOfOf(served, kind.proposalId)
    const key = kind.key(served)
    const page = cache.find(key, asOf)
    if (!page) return undefined
    readAhead.found(served, kind, key)
    return { page, isFinal }
  }
  /** Straight from a reading: a page may be too large for the cache, or not settled. */
  const answerOf = ({ served, contents }: Reading, kind: PageKind): AnsweredPage => {
    const content = contents.get(kind.key(served))
    if (!content) throw new Error(`loading ${kind.key(served)} gave no content`)
    const { isFinal, ...asOf } = asOfOf(served, kind.proposalId)
    return { page: stampPage(content, asOf), isFinal }
  }
  /** What a page is read under; `isAgain` where it has just been read and was moving. */
  const servedFor = async ({ generation }: PageKind, isAgain: boolean): Promise<Served> => {
    if (generation === undefined) {
      if (isAgain) await state.refresh()
      const served = state.current()
      if (!served) throw nothingYet()
      return served
    }
    const served = await (isAgain ? state.of(generation, 0) : state.of(generation))
    if (!served) throw cursorExpired()
    return served
  }
  const read = async (kind: PageKind, address: string): Promise<AnsweredPage> => {
    for (let readings = 1; ; readings++) {
      const served = await servedFor(kind, readings > 1)
      const held = findIn(served, kind)
      if (held) return held
      const reading = await loadFor(address, served, kind)
      const { verdict } = reading
      if (verdict === 'settled') {
        readAhead.read(reading.served, kind)
        return findIn(reading.served, kind) ?? answerOf(reading, kind)
      }
      if (readings >= MAX_READINGS) throw stillWriting(kind.proposalId, verdict)
      await clock.sleep(readings * READING_PAUSE_MS)
    }
  }
  const find = (kind: PageKind): AnsweredPage | undefined => {
    const served = state.current()
    const isServed = kind.generation === undefined || kind.generation === served?.generation
    return served && isServed ? findIn(served, kind) : undefined
  }
  return { find, get: async (kind, address) => find(kind) ?? (await read(kind, address)) }
}
