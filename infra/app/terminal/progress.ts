// Progress, rate and remaining time of long work, from samples, and the line of a command that shows them.
import { createTerminal, type Terminal } from './terminal.ts'

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

export const grouped = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 0 })

export const durationText = (seconds: number): string => {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`
  const hours = seconds / 3600
  return hours < 90 ? `${hours.toFixed(1)} h` : `${grouped(hours / 24)} days`
}

/** Label and unit: `backfill: height`, `heights`. */
export type Counted = { what: string; unit: string }

/** One line of text: `backfill: height 12,345 of 200,000 (6.2 %), 215 heights/s, 14 min left`. */
export const progressText = (progress: Progress, { what, unit }: Counted): string => {
  const { perSecond: rate, secondsLeft } = progress
  const parts = [
    `${what} ${grouped(progress.done)} of ${grouped(progress.total)} (${(progress.fraction * 100).toFixed(1)} %)`,
    rate === undefined ? 'measuring' : `${grouped(rate)} ${unit}/s`,
    ...(secondsLeft === undefined ? [] : [`${durationText(secondsLeft)} left`]),
  ]
  return parts.join(', ')
}

const BAR_CELLS = 20

/** `[########............]` */
export const barText = ({ fraction }: Pick<Progress, 'fraction'>): string => {
  const full = Math.floor(Math.min(1, Math.max(0, fraction)) * BAR_CELLS)
  return `[${'#'.repeat(full)}${'.'.repeat(BAR_CELLS - full)}]`
}

const STAGE_COLUMN = 12

/** Short enough for a terminal of 80 columns: `12,345 of 200,000, 215/s, 14 min left`. */
const stageText = ({ done, total, perSecond: rate, secondsLeft }: Progress): string =>
  [
    `${grouped(done)} of ${grouped(total)}`,
    ...(rate === undefined ? [] : [`${grouped(rate)}/s`]),
    ...(secondsLeft === undefined ? [] : [`${durationText(secondsLeft)} left`]),
  ].join(', ')

/** One stage of a start on a terminal: a line that is rewritten, and stays once the stage has ended. Elsewhere it prints nothing. */
export type Stage = {
  /** `text` replaces the count, the rate and the time left. */
  show(done: number, total: number, text?: string): void
  /** With what it has done. */
  end(text: string): void
}

export function createStage(
  terminal: Pick<Terminal, 'rewrites' | 'progress' | 'clearProgress' | 'print'>,
  what: string,
  now: () => number = () => performance.now(),
): Stage {
  const meter = createProgressMeter()
  const startedMs = now()
  const line = (fraction: number, text: string) =>
    `${what.padEnd(STAGE_COLUMN)}${barText({ fraction })} ${text}`
  return {
    show: (done, total, text) => {
      if (!terminal.rewrites) return
      const progress = meter.add({ atMs: now(), done, total })
      terminal.progress(line(progress.fraction, text ?? stageText(progress)))
    },
    end: (text) => {
      if (!terminal.rewrites) return
      terminal.clearProgress()
      terminal.print(line(1, `${text} in ${durationText((now() - startedMs) / 1000)}`))
    },
  }
}

export type ProgressLine = {
  /** Redraws a few times a second, however often it is called. */
  show(done: number, total: number): void
  /** Clears the line. */
  end(): void
}

const EVERY_MS = 200

/** On a terminal alone, and on standard error. */
export function createProgressLine(
  stderr: NodeJS.WriteStream,
  what: string,
  unit: string,
): ProgressLine {
  const terminal = createTerminal(stderr, stderr)
  const meter = createProgressMeter()
  let shownMs = Number.NEGATIVE_INFINITY
  return {
    show: (done, total) => {
      const atMs = performance.now()
      if (!terminal.rewrites || atMs - shownMs < EVERY_MS) return
      shownMs = atMs
      terminal.progress(progressText(meter.add({ atMs, done, total }), { what, unit }))
    },
    end: () => terminal.clearProgress(),
  }
}
