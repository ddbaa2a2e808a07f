// How fresh the served height is: how far it is behind the chain, what is still to come of the past, whether blocks come at all.
// Measured by the wall clock of this process.
import { createWaiting } from '../../infra/base/runtime/waiting.ts'
import { formatTime } from './queries/values.ts'
import { isDemoSnapshot, type Snapshot } from './snapshot.ts'

export type Behind = {
  /** Null while the tip is not known. */
  heights: number | null
  /** Block time. Null while the tip is not known, and on the demo chain, which has recorded times. */
  seconds: number | null
}

/** A lag of at most so many heights counts as following the chain. */
const FOLLOWING_HEIGHTS = 5

const UNKNOWN: Behind = { heights: null, seconds: null }

type Served = Pick<Snapshot, 'chainId' | 'height' | 'tip' | 'timeMs'>

/** `isTipKnown`: the tip of the snapshot counts as that of the chain. */
const computeBehind = (
  snapshot: Served | undefined,
  { nowMs, isTipKnown }: { nowMs: number; isTipKnown: boolean },
): Behind => {
  if (!snapshot) return UNKNOWN
  const ageMs = Math.max(0, nowMs - snapshot.timeMs)
  const heights = Math.max(0, snapshot.tip - snapshot.height)
  if (isDemoSnapshot(snapshot)) return { heights, seconds: heights === 0 ? 0 : null }
  if (!isTipKnown) return UNKNOWN
  return { heights, seconds: heights === 0 ? 0 : ageMs / 1_000 }
}

const isFarBehind = ({ heights }: Behind): boolean =>
  heights !== null && heights > FOLLOWING_HEIGHTS

export const isFollowing = (behind: Behind): boolean =>
  behind.heights !== null && !isFarBehind(behind)

/** For operators: nothing while the service follows the chain. */
export const describeLag = (
  { height }: Pick<Snapshot, 'height'>,
  { behind, silentSinceMs }: { behind: Behind; silentSinceMs: number | null },
): string[] => {
  const served = `served height ${height}`
  if (silentSinceMs !== null) return [`${served}: no new block since ${formatTime(silentSinceMs)}`]
  return isFollowing(behind) ? [] : [`${served}: ${behind.heights} heights behind the chain`]
}

/** `heights` behind the tip come first, then the votes that ended before the first indexed height. */
export type CatchUp = {
  of: 'heights' | 'history'
  done: number
  total: number
  /** Null until the rate is known, and without progress. */
  secondsLeft: number | null
}

const WINDOW_MS = 30_000
const SAMPLE_MS = 500
/** A shorter time says nothing about the rate. */
const SHORTEST_MS = 2_000

type Work = Pick<CatchUp, 'of' | 'done' | 'total'>
type Sample = { atMs: number; left: number }

const findWork = ({
  height,
  tip,
  history,
}: Pick<Snapshot, 'height' | 'tip' | 'history'>): Work | undefined => {
  if (isFarBehind({ heights: tip - height, seconds: null })) {
    return { of: 'heights', done: height, total: tip }
  }
  if (!history) return undefined
  // What no endpoint can show is not to come.
  const total = history.total - history.unreachable
  return history.done < total ? { of: 'history', done: history.done, total } : undefined
}

const createCatchUpMeter = (now: () => number) => {
  let work: Work | undefined
  let samples: Sample[] = []
  return {
    observe: (snapshot: Parameters<typeof findWork>[0]): void => {
      const found = findWork(snapshot)
      if (found?.of !== work?.of) samples = []
      work = found
      const atMs = now()
      if (!found || atMs - (samples.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) < SAMPLE_MS) return
      const recent = samples.filter((each) => atMs - each.atMs <= WINDOW_MS)
      samples = [...recent, { atMs, left: found.total - found.done }]
    },
    /** Null if nothing is to come. */
    read: (): CatchUp | null => {
      if (!work) return null
      const left = work.total - work.done
      const [first] = samples
      const elapsedMs = first ? now() - first.atMs : 0
      const gained = first ? first.left - left : 0
      const isKnown = elapsedMs >= SHORTEST_MS && gained > 0
      return { ...work, secondsLeft: isKnown ? (left * elapsedMs) / gained / 1_000 : null }
    },
  }
}

/** A writer without progress for this time counts as stuck. */
const STUCK_MS = 30_000
/** How many times the longest recent block interval a chain may take for a block. */
const INTERVALS = 3
const KEPT_INTERVALS = 50
/** So few intervals say nothing about the next one. */
const MIN_INTERVALS = 10
/** How long the last tip counts as that of the chain, without a new height. */
const TIP_VALID_MS = { least: 10_000, most: 120_000 }

