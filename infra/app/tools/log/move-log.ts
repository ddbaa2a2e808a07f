// Exports a log as lines of text, imports them into an empty or shorter log, and replays them filtered. Imported are whole heights only,
// byte for byte, after comparing common ones.
import { decodeEvent, markerIn } from '../../../../ingest/contract/codec.ts'
import { readChainId, readProposalId } from '../../../../ingest/contract/envelope.ts'
import type { GovernanceEvent, Marker } from '../../../../ingest/contract/events.ts'
import { decodeMarker } from '../../../../ingest/heights/governance.ts'
import type { EventLog, LogEntry, LogRecord } from '../../../base/log/event-log.ts'
import { recordsBetween } from '../../../base/log/event-log.ts'
import type { ByteSink } from '../../../base/runtime/byte-sink.ts'
import { AppError, hasCode } from '../../../base/runtime/errors.ts'
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

const MARKER: GovernanceEvent['type'] = 'rollcall.block.indexed.v1'

/**
 * The records of these heights, without later appends. `from` is the first height that the first marker covers, `bytes` the size of the
 * uncompressed lines; `whole` is false if the reader closed the stream before the end. Throws `NOT_IN_LOG` if there is no such height.
 */
export async function exportLog({ log, range, version, sink, signal, onProgress }: ExportOptions) {
  const last = await log.last()
  if (!last) throw new AppError('NOT_IN_LOG', 'the log is empty', { expose: true })
  const isOpen = range.to === undefined || range.to >= last.height
  const start = await log.offsetOfHeight(range.from ?? 0)
  const until = isOpen ? last.offset + 1n : await log.offsetOfHeight((range.to ?? 0) + 1)
  const [first] = await log.read(start, { maxRecords: 1, maxBytes: 0 })
  if (!first || first.offset >= until) {
    const heights = `from ${range.from ?? 'its first height'} to ${range.to ?? 'its last'}`
    const message = `the log has no marked height ${heights}: it ends at ${last.height}`
    throw new AppError('NOT_IN_LOG', message, { expose: true })
  }
  const chainId = readChainId(decodeMarker(last))
  const progress = { from: first.height, to: isOpen ? last.height : (range.to ?? 0) }
  const writer = createLineWriter(sink)
  writer.header({ version, chainId })
  let from: number | undefined
  let to = first.height
  let whole = await writer.flush()
  for await (const records of recordsBetween(log, { from: start, until, signal })) {
    if (!whole) break
    for (const record of records) {
      from ??= markerIn(decodeEvent(record.value))?.data.from
      to = record.height
      writer.record(record)
    }
    whole = await writer.flush()
    onProgress(to, progress)
  }
  const sha256 = writer.trailer()
  if (whole) whole = await writer.flush()
  return { chainId, from: from ?? first.height, to, ...writer.written, sha256, whole }
}

export type ImportOptions = {
  log: EventLog
  file: string
  signal: AbortSignal
  /** The file is read twice: first to verify it, then to append it. */
  onProgress(step: 'checking' | 'importing', bytes: number): void
}

/** The size of appends of ingest during a backfill. */
const MAX_APPEND_BYTES = 4 * 2 ** 20
const MAX_APPEND_RECORDS = 10_000

const refused = (message: string): AppError =>
  new AppError('IMPORT_REFUSED', `${message}. Nothing was appended`, { expose: true })

/** Why one marker cannot follow another; undefined if it can. */
export function findLinkProblem(
  { height, data }: Marker,
  { data: { from, previousHash } }: Marker,
): { kind: 'gap' | 'link'; message: string } | undefined {
  if (from > height + 1) {
    return { kind: 'gap', message: `heights ${height + 1} to ${from - 1} are missing` }
  }
  if (from <= height) {
    const message = `the marker covers heights from ${from}, which end at ${height} already`
    return { kind: 'gap', message }
  }
  if (previousHash === data.hash) return undefined
  const message = `block ${from} follows ${previousHash || 'no block'}, but ${height} is ${data.hash}`
  return { kind: 'link', message }
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
    if (reason) throw refused(`the file has a gap: ${reason.message}`)
    previous = marker
    yield { entries, marker, startsLog }
    entries = []
  }
  if (entries.length > 0) {
    throw refused(`the file ends with ${entries.length} records without a marker`)
  }
}

/** Reads the whole file once: an altered file, or one that does not continue the log, is refused before anything is appended. */
const verifyFile = async (options: ImportOptions, tail: Marker | undefined) => {
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
  if (reason) throw refused(`the file does not follow the log: ${reason.message}`)
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

/**
 * `present` is the number of marked heights that the log already had, `height` the last one of the log after the import. Throws
 * `EXPORT_DAMAGED`, `IMPORT_REFUSED` or `CHAIN_MISMATCH` before anything is appended.
 */
export async function importLog(options: ImportOptions) {
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

export type ReplayFilter = {
  /** Full types, such as `rollcall.vote.cast.v1`; by default all. */
  types?: ReadonlySet<string> | undefined
  proposalId?: string | undefined
}

export type ReplayOptions = {
  log: EventLog
  from: number
  to: number
  filter: ReplayFilter
  /** At the end of the log, wait for more records until it is aborted or has reached `to`. */
  follow: boolean
  sink: ByteSink
  signal: AbortSignal
}

const WAIT_MS = 10_000

const createMatcher = ({ types, proposalId }: ReplayFilter) => {
  const isFiltered = types !== undefined || proposalId !== undefined
  return ({ value }: LogRecord): 'yes' | 'no' | 'undecodable' => {
    if (!isFiltered) return 'yes'
    const decoded = decodeEvent(value)
    const envelope = decoded.ok ? decoded.event : decoded.envelope
    if (!envelope) return 'undecodable'
    if (types && !types.has(envelope.type)) return 'no'
    return proposalId === undefined || readProposalId(envelope) === proposalId ? 'yes' : 'no'
  }
}

/**
 * Ends at the end of the range, when the reader closes the stream, or when aborted while following. Filters skip records that are
 * `undecodable`.
 */
export async function replayLog(options: ReplayOptions) {
  const { log, from, to, filter, follow, sink, signal } = options
  const matches = createMatcher(filter)
  const writer = createLineWriter(sink)
  let undecodable = 0
  let offset = await log.offsetOfHeight(from)
  /** False after the end of the range or of the reader. */
  const writeToEnd = async (): Promise<boolean> => {
    for await (const batch of recordsBetween(log, { from: offset, signal })) {
      for (const record of batch) {
        offset = record.offset + 1n
        if (record.height > to) break
        const match = matches(record)
        if (match === 'undecodable') undecodable++
        if (match === 'yes') writer.record(record)
      }
      const isOpen = await writer.flush()
      if (!isOpen || (batch.at(-1)?.height ?? 0) > to) return false
    }
    return true
  }
  try {
    while (await writeToEnd()) {
      const last = await log.last()
      if (!follow || (last && last.height >= to)) break
      await log.waitFor(offset, { timeoutMs: WAIT_MS, signal })
    }
  } catch (error) {
    // An abort is the normal end of following.
    if (!(follow && hasCode(error, 'ABORTED'))) throw error
  }
  return { events: writer.written.records, undecodable }
}
