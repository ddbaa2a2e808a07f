// The lines of an exported log: a header, each record unchanged or wrapped if it is undecodable, a trailer. Pure.
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { toEpochMs } from '../../../../ingest/chain/time.ts'
import type { LogEntry } from '../../../base/log/event-log.ts'

export const EXPORT_FORMAT = 1
/** Lines per segment. Each segment has a checksum, which locates an alteration. */
export const SEGMENT_LINES = 1_000

const Height = Type.Integer({ minimum: 0 })

/** The first line. `from` is the first height that the first marker covers. */
const Header = Type.Object({
  rollcall: Type.Literal('export'),
  format: Type.Integer(),
  version: Type.String(),
  chainId: Type.String({ minLength: 1 }),
  from: Height,
  to: Height,
})
export type ExportHeader = Type.Static<typeof Header>

/** Wraps a record with bytes that are not an event, or have another height or time than the record. */
const Wrapped = Type.Object({
  rollcall: Type.Literal('record'),
  height: Type.Number(),
  timeMs: Type.Number(),
  reason: Type.String(),
  base64: Type.String(),
})

/** The last line. The checksums cover every line before it, including line breaks. */
const Trailer = Type.Object({
  rollcall: Type.Literal('end'),
  /** Lines between the first and the last. */
  records: Type.Integer({ minimum: 0 }),
  wrapped: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  segmentLines: Type.Integer({ minimum: 1 }),
  /** The first 16 digits of the checksum up to the end of each segment. */
  segments: Type.Array(Type.String({ pattern: '^[0-9a-f]{16}$' })),
})
export type ExportTrailer = Type.Static<typeof Trailer>

const headerCheck = Compile(Header)
const wrappedCheck = Compile(Wrapped)
const trailerCheck = Compile(Trailer)

type Json = Readonly<Record<string, unknown>>

/** A decoded line; `event` is the parsed value if the line is the event itself. */
export type ExportLine =
  | { kind: 'header'; header: ExportHeader }
  | { kind: 'record'; entry: LogEntry; event: Json | undefined }
  | { kind: 'trailer'; trailer: ExportTrailer }
  | { kind: 'garbled'; reason: string }

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const parse = (bytes: Uint8Array): Json | string => {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes))
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Json) : 'not a JSON object'
  } catch (error) {
    return `not JSON: ${(error as Error).message}`
  }
}

const LINE_BREAKS = [0x0a, 0x0d]

/** Why these bytes need a wrapper; undefined if they do not. */
const findWrapReason = ({ height, timeMs, value }: LogEntry): string | undefined => {
  if (LINE_BREAKS.some((byte) => value.includes(byte))) return 'more than one line'
  const event = parse(value)
  if (typeof event === 'string') return event
  if (Object.hasOwn(event, 'rollcall')) return 'no event'
  if (event['height'] !== height) return 'has another height than its record'
  const { time } = event
  if (typeof time !== 'string' || toEpochMs(time) !== timeMs) {
    return 'has another time than its record'
  }
  return undefined
}

export const encodeLine = (entry: LogEntry): { line: Uint8Array; reason: string | undefined } => {
  const reason = findWrapReason(entry)
  if (reason === undefined) return { line: entry.value, reason }
  const { height, timeMs, value } = entry
  const base64 = Buffer.from(value).toString('base64')
  const wrapped = { rollcall: 'record', height, timeMs, reason, base64 }
  return { line: Buffer.from(JSON.stringify(wrapped)), reason }
}

const readEvent = (event: Json, value: Uint8Array): ExportLine => {
  const { height, time } = event
  const timeMs = typeof time === 'string' ? toEpochMs(time) : Number.NaN
  if (typeof height !== 'number' || Number.isNaN(timeMs)) {
    return { kind: 'garbled', reason: 'an event without height or time' }
  }
  return { kind: 'record', entry: { height, timeMs, value }, event }
}

export const readLine = (bytes: Uint8Array): ExportLine => {
  const value = parse(bytes)
  if (typeof value === 'string') return { kind: 'garbled', reason: value }
  if (!Object.hasOwn(value, 'rollcall')) return readEvent(value, bytes)
  if (headerCheck.Check(value)) return { kind: 'header', header: value as ExportHeader }
  if (trailerCheck.Check(value)) return { kind: 'trailer', trailer: value as ExportTrailer }
  if (!wrappedCheck.Check(value)) return { kind: 'garbled', reason: 'neither event nor record' }
  const { height, timeMs, base64 } = value as Type.Static<typeof Wrapped>
  const entry = { height, timeMs, value: Buffer.from(base64, 'base64') }
  return { kind: 'record', entry, event: undefined }
}
