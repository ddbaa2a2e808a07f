// How far a backfill is, how fast it goes and how long it will take, from samples of what the API serves. Pure.

export type Sample = { atMs: number; height: number; tip: number }

export type Progress = {
  height: number
  tip: number
  /** 0 to 1, of the heights between the first one seen and the tip. */
  fraction: number
  /** Undefined until two samples are far enough apart. */
  heightsPerSecond: number | undefined
  secondsLeft: number | undefined
}

export type ProgressMeter = { add(sample: Sample): Progress }

const WINDOW_MS = 15_000
const SHORTEST_SPAN_MS = 500

export const createProgressMeter = (): ProgressMeter => {
  let first: Sample | undefined
  let recent: Sample[] = []
  return {
    add: (sample) => {
      first ??= sample
      recent = [...recent.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample]
      const oldest = recent[0] ?? sample
      const spanMs = sample.atMs - oldest.atMs
      const rate =
        spanMs < SHORTEST_SPAN_MS ? undefined : ((sample.height - oldest.height) / spanMs) * 1000
      const left = Math.max(0, sample.tip - sample.height)
      const all = sample.tip - first.height
      return {
        height: sample.height,
        tip: sample.tip,
        fraction: all <= 0 ? 1 : Math.min(1, (sample.height - first.height) / all),
        heightsPerSecond: rate,
        secondsLeft: rate === undefined || rate <= 0 ? undefined : left / rate,
      }
    },
  }
}

const grouped = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 0 })

const durationText = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  return `${(seconds / 3600).toFixed(1)} h`
}

/** One line for a person: `backfill: height 12,345 of 200,000 (6.2 %), 215 heights/s, 14 min left`. */
export const progressText = (progress: Progress): string => {
  const { heightsPerSecond: rate, secondsLeft } = progress
  const parts = [
    `backfill: height ${grouped(progress.height)} of ${grouped(progress.tip)} (${(progress.fraction * 100).toFixed(1)} %)`,
    rate === undefined ? 'measuring' : `${grouped(rate)} heights/s`,
    ...(secondsLeft === undefined ? [] : [`${durationText(secondsLeft)} left`]),
  ]
  return parts.join(', ')
}
