// Reads an exported log line by line and verifies that it is complete: reports where it was truncated or altered.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { LogEntry } from '../../../base/log/event-log.ts'
import { abortedError } from '../../../base/runtime/abort.ts'
import { AppError } from '../../../base/runtime/errors.ts'
import { EXPORT_FORMAT, type ExportHeader, type ExportTrailer, readLine } from './export-lines.ts'
import { createRunningSum } from './running-sum.ts'

export type ReadExportOptions = {
  file: string
  signal: AbortSignal
  /** Called with the number of read bytes of the file. */
  onBytes(bytes: number): void
}

/** First the header, then every record. Ends only if the whole file is valid. */
export type ExportPart =
  | { kind: 'header'; header: ExportHeader }
  | { kind: 'record'; entry: LogEntry; event: Readonly<Record<string, unknown>> | undefined }

/** Far longer than any event. The limit protects the memory from any file. */
const MAX_LINE_BYTES = 256 * 2 ** 20
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])
const LINE_BREAK = 0x0a

const damaged = (file: string, detail: string): AppError =>
  new AppError('EXPORT_DAMAGED', `${file} ${detail}`, { expose: true })

const isGzip = async (file: string): Promise<boolean> => {
  const handle = await open(file, 'r')
  try {
    const { buffer } = await handle.read(Buffer.alloc(2), 0, 2, 0)
    return buffer.equals(GZIP_MAGIC)
  } finally {
    await handle.close()
  }
}

const openBytes = async (file: string): Promise<{ bytes: Readable; bytesRead(): number }> => {
  const compressed = await isGzip(file)
  const source = createReadStream(file, { highWaterMark: 256 * 2 ** 10 })
  // The reader of the last stream receives the error.
  const bytes = compressed ? pipeline(source, createGunzip(), () => {}) : source
  return { bytes, bytesRead: () => source.bytesRead }
}

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

const counted = (value: number): string => value.toLocaleString('en-US')

/** The position in the file, for error messages. */
const createReadPosition = (file: string) => {
  let line = 0
  let height: number | undefined
  const after = () =>
    height === undefined
      ? `after line ${counted(line)}`
      : `after line ${counted(line)} (height ${height})`
  return {
    line: () => line,
    next: () => {
      line++
    },
    at: (recordHeight: number) => {
      height = recordHeight
    },
    cutOff: () => damaged(file, `is cut off ${after()}`),
    altered: (detail: string) => damaged(file, `was altered at line ${counted(line)}: ${detail}`),
    broken: (detail: string) => damaged(file, `cannot be read ${after()}: ${detail}`),
  }
}

const isTruncation = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException).code === 'Z_BUF_ERROR'

const isCompression = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException).code).startsWith('Z_')

/** The first lines with a checksum that differs from the trailer. */
const describeAlteredLines = (
  trailer: ExportTrailer,
  segments: readonly string[],
  lines: number,
) => {
  const first = segments.findIndex((sum, at) => sum !== trailer.segments[at])
  if (first === -1) return `at its last line`
  const from = first * trailer.segmentLines + 1
  const to = Math.min(lines, from + trailer.segmentLines - 1)
  return `between line ${counted(from)} and line ${counted(to)}`
}

const checkWhole = (
  file: string,
  trailer: ExportTrailer,
  found: { records: number; sum: { sha256: string; segments: string[] } },
): void => {
  const { records, sum } = found
  if (sum.sha256 === trailer.sha256 && records === trailer.records) return
  const where = describeAlteredLines(trailer, sum.segments, records + 1)
  throw damaged(file, `was altered ${where}: its checksum differs from the one in its last line`)
}

const checkHeader = (file: string, header: ExportHeader): void => {
  if (header.format === EXPORT_FORMAT) return
  throw damaged(
    file,
    `has format ${header.format}, written by Rollcall ${header.version}; this one reads format ${EXPORT_FORMAT}`,
  )
}

/** Throws `EXPORT_DAMAGED` with the position. Only at the end is it known that the earlier parts are valid. */
export async function* readExport(options: ReadExportOptions): AsyncGenerator<ExportPart> {
  const { file, signal } = options
  const position = createReadPosition(file)
  const sum = createRunningSum()
  let trailer: ExportTrailer | undefined
  let records = 0
  const { bytes, bytesRead } = await openBytes(file)
  try {
    for await (const { line, isWhole } of splitLines(bytes)) {
      if (signal.aborted) throw abortedError(signal)
      if (!isWhole) throw position.cutOff()
      position.next()
      options.onBytes(bytesRead())
      const read = readLine(line)
      if (trailer) throw position.altered('it has lines after its trailer')
      if (position.line() === 1 && read.kind !== 'header') {
        throw damaged(file, 'is not an exported log: its first line is not a header')
      }
      if (read.kind === 'garbled') throw position.altered(read.reason)
      if (read.kind === 'trailer') {
        trailer = read.trailer
        continue
      }
      sum.add(line)
      if (read.kind === 'header') {
        if (position.line() > 1) throw position.altered('a second header')
        checkHeader(file, read.header)
      } else {
        records++
        position.at(read.entry.height)
      }
      yield read
    }
  } catch (error) {
    if (isTruncation(error)) throw position.cutOff()
    if (isCompression(error)) throw position.broken('its compressed bytes were altered')
    if (error instanceof RangeError) throw position.broken(error.message)
    throw error
  } finally {
    bytes.destroy()
  }
  if (!trailer) throw position.cutOff()
  checkWhole(file, trailer, { records, sum: sum.finish() })
}
