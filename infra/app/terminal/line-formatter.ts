// Formats log lines for the stream that shows them: colored text on a terminal, JSON in a file or a pipe.
import { toSafeText } from './terminal.ts'

export type LineFormatter = (line: string) => string

const toSafeValue = (_: string, value: unknown) =>
  typeof value === 'string' ? toSafeText(value) : value

const parseLine = (line: string): object | undefined => {
  try {
    return JSON.parse(line, toSafeValue) as object
  } catch {
    return undefined
  }
}

/** Texts of others cannot control a terminal, also in lines that are no JSON. Only a terminal loads the library. */
export const loadLineFormatter = async (stream: {
  isTTY?: boolean
  hasColors?(): boolean
}): Promise<LineFormatter> => {
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
