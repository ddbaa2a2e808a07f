// Exports a log as lines of text, and imports them into an empty or shorter log: whole heights only, byte for byte, after comparing
// common ones. Both can be repeated.
import { decodeEvent, markerIn } from '../../../../ingest/contract/codec.ts'
import { readChainId } from '../../../../ingest/contract/envelope.ts'
import type { GovernanceEvent, Marker } from '../../../../ingest/contract/events.ts'
import { decodeMarker } from '../../../../ingest/heights/governance.ts'
import type { EventLog, LogEntry, LogRecord } from '../../../base/log/event-log.ts'
import { recordsBetween } from '../../../base/log/event-log.ts'
import type { ByteSink } from '../../../base/runtime/byte-sink.ts'
import { AppError } from '../../../base/runtime/errors.ts'
import { createLineWriter, type RecordLine, readExport } from './lines.ts'

export type ExportOptions = {
  log: EventLog
  range: { from: number | undefined; to: number | undefined }
  /** The version of Rollcall. */
  version: string
  sink: ByteSink
  signal: AbortSignal
  onProgress(height: number, range: { from: number; to: number }): void
}

export type Exported = {
  chainId: string
  /** The first height that the first marker covers, and the height of the last record. */
  from: number
  to: number
  records: number
  /** Number of wrapped records: undecodable ones. */
  wrapped: number
  /** Size of the uncompressed lines. */
  bytes: number
  sha256: string
  /** False if the reader closed the stream before the end. */
  whole: boolean
}

const MARKER: GovernanceEvent['type'] = 'rollcall.block.indexed.v1'

type Range = { from: bigint; until: bigint; first: LogRecord; toHeight: number }

/** The records of these heights. Later appends are not included. */
const findRange = async ({ log, range }: ExportOptions): Promise<Range> => {
  const { from, to } = range
  const last = await log.last()
  if (!last) throw new AppError('NOT_IN_LOG', 'the log is empty', { expose: true })
  const isOpen = to === undefined || to >= last.height
  const start = await log.offsetOfHeight(from ?? 0)
  const until = isOpen ? last.offset + 1n : await log.offsetOfHeight(to + 1)
  const [first] = await log.read(start, { maxRecords: 1, maxBytes: 0 })
  if (first && first.offset < until) {
    return { from: start, until, first, toHeight: isOpen ? last.height : to }
  }
  const heights = `from ${from ?? 'its first height'} to ${to ?? 'its last'}`
  const message = `the log has no marked height ${heights}: it ends at ${last.height}`
  throw new AppError('NOT_IN_LOG', message, { expose: true })
}

/** Of the first event with a valid envelope. */
const findChainId = async ({ log, signal }: ExportOptions, range: Range): Promise<string> => {
  for await (const records of recordsBetween(log, { ...range, signal })) {
    for (const { value } of records) {
      const decoded = decodeEvent(value)
      const envelope = decoded.ok ? decoded.event : decoded.envelope
      if (envelope) return readChainId(envelope)
    }
  }
  throw new AppError('LOG_DAMAGED', 'no record of these heights can be read', { expose: true })
}

/** Throws `NOT_IN_LOG` if there is no such height. */
export async function exportLog(options: ExportOptions): Promise<Exported> {
  const { log, version, sink, signal, onProgress } = options
  const range = await findRange(options)
  const chainId = await findChainId(options, range)
  const { height: firstHeight } = range.first
  const writer = createLineWriter(sink)
  writer.header({ version, chainId })
  let from: number | undefined
  let to = firstHeight
  let whole = await writer.flush()
  for await (const records of recordsBetween(log, { ...range, signal })) {
    if (!whole) break
    for (const record of records) {
      from ??= markerIn(decodeEvent(record.value))?.data.from
      to = record.height
      writer.record(record)
    }
    whole = await writer.flush()
    onProgress(to, { from: firstHeight, to: range.toHeight })
  }
  const sha256 = writer.trailer()
  if (whole) whole = await writer.flush()
  return { chainId, from: from ?? firstHeight, to, ...writer.written, sha256, whole }
}

export type ImportOptions = {
  log: EventLog
  file: string
  signal: AbortSignal
  /** The file is read twice: first to verify it, then to append it. */
  onProgress(step: 'checking' | 'importing', bytes: number): void
}

export type Imported = {
  chainId: string
  /** The range of heights of the file. */
  from: number
  to: number
  /** Marked heights that the log already had. */
  present: number
  appended: number
  records: number
  /** The last height of the log after the import. */
  height: number
}

/** The size of appends of ingest during a backfill. */
const MAX_APPEND_BYTES = 4 * 2 ** 20
const MAX_APPEND_RECORDS = 10_000

const refused = (message: string): AppError =>
  new AppError('IMPORT_REFUSED', `${message}. Nothing was appended`, { expose: true })

/** Why one marker cannot follow another; undefined if it can. */
const findLinkProblem = (previous: Marker, next: Marker): string | undefined => {
  if (readChainId(next) !== readChainId(previous)) {
    return `height ${next.height} is of chain ${readChainId(next)}, not of ${readChainId(previous)}`
  }
  const { from, previousHash } = next.data
  if (from > previous.height + 1) {
    return `heights ${previous.height + 1} to ${from - 1} are missing`
  }
  if (from <= previous.height) {
    return `the marker at ${next.height} covers heights from ${from}, but ${previous.height} is already covered`
  }
  if (previousHash === previous.data.hash) return undefined
  return `block ${from} follows ${previousHash || 'no block'}, but block ${previous.height} is ${previous.data.hash}`
}

