// The lines of a log, their one writer and their one reader. An export is a header, each record unchanged or wrapped if it is
// undecodable, and a trailer with the checksum of all.
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { PassThrough, pipeline, type Readable, type Writable } from 'node:stream'
import { pipeline as finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { toEpochMs } from '../../../../ingest/chain/time.ts'
import type { LogEntry } from '../../../base/log/event-log.ts'
import { abortedError, unlessAborted } from '../../../base/runtime/abort.ts'
import { AppError } from '../../../base/runtime/errors.ts'

const FORMAT = 1

const Header = Type.Object({
  rollcall: Type.Literal('export'),
  format: Type.Integer(),
  version: Type.String(),
  chainId: Type.String({ minLength: 1 }),
})

/** A record with bytes that are not an event, or have another height or time than the record. */
const Wrapped = Type.Object({
  rollcall: Type.Literal('record'),
  height: Type.Number(),
  timeMs: Type.Number(),
  reason: Type.String(),
  base64: Type.String(),
})

/** The checksum covers every line before it, including line breaks. */
const Trailer = Type.Object({
  rollcall: Type.Literal('end'),
  /** Lines between the first and the last. */
  records: Type.Integer({ minimum: 0 }),
  wrapped: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})

const OwnLine = Type.Union([Header, Wrapped, Trailer])
const ownLineCheck = Compile(OwnLine)

type Header = Type.Static<typeof Header>
type Trailer = Type.Static<typeof Trailer>
type Json = Readonly<Record<string, unknown>>

/** `event` is the parsed value if the line is the event itself. */
export type RecordLine = { entry: LogEntry; event: Json | undefined }

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

const readTime = ({ time }: Json): number =>
  typeof time === 'string' ? toEpochMs(time) : Number.NaN

const LINE_BREAK = 0x0a
const CARRIAGE_RETURN = 0x0d
const BREAK = Uint8Array.of(LINE_BREAK)

const jsonLine = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

/** Why these bytes need a wrapper; undefined if they do not. */
const findWrapReason = ({ height, timeMs, value }: LogEntry): string | undefined => {
  if (value.includes(LINE_BREAK) || value.includes(CARRIAGE_RETURN)) return 'more than one line'
  const event = parse(value)
  if (typeof event === 'string') return event
  if (Object.hasOwn(event, 'rollcall')) return 'no event'
  if (event['height'] !== height) return 'has another height than its record'
  return readTime(event) === timeMs ? undefined : 'has another time than its record'
}

export function encodeLine(entry: LogEntry): { line: Uint8Array; reason: string | undefined } {
  const reason = findWrapReason(entry)
  if (reason === undefined) return { line: entry.value, reason }
  const { height, timeMs, value } = entry
  const base64 = Buffer.from(value).toString('base64')
  return { line: jsonLine({ rollcall: 'record', height, timeMs, reason, base64 }), reason }
}

/** A text is the reason why the line is none of an export. */
export function readLine(bytes: Uint8Array): RecordLine | Header | Trailer | string {
  const value = parse(bytes)
  if (typeof value === 'string') return value
  if (!Object.hasOwn(value, 'rollcall')) {
    const { height } = value
    const timeMs = readTime(value)
    return typeof height !== 'number' || Number.isNaN(timeMs)
      ? 'an event without height or time'
      : { entry: { height, timeMs, value: bytes }, event: value }
  }
  if (!ownLineCheck.Check(value)) return 'neither event nor record'
  const line = value as Type.Static<typeof OwnLine>
  if (line.rollcall !== 'record') return line
  const { height, timeMs, base64 } = line
  return { entry: { height, timeMs, value: Buffer.from(base64, 'base64') }, event: undefined }
}

/** Writes records as lines. `header` and `trailer` make them an export. */
export function createLineWriter() {
  const hash = createHash('sha256')
  const written = { records: 0, wrapped: 0, bytes: 0 }
  let waiting: Uint8Array[] = []
  const put = (line: Uint8Array): void => {
    hash.update(line).update(BREAK)
    written.bytes += line.byteLength + 1
    waiting.push(line, BREAK)
  }
  return {
    written,
    header: (header: { version: string; chainId: string }) =>
      put(jsonLine({ rollcall: 'export', format: FORMAT, ...header })),
    record: (entry: LogEntry): void => {
      const { line, reason } = encodeLine(entry)
      put(line)
      written.records++
      if (reason !== undefined) written.wrapped++
    },
    /** Returns the checksum. */
    trailer: (): string => {
      const sha256 = hash.copy().digest('hex')
      const { records, wrapped } = written
      put(jsonLine({ rollcall: 'end', records, wrapped, sha256 }))
      return sha256
    },
    /** What was written since the last call. */
    take: (): Buffer => {
      const all = Buffer.concat(waiting)
      waiting = []
      return all
    },
  }
}

/** Writes all chunks. False if the reader of the output has closed it before the end. */
export type Output = (chunks: AsyncIterable<Uint8Array>) => Promise<boolean>

const CLOSED = ['EPIPE', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_PREMATURE_CLOSE']

/** The stream stays open. */
export const writeTo =
  (stream: Writable, signal: AbortSignal): Output =>
  async (chunks) => {
    try {
      // A reader that stalls would hold up the end.
      await unlessAborted(finished(chunks, stream, { end: false, signal }), signal)
      return true
    } catch (error) {
      if (signal.aborted) throw abortedError(signal)
      if (CLOSED.includes(String((error as NodeJS.ErrnoException).code))) return false
      throw error
    }
  }

/**
 * Writes a file under a temporary name; it replaces one of that name once it is complete and on disk. A failure removes it. Compressed
 * if the name ends with `.gz`.
 */
export const writeLargeFile =
  (path: string, signal: AbortSignal): Output =>
  async (chunks) => {
    const temporaryPath = `${path}.${process.pid}.partial`
    const compressed = path.endsWith('.gz') ? createGzip() : new PassThrough()
    const file = createWriteStream(temporaryPath, { flush: true })
    try {
      await finished(chunks, compressed, file, { signal })
      await rename(temporaryPath, path)
      return true
    } catch (error) {
      await rm(temporaryPath, { force: true })
      throw signal.aborted ? abortedError(signal) : error
    }
  }

/** Far longer than any event. The limit protects the memory from any file. */
const MAX_LINE_BYTES = 256 * 2 ** 20

/** Lines without their line break, and the rest after the last line break. */
async function* splitLines(bytes: Readable): AsyncGenerator<{ line: Buffer; isWhole: boolean }> {
  let parts: Buffer[] = []
  let size = 0
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    let start = 0
    for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, start)) {
      yield { line: Buffer.concat([...parts, chunk.subarray(start, at)]), isWhole: true }
      parts = []
      size = 0
      start = at + 1
    }
    parts.push(chunk.subarray(start))
    size += chunk.length - start
    if (size > MAX_LINE_BYTES) throw new RangeError(`a line has more than ${MAX_LINE_BYTES} bytes`)
  }
  if (size > 0) yield { line: Buffer.concat(parts), isWhole: false }
}

