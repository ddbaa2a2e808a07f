// Formats log lines for the stream that shows them: colored text on a terminal, JSON in a file or a pipe.

export type LineFormatter = (line: string) => string

/** Lines that are no JSON stay unchanged. Only a terminal loads the library. */
export const loadLineFormatter = async ({ isTTY }: { isTTY?: boolean }): Promise<LineFormatter> => {
  if (isTTY !== true) return (line) => line
  const { prettyFactory } = await import('pino-pretty')
  const format = prettyFactory({
    colorize: true,
    ignore: 'pid,hostname,service',
    messageFormat: '{service}: {msg}',
    singleLine: true,
    translateTime: 'HH:MM:ss',
  })
  return (line) => (line.startsWith('{') ? format(line).trimEnd() : line)
}