/** The marker of a line; undefined for any other line, and for an undecodable marker. */
const readMarker = ({ entry, event }: RecordLine): Marker | undefined =>
  event?.['type'] === MARKER ? markerIn(decodeEvent(entry.value)) : undefined

type WholeHeight = { entries: LogEntry[]; marker: Marker; startsLog: boolean }

/** The heights of the file in order. Throws if they do not link, or if the last one has no marker. */
async function* readHeights(
  { file, signal, onProgress }: ImportOptions,
  step: 'checking' | 'importing',
  tail: Marker | undefined,
): AsyncGenerator<WholeHeight> {
  let entries: LogEntry[] = []
  let previous: Marker | undefined
  let chainId = ''
  let startsLog = false
  const onBytes = (bytes: number) => onProgress(step, bytes)
  for await (const line of readExport({ file, signal, onBytes })) {
    if (line.kind === 'header') {
      chainId = line.header.chainId
      if (!tail || readChainId(tail) === chainId) continue
      const message = `the file is of chain ${chainId}, the log of ${readChainId(tail)}`
      throw new AppError('CHAIN_MISMATCH', `${message}. Nothing was appended`, { expose: true })
    }
    if (!previous && entries.length === 0) {
      startsLog = line.event?.['type'] === 'rollcall.chain.snapshot.v1'
    }
    entries.push(line.entry)
    const marker = readMarker(line)
    if (!marker) continue
    if (readChainId(marker) !== chainId) {
      throw refused(`height ${marker.height} of the file is of chain ${readChainId(marker)}`)
    }
    const reason = previous && findLinkProblem(previous, marker)
    if (reason) throw refused(`the file has a gap: ${reason}`)
    previous = marker
    yield { entries, marker, startsLog }
    entries = []
  }
  if (entries.length > 0) {
    throw refused(`the file ends with ${entries.length} records without a marker`)
  }
}

type Verified = { first: Marker; last: Marker }

/** Reads the whole file once: an altered file, or one that does not continue the log, is refused before anything is appended. */
const verifyFile = async (options: ImportOptions, tail: Marker | undefined): Promise<Verified> => {
  let first: WholeHeight | undefined
  let last: Marker | undefined
  for await (const height of readHeights(options, 'checking', tail)) {
    first ??= { ...height, entries: [] }
    last = height.marker
  }
  if (!first || !last) throw refused('the file has no whole height')
  const { marker, startsLog } = first
  if (!tail && !startsLog) {
    throw refused(
      `the log is empty, and the file begins at height ${marker.data.from} in the middle of a log: export from the first height on`,
    )
  }
  if (tail && tail.height > last.height) {
    throw refused(`the log goes to height ${tail.height}, beyond the file (height ${last.height})`)
  }
  const reason = tail && marker.data.from > tail.height ? findLinkProblem(tail, marker) : undefined
  if (reason) throw refused(`the file does not follow the log: ${reason}`)
  return { first: marker, last }
}

const describeRecord = (value: Uint8Array): string => {
  const decoded = decodeEvent(value)
  return (decoded.ok ? decoded.event.id : decoded.envelope?.id) ?? 'a record without id'
}

async function* recordsFrom(log: EventLog, from: bigint): AsyncGenerator<LogRecord, undefined> {
  for await (const batch of recordsBetween(log, { from })) yield* batch
  return undefined
}

/** How the log differs from an entry of the file; undefined if it has the same bytes. */
const findDifference = (
  record: LogRecord | undefined,
  { height, timeMs, value }: LogEntry,
): string | undefined => {
  if (!record) return `the log ends before ${describeRecord(value)}`
  const isSame = Buffer.compare(record.value, value) === 0
  if (isSame && record.height === height && record.timeMs === timeMs) return undefined
  const [inLog, inFile] = [describeRecord(record.value), describeRecord(value)]
  return inLog === inFile
    ? `they have other bytes of ${inFile}`
    : `the log has ${inLog} at offset ${record.offset}, the file ${inFile}`
}

/** Throws `EXPORT_DAMAGED`, `IMPORT_REFUSED` or `CHAIN_MISMATCH` before anything is appended. */
export async function importLog(options: ImportOptions): Promise<Imported> {
  const { log } = options
  const end = await log.last()
  const tail = end && decodeMarker(end)
  const { first, last } = await verifyFile(options, tail)
  const existing = recordsFrom(log, await log.offsetOfHeight(first.height))
  let [present, appended, records, bytes] = [0, 0, 0, 0]
  let waiting: LogEntry[] = []
  for await (const { marker, entries } of readHeights(options, 'importing', tail)) {
    if (tail && marker.data.from <= tail.height) {
      for (const entry of entries) {
        const reason = findDifference((await existing.next()).value, entry)
        if (!reason) continue
        throw refused(`the log and the file differ at height ${marker.height}: ${reason}`)
      }
      present++
      continue
    }
    for (const entry of entries) {
      waiting.push(entry)
      bytes += entry.value.byteLength
    }
    appended++
    records += entries.length
    if (bytes < MAX_APPEND_BYTES && waiting.length < MAX_APPEND_RECORDS) continue
    await log.append(waiting)
    waiting = []
    bytes = 0
  }
  if (waiting.length > 0) await log.append(waiting)
  const { height = 0 } = (await log.last()) ?? {}
  const range = { from: first.data.from, to: last.height }
  return { chainId: readChainId(first), ...range, present, appended, records, height }
}
