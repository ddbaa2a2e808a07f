// Structured logs: one JSON object per line. Never logs tokens or bodies.
import { pino } from 'pino'

export type Logger = pino.Logger

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
type LogLevel = (typeof LOG_LEVELS)[number]

export type LoggerOptions = {
  service: string
  level: LogLevel
  /** By default standard output. */
  destination?: pino.DestinationStream
}

const SECRET_FIELDS = ['password', 'token', 'authorization', 'access_token', 'claim_token']

export const createLogger = (options: LoggerOptions): Logger => {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { error: pino.stdSerializers.errWithCause, err: pino.stdSerializers.errWithCause },
    redact: { paths: [...SECRET_FIELDS, ...SECRET_FIELDS.map((name) => `*.${name}`)] },
  }
  // Synchronous: the last line before an exit must not be lost.
  return pino(settings, options.destination ?? pino.destination({ dest: 1, sync: true }))
}
