// Output of commands: lines on standard output, log lines on standard error, and a progress line on a terminal.

type Output = { write(text: string): unknown; isTTY?: boolean; columns?: number }

export type Terminal = {
  /** A permanent line. */
  print(text: string): void
  /** A line of a log. */
  log(line: string): void
  /** A line of a log with colors of ours. */
  logColored(line: string): void
  /** Rewrites one line, on a terminal alone. An empty text clears it. */
  progress(text: string): void
}

const CLEAR_LINE = '\r\u001b[2K'

/** Control characters, parts of characters, unassigned ones, and those that turn the direction of the text. */
const UNSAFE = /(?!\n)[\p{Cc}\p{Cs}\p{Cn}\p{Bidi_C}\u200b]/gu

const escapeUnsafe = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

/** Text of others cannot control the terminal: it is escaped as JSON does, so that JSON keeps its values. */
export function toSafeText(text: string): string {
  return text.replace(UNSAFE, escapeUnsafe)
}

export function createTerminal(stdout: Output, stderr: Output): Terminal {
  let shown = ''
  const around = (write: () => unknown): void => {
    if (shown) stdout.write(CLEAR_LINE)
    write()
    if (shown) stdout.write(shown)
  }
  const logColored = (line: string) => around(() => stderr.write(`${line}\n`))
  return {
    print: (text) => around(() => stdout.write(`${toSafeText(text)}\n`)),
    log: (line) => logColored(toSafeText(line)),
    logColored,
    progress: (text) => {
      if (stdout.isTTY !== true || (text === '' && shown === '')) return
      // A line longer than the terminal is wide cannot be rewritten.
      shown = toSafeText(text).slice(0, Math.max(10, (stdout.columns || 80) - 1))
      stdout.write(CLEAR_LINE + shown)
    },
  }
}

const toSafeValue = (_: string, value: unknown) =>
  typeof value === 'string' ? toSafeText(value) : value

const parseLine = (line: string): object | undefined => {
  try {
    return JSON.parse(line, toSafeValue) as object
  } catch {
    return undefined
  }
}

/**
 * Formats lines of a log for the stream that shows them: colored text on a terminal, JSON in a file or a pipe. Texts of others cannot
 * control the terminal. Only a terminal loads the library.
 */
export async function loadLineFormatter(stream: {
  isTTY?: boolean
  hasColors?(): boolean
}): Promise<(line: string) => string> {
  if (stream.isTTY !== true) return (line) => line
  const { prettyFactory } = await import('pino-pretty')
  const format = prettyFactory({
    // False with NO_COLOR.
    colorize: stream.hasColors?.() ?? true,
    ignore: 'pid,hostname,service',
    messageFormat: '{service}: {msg}',
    singleLine: true,
    translateTime: 'HH:MM:ss',
  })
  return (line) => {
    const parsed = line.startsWith('{') ? parseLine(line) : undefined
    return parsed ? format(parsed).trimEnd() : toSafeText(line)
  }
}