export type ReadExportOptions = {
  file: string
  signal: AbortSignal
  /** Called with the number of read bytes of the file. */
  onBytes(bytes: number): void
}

/**
 * Every record, with the chain of the header. A file whose name ends with `.gz` is compressed. Throws `EXPORT_DAMAGED` with the position. Only at the end is it known that the earlier
 * parts are valid.
 */
export async function* readExport({
  file,
  signal,
  onBytes,
}: ReadExportOptions): AsyncGenerator<RecordLine & { chainId: string }> {
  const hash = createHash('sha256')
  let chainId = ''
  let trailer: Trailer | undefined
  let lines = 0
  let after = ''
  const damaged = (detail: string): AppError =>
    new AppError('EXPORT_DAMAGED', `${file} ${detail}`, { expose: true })
  const cutOff = () => damaged(`is cut off after line ${lines}${after}`)
  const altered = (detail: string) => damaged(`was altered at line ${lines}: ${detail}`)

  const checkHeader = (read: ReturnType<typeof readLine>): string => {
    if (typeof read === 'string' || 'entry' in read || read.rollcall !== 'export') {
      throw damaged('is not an exported log: its first line is not a header')
    }
    const { format, version } = read
    if (format === FORMAT) return read.chainId
    const other = `has format ${format}, written by Rollcall ${version}`
    throw damaged(`${other}; this one reads format ${FORMAT}`)
  }
  const source = createReadStream(file, { highWaterMark: 256 * 2 ** 10 })
  // The reader of the last stream receives the error.
  const bytes = file.endsWith('.gz') ? pipeline(source, createGunzip(), () => {}) : source
  try {
    for await (const { line, isWhole } of splitLines(bytes)) {
      if (signal.aborted) throw abortedError(signal)
      if (!isWhole) throw cutOff()
      lines++
      onBytes(source.bytesRead)
      if (trailer) throw altered('it has lines after its trailer')
      const read = readLine(line)
      if (lines === 1) chainId = checkHeader(read)
      else if (typeof read === 'string') throw altered(read)
      else if (!('entry' in read)) {
        if (read.rollcall === 'export') throw altered('a second header')
        trailer = read
        continue
      }
      hash.update(line).update(BREAK)
      if (typeof read === 'string' || !('entry' in read)) continue
      after = ` (height ${read.entry.height})`
      yield { ...read, chainId }
    }
  } catch (error) {
    const code = String((error as NodeJS.ErrnoException).code)
    if (code === 'Z_BUF_ERROR') throw cutOff()
    const where = `cannot be read after line ${lines}${after}`
    if (code.startsWith('Z_')) throw damaged(`${where}: its compressed bytes were altered`)
    if (error instanceof RangeError) throw damaged(`${where}: ${error.message}`)
    throw error
  } finally {
    bytes.destroy()
  }
  if (!trailer) throw cutOff()
  // Every line but the first and the last is a record.
  if (hash.digest('hex') === trailer.sha256 && lines - 2 === trailer.records) return
  throw damaged('was altered: its checksum differs from the one in its last line')
}
