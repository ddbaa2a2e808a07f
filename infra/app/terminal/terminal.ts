// Output of commands: lines on standard output, log lines on standard error, and a progress line on a terminal.

type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number }

export type Terminal = {
  /** A permanent line. */
  print(text: string): void
  /** A line of a log. */
  log(line: string): void
  /** Rewrites one line on a terminal, else prints a new line. */
  progress(text: string): void
  /** Clears the rewritten line. */
  clearProgress(): void
  rewrites: boolean
}

const CLEAR_LINE = '\r\u001b[2K'

export const createTerminal = (stdout: Output, stderr: Output): Terminal => {
  const rewrites = stdout.isTTY === true
  let shown = ''
  const around = (write: () => unknown): void => {
    if (shown) stdout.write(CLEAR_LINE)
    write()
    if (shown) stdout.write(shown)
  }
  return {
    rewrites,
    print: (text) => around(() => stdout.write(`${text}\n`)),
    log: (line) => around(() => stderr.write(`${line}\n`)),
    progress: (text) => {
      if (!rewrites) return void stdout.write(`${text}\n`)
      // A line longer than the terminal is wide cannot be rewritten.
      shown = text.slice(0, Math.max(10, (stdout.columns || 80) - 1))
      stdout.write(CLEAR_LINE + shown)
    },
    clearProgress: () => {
      if (shown) stdout.write(CLEAR_LINE)
      shown = ''
    },
  }
}
