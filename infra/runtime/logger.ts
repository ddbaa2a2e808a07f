// Structured logs: one JSON object per line on standard output, or colored text. Never logs tokens or bodies.
import { pino } from 'pino'
import pretty from 'pino-pretty'

export type Logger = pino.Logger

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

export type LoggerOptions = {
  service: string
  level: LogLevel
  pretty?: boolean
  /** By default standard output. */
  destination?: pino.DestinationStream
}

const SECRET_FIELDS = ['password', 'token', 'authorization', 'access_token', 'claim_token']

const READABLE = {
  ignore: 'pid,hostname,service',
  messageFormat: '{service}: {msg}',
  singleLine: true,
  translateTime: 'HH:MM:ss',
}

/** Formats a JSON line as readable text; other lines stay unchanged. */
export const createLineFormatter = (): ((line: string) => string) => {
  const format = pretty.prettyFactory({ ...READABLE, colorize: true })
  return (line) => (line.startsWith('{') ? format(line).trimEnd() : line)
}

export const createLogger = (options: LoggerOptions): Logger => {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.errWithCause, err: pino.stdSerializers.errWithCause },
    redact: { paths: [...SECRET_FIELDS, ...SECRET_FIELDS.map((name) => `*.${name}`)] },
  }
  if (options.destination) return pino(settings, options.destination)
  // Synchronous: the last line before an exit must not be lost.
  if (!options.pretty) return pino(settings, pino.destination({ dest: 1, sync: true }))
  return pino(settings, pretty({ sync: true, ...READABLE }))
}
