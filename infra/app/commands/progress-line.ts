// The progress line of a command, only on a terminal and on standard error.
import { createProgressMeter, progressText } from '../terminal/progress.ts'
import { createTerminal } from '../terminal/terminal.ts'

export type ProgressLine = {
  /** Redraws a few times a second, however often it is called. */
  show(done: number, total: number): void
  /** Clears the line. */
  end(): void
}

const EVERY_MS = 200

/** `what` is the label, `unit` the plural: `checked: height`, `heights`. */
export const createProgressLine = (
  stderr: NodeJS.WriteStream,
  counted: { what: string; unit: string },
): ProgressLine => {
  const terminal = createTerminal(stderr, stderr)
  const meter = createProgressMeter()
  let shownMs = Number.NEGATIVE_INFINITY
  return {
    show: (done, total) => {
      const atMs = performance.now()
      if (!terminal.rewrites || atMs - shownMs < EVERY_MS) return
      shownMs = atMs
      terminal.progress(progressText(meter.add({ atMs, done, total }), counted))
    },
    end: () => terminal.clearProgress(),
  }
}
