// Exports a log as lines of text, imports them into an empty or shorter log, and replays them filtered. Imported are whole heights only,
// byte for byte, after comparing common ones.
import { decodeEvent, markerIn } from '../../../../ingest/contract/codec.ts'
import { readChainId, readProposalId } from '../../../../ingest/contract/envelope.ts'
import type { Marker } from '../../../../ingest/contract/events.ts'
import { decodeMarker } from '../../../../ingest/heights/governance.ts'
import type { EventLog, LogEntry, LogRecord } from '../../../base/log/event-log.ts'
import { recordsBetween } from '../../../base/log/event-log.ts'
import { AppError, hasCode } from '../../../base/runtime/errors.ts'
import { createLineWriter, type Output, readExport } from './lines.ts'

export type WriteOptions = {
  log: EventLog
  /** Heights. */
  from: number
  to: number
  output: Output
  signal: AbortSignal
}

const WAIT_MS = 10_000

/** The records of these heights in batches, none of them empty. With `follow`, it waits for more at the end of the log. */
async function* recordsOf(
  { log, from, to, signal }: WriteOptions,
  follow = false,
): AsyncGenerator<readonly LogRecord[]> {
  let offset = await log.offsetOfHeight(from)
  for (;;) {
    for await (const batch of recordsBetween(log, { from: offset, signal })) {
      const inside = batch.filter(({ height }) => height <= to)
      if (inside.length > 0) yield inside
      if (inside.length < batch.length) return
      offset = batch.at(-1)!.offset + 1n
    }
    const last = await log.last()
    if (!follow || (last && last.height >= to)) return
    await log.waitFor(offset, { timeoutMs: WAIT_MS, signal })
  }
}

export type ExportOptions = WriteOptions & {
  /** The version of Rollcall. */
  version: string
  onProgress(done: number, total: number): void
}

/**
 * The records of these heights, without later appends. `from` is the first height that the first marker covers, `bytes` the size of the
 * uncompressed lines; `whole` is false if the reader closed the stream before the end. Throws `NOT_IN_LOG` if there is no such height.
 */
export async function exportLog({ version, onProgress, ...options }: ExportOptions) {
  const { log, output } = options
  const end = await log.last()
  if (!end) throw new AppError('NOT_IN_LOG', 'the log is empty', { expose: true })
  const chainId = readChainId(decodeMarker(end))
  const to = Math.min(options.to, end.height)
  const writer = createLineWriter()
  const found: { first?: LogRecord; last?: LogRecord; from?: number | undefined } = {}
  let sha256: string | undefined
  const describeFound = () => {
    const { first, last, from = first?.height } = found
    if (last && from !== undefined) return { chainId, from, to: last.height }
    const message = `the log has no marked height in this range: it ends at ${end.height}`
    throw new AppError('NOT_IN_LOG', message, { expose: true })
  }
  async function* lines() {
    writer.header({ version, chainId })
    for await (const records of recordsOf({ ...options, to })) {
      for (const record of records) {
        writer.record(record)
        found.first ??= record
        found.from ??= markerIn(decodeEvent(record.value))?.data.from
        found.last = record
        onProgress(record.height - found.first.height + 1, to - found.first.height + 1)
      }
      yield writer.take()
    }
    describeFound()
    sha256 = writer.trailer()
    yield writer.take()
  }
  const whole = await output(lines())
  return { ...describeFound(), ...writer.written, sha256: sha256 ?? writer.trailer(), whole }
}

export type ReplayOptions = WriteOptions & {
  /** Full types, such as `rollcall.vote.cast.v1`; by default all. */
  types?: ReadonlySet<string> | undefined
  /** By default of all proposals. */
  proposalId?: string | undefined
  /** At the end of the log, wait for more records until it is aborted or has reached `to`. */
  follow: boolean
}

/**
 * Ends at the end of the range, when the reader closes the stream, or when aborted while following. Filters skip records that are
 * `undecodable`.
 */