type Observed = { height: number; tip: number; timeMs: number }

/** How long a chain of these blocks may be silent. */
const createSilenceLimit = () => {
  const intervals: number[] = []
  return {
    add: (intervalMs: number) => {
      intervals.push(intervalMs)
      if (intervals.length > KEPT_INTERVALS) intervals.shift()
    },
    readMs: (): number => {
      const { least, most } = TIP_VALID_MS
      if (intervals.length < MIN_INTERVALS) return most
      return Math.min(most, Math.max(least, INTERVALS * Math.max(...intervals)))
    },
  }
}

/** How long known heights wait until they are served, and whether the tip is known. */
export function createTipClock(now: () => number) {
  const waiting = createWaiting(0)
  const silence = createSilenceLimit()
  let last: Observed | undefined
  let movedMs = Number.NEGATIVE_INFINITY
  /** When the tip was that of the chain. */
  let confirmedMs = Number.NEGATIVE_INFINITY

  const confirm = (snapshot: Observed): void => {
    const isNew = !last || snapshot.height !== last.height || snapshot.tip !== last.tip
    if (!isNew) return
    // What the process finds at its start may be old.
    confirmedMs = last || snapshot.height < snapshot.tip ? now() : Math.min(now(), snapshot.timeMs)
    const heights = last ? snapshot.height - last.height : 0
    if (last && heights > 0) {
      // The demo chain has recorded times, and its own pace.
      const elapsedMs = Math.max(snapshot.timeMs - last.timeMs, now() - movedMs)
      silence.add(elapsedMs / heights)
    }
  }
  return {
    observe: (snapshot: Observed): void => {
      confirm(snapshot)
      if (snapshot.height !== last?.height) movedMs = now()
      last = snapshot
      waiting.notice(snapshot.tip, now())
      waiting.release(snapshot.height)
    },
    read: () => {
      // A height that waits was reported; it is served late if its writer is slow.
      const isBehind = last !== undefined && last.height < last.tip
      const validMs = isBehind ? TIP_VALID_MS.most : silence.readMs()
      return {
        /** The age of the oldest known height that is not served. */
        waitedMs: now() - (waiting.sinceMs() ?? now()),
        /** The served height increases. */
        isMoving: now() - movedMs < STUCK_MS,
        /** The last tip counts as that of the chain. Without new heights the chain may have halted, or have any number of them. */
        isTipKnown: now() - confirmedMs <= validMs,
      }
    },
  }
}

export type Freshness = {
  /** Age of the oldest known height that is not served yet; null if no height is known. */
  seconds: number | null
  /** The served height has increased recently. */
  isMoving: boolean
  /** The store responds and the projections write to it. */
  isReachable: boolean
  behind: Behind
  /** What is still to come of the past. Null if nothing is, and while the tip is not known. */
  catchUp: CatchUp | null
  /** Block time of the last block, if no new one comes. */
  silentSinceMs: number | null
}

/** After this time without a read, the state counts as unreachable. */
const STALE_MS = 10_000

export function createFreshnessMeter(now: () => number) {
  const tipClock = createTipClock(now)
  const catchUpMeter = createCatchUpMeter(now)
  return {
    observe: (snapshot: Snapshot): void => {
      tipClock.observe(snapshot)
      catchUpMeter.observe(snapshot)
    },
    /** New heights are unknown while the store or the projections do not respond, so this time counts as waiting. */
    read: (snapshot: Snapshot | undefined, readAtMs: number): Freshness => {
      const nowMs = now()
      const { waitedMs, isMoving, isTipKnown } = tipClock.read()
      const behind = computeBehind(snapshot, { nowMs, isTipKnown })
      const silentSinceMs = snapshot === undefined || isTipKnown ? null : snapshot.timeMs
      const catchUp = behind.heights === null ? null : catchUpMeter.read()
      const known = { behind, catchUp, silentSinceMs }
      if (!snapshot) return { seconds: null, isMoving: false, isReachable: false, ...known }
      const silentMs = nowMs - Math.min(readAtMs, snapshot.writtenAtMs)
      const isReachable = silentMs < STALE_MS
      const inLogMs = snapshot.waitingSinceMs === null ? 0 : nowMs - snapshot.waitingSinceMs
      const longestMs = Math.max(waitedMs, inLogMs, isReachable ? 0 : silentMs, 0)
      return { seconds: longestMs / 1_000, isMoving, isReachable, ...known }
    },
  }
}
