// Progress, rate and remaining time of long work, from samples, and the line of a command that shows them.
import { createTerminal } from './terminal.ts'

export type Sample = { atMs: number; done: number; total: number }

export type Progress = {
  done: number
  total: number
  /** 0 to 1, of the work that was left at the first sample. */
  fraction: number
  /** Undefined until two samples are far enough apart. */
  perSecond: number | undefined
  secondsLeft: number | undefined
}

const WINDOW_MS = 15_000
const SHORTEST_SPAN_MS = 500

export function createProgressMeter(): { add(sample: Sample): Progress } {
  let first: Sample | undefined
  let recent: Sample[] = []
  return {
    add: (sample) => {
      first ??= sample
      recent = [...recent.filter(({ atMs }) => sample.atMs - atMs <= WINDOW_MS), sample]
      const oldest = recent[0] ?? sample
      const spanMs = sample.atMs - oldest.atMs
      const rate =
        spanMs < SHORTEST_SPAN_MS ? undefined : ((sample.done - oldest.done) / spanMs) * 1000
      const left = Math.max(0, sample.total - sample.done)
      const all = sample.total - first.done
      return {
        done: sample.done,
        total: sample.total,
        fraction: all <= 0 ? 1 : Math.min(1, (sample.done - first.done) / all),
        perSecond: rate,
        secondsLeft: rate === undefined || rate <= 0 ? undefined : left / rate,
      }
    },
  }
}

export function grouped(value: number): string {
  return value.toLocaleString('en-US', { maximumFractionDigits: 0 })
}

export function durationText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  const hours = seconds / 3600
  return hours < 90 ? `${hours.toFixed(1)} h` : `${grouped(hours / 24)} days`
}

/** One line of text: `backfill: height 12,345 of 200,000 (6.2 %), 215 heights/s, 14 min left`. */
export function progressText(progress: Progress, what: string, unit: string): string {
  const { perSecond: rate, secondsLeft } = progress
  const parts = [
    `${what} ${grouped(progress.done)} of ${grouped(progress.total)} (${(progress.fraction * 100).toFixed(1)} %)`,
    rate === undefined ? 'measuring' : `${grouped(rate)} ${unit}/s`,
    ...(secondsLeft === undefined ? [] : [`${durationText(secondsLeft)} left`]),
  ]
  return parts.join(', ')
}

const EVERY_MS = 200

/** On standard error, and on a terminal alone. It redraws a few times a second, however often it is called. */
export function createProgressLine(stderr: NodeJS.WriteStream, what: string, unit: string) {
  const terminal = createTerminal(stderr, stderr)
  const meter = createProgressMeter()
  let shownMs = Number.NEGATIVE_INFINITY
  return {
    show: (done: number, total: number): void => {
      const atMs = performance.now()
      if (atMs - shownMs < EVERY_MS) return
      shownMs = atMs
      terminal.progress(progressText(meter.add({ atMs, done, total }), what, unit))
    },
    end: () => terminal.progress(''),
  }
}
