// How far the served height is behind the chain. Pure.
import { isDemoSnapshot, type Snapshot } from '../snapshot.ts'

export type Behind = {
  /** Null while the tip is not known. */
  heights: number | null
  /** Block time. Null while the tip is not known, and on the demo chain, which has recorded times. */
  seconds: number | null
}

/** A lag of at most so many heights counts as following the chain. */
const FOLLOWING_HEIGHTS = 5
/** Without new heights, the latest known tip counts so long as that of the chain. */
const TIP_VALID_MS = 120_000

const UNKNOWN: Behind = { heights: null, seconds: null }

type Served = Pick<Snapshot, 'chainId' | 'height' | 'tip' | 'timeMs'>

/** `isMoving`: the served height has increased recently. */
export const computeBehind = (
  snapshot: Served | undefined,
  { nowMs, isMoving }: { nowMs: number; isMoving: boolean },
): Behind => {
  if (!snapshot) return UNKNOWN
  const ageMs = Math.max(0, nowMs - snapshot.timeMs)
  const heights = Math.max(0, snapshot.tip - snapshot.height)
  if (isDemoSnapshot(snapshot)) return { heights, seconds: heights === 0 ? 0 : null }
  // Ingest does not report heights: the chain may have halted, or have any number of them.
  if (heights === 0 && !isMoving && ageMs > TIP_VALID_MS) return UNKNOWN
  return { heights, seconds: heights === 0 ? 0 : ageMs / 1_000 }
}

export const isFarBehind = ({ heights }: Behind): boolean =>
  heights !== null && heights > FOLLOWING_HEIGHTS

export const isFollowing = (behind: Behind): boolean =>
  behind.heights !== null && !isFarBehind(behind)

/** For operators. */
export const describeBehind = ({ height }: Pick<Snapshot, 'height'>, behind: Behind): string =>
  behind.heights === null
    ? `served height ${height}: no new height was indexed for minutes`
    : `served height ${height}: ${behind.heights} heights behind the chain`
