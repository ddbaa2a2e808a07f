// How far the served height is behind the chain, and since when there is no new block. Pure.
import { formatTime } from '../queries/values.ts'
import { isDemoSnapshot, type Snapshot } from '../snapshot.ts'

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
export const computeBehind = (
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

/** Block time of the last block if no new one came for longer than blocks of this chain take; null otherwise. */
export const findSilence = (snapshot: Served | undefined, isTipKnown: boolean): number | null =>
  snapshot === undefined || isTipKnown ? null : snapshot.timeMs

export const isFarBehind = ({ heights }: Behind): boolean =>
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
