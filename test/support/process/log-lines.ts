// Loggers for tests: a silent one, and one that records its lines.
import { createLogger, type Logger } from '../../../infra/base/runtime/logger.ts'

export const silentLogger = (): Logger => createLogger({ service: 'test', level: 'silent' })

export type LogLine = { level: string; msg: string } & Record<string, unknown>

export const recordingLogger = (): { logger: Logger; lines: LogLine[] } => {
  const lines: LogLine[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) }
  return { logger: createLogger({ service: 'test', level: 'debug', destination }), lines }
}
