// Measures the progress and speed of ingest for display. Nothing else depends on it.
import type { Clock } from '../infra/base/runtime/clock.ts'

export type IngestProgress = {
  phase: 'backfill' | 'live'
  /** Last height in the log; 0 if the log is empty. */
  height: number
  tip: number
  heightsPerSecond: number
  /** Null when live, or without progress. */
  etaSeconds: number | null
}

const WINDOW_MS = 10_000
/** Closer to the tip than this counts as live. */
const LIVE_DISTANCE = 3

export const createProgress = (clock: Clock, startHeight: number) => {
  let height = startHeight
  let tip = startHeight
  const samples: { atMs: number; height: number }[] = []
  return {
    appended: (batch: { height: number; tip: number }) => {
      height = batch.height
      tip = Math.max(tip, batch.tip)
      samples.push({ atMs: clock.now(), height })
      while (samples.length > 2 && samples[1]!.atMs < clock.now() - WINDOW_MS) samples.shift()
    },
    /** Seen blocks may be ahead of appended ones, so only the tip changes. */
    seen: (latest: number) => {
      tip = Math.max(tip, latest)
    },
    read: (): IngestProgress => {
      const [first] = samples
      const seconds = first ? (clock.now() - first.atMs) / 1000 : 0
      const heightsPerSecond = first && seconds > 0 ? (height - first.height) / seconds : 0
      const isLive = height > 0 && tip - height <= LIVE_DISTANCE
      const left = tip - height
      return {
        phase: isLive ? 'live' : 'backfill',
        height,
        tip,
        heightsPerSecond,
        etaSeconds: isLive || heightsPerSecond === 0 ? null : left / heightsPerSecond,
      }
    },
  }
}