export async function replayLog({ types, proposalId, follow, ...options }: ReplayOptions) {
  const writer = createLineWriter()
  let undecodable = 0
  const matches = ({ value }: LogRecord): boolean => {
    if (!types && proposalId === undefined) return true
    const decoded = decodeEvent(value)
    const envelope = decoded.ok ? decoded.event : decoded.envelope
    if (!envelope) undecodable++
    if (!envelope || (types && !types.has(envelope.type))) return false
    return proposalId === undefined || readProposalId(envelope) === proposalId
  }
  async function* lines() {
    for await (const records of recordsOf(options, follow)) {
      for (const record of records) if (matches(record)) writer.record(record)
      yield writer.take()
    }
  }
  try {
    await options.output(lines())
  } catch (error) {
    // An abort is the normal end of following.
    if (!(follow && hasCode(error, 'ABORTED'))) throw error
  }
  return { events: writer.written.records, undecodable }
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

type WholeHeight = { entries: LogEntry[]; marker: Marker }

/** The heights of the file in order. Throws if they do not link, or if the last one has no marker. */
async function* readHeights(
  { file, signal, onProgress }: ImportOptions,
  step: 'checking' | 'importing',
): AsyncGenerator<WholeHeight> {
  let entries: LogEntry[] = []
  let previous: Marker | undefined
  const onBytes = (bytes: number) => onProgress(step, bytes)
  for await (const { chainId, entry, event } of readExport({ file, signal, onBytes })) {
    entries.push(entry)
    const isMarker = event?.['type'] === 'rollcall.block.indexed.v1'
    const marker = isMarker ? markerIn(decodeEvent(entry.value)) : undefined
    if (!marker) continue
    if (readChainId(marker) !== chainId) {
      throw refused(`height ${marker.height} of the file is of chain ${readChainId(marker)}`)
    }
    const reason = previous && findLinkProblem(previous, marker)
    if (reason) throw refused(`the file has a gap: ${reason.message}`)
    previous = marker
    yield { entries, marker }
    entries = []
  }
  if (entries.length > 0) {
    throw refused(`the file ends with ${entries.length} records without a marker`)
  }
}

const readId = ({ value }: LogEntry): string => {
  const decoded = decodeEvent(value)
  return (decoded.ok ? decoded.event.id : decoded.envelope?.id) ?? 'a record without id'
}

const isStart = ({ value }: LogEntry): boolean => {
  const decoded = decodeEvent(value)
  return decoded.ok && decoded.event.type === 'rollcall.chain.snapshot.v1'
}

/** Why this is not the next height of a log with this end. */
const findProblem = ({ entries, marker }: WholeHeight, tail: Marker | undefined) => {
  const { from } = marker.data
  if (tail) {
    const reason = from > tail.height ? findLinkProblem(tail, marker) : undefined
    return reason && `the file does not follow the log: ${reason.message}`
  }
  if (entries[0] && isStart(entries[0])) return undefined
  return `the log is empty, and the file begins at height ${from} in the middle of a log: export from the first height on`
}

async function* recordsFrom(log: EventLog, from: bigint): AsyncGenerator<LogRecord, undefined> {
  for await (const batch of recordsBetween(log, { from })) yield* batch
  return undefined
}

/**
 * Reads the whole file once: an altered file, or one that does not continue the log, is refused before anything is appended. Returns
 * its ends, and the number of its heights that the log has.
 */
const verifyFile = async (options: ImportOptions, tail: Marker | undefined) => {
  const { log } = options
  let [first, last]: Marker[] = []
  let existing: AsyncGenerator<LogRecord> | undefined
  let present = 0
  for await (const height of readHeights(options, 'checking')) {
    const { marker, entries } = height
    if (!first && tail && readChainId(tail) !== readChainId(marker)) {
      const message = `the file is of chain ${readChainId(marker)}, the log of ${readChainId(tail)}`
      throw new AppError('CHAIN_MISMATCH', `${message}. Nothing was appended`, { expose: true })
    }
    const problem = first ? undefined : findProblem(height, tail)
    if (problem !== undefined) throw refused(problem)
    first ??= marker
    last = marker
    if (!tail || marker.data.from > tail.height) continue
    existing ??= recordsFrom(log, await log.offsetOfHeight(marker.height))
    for (const entry of entries) {
      const record: LogRecord | undefined = (await existing.next()).value
      const isSame =
        record?.height === entry.height &&
        record.timeMs === entry.timeMs &&
        Buffer.compare(record.value, entry.value) === 0
      if (isSame) continue
      const where = `the log and the file differ at height ${marker.height}`
      throw refused(`${where}: they have other bytes of ${readId(entry)}`)
    }
    present++
  }
  if (!first || !last) throw refused('the file has no whole height')
  if (tail && tail.height > last.height) {
    throw refused(`the log goes to height ${tail.height}, beyond the file (height ${last.height})`)
  }
  return { first, last, present }
}

/**
 * `present` is the number of marked heights that the log already had, `height` the last one of the log after the import. Throws
 * `EXPORT_DAMAGED`, `IMPORT_REFUSED` or `CHAIN_MISMATCH` before anything is appended.
 */
export async function importLog(options: ImportOptions) {
  const { log } = options
  const end = await log.last()
  const tail = end && decodeMarker(end)
  const { first, last, present } = await verifyFile(options, tail)
  let [appended, records, bytes] = [0, 0, 0]
  let waiting: LogEntry[] = []
  for await (const { marker, entries } of readHeights(options, 'importing')) {
    if (tail && marker.data.from <= tail.height) continue
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
