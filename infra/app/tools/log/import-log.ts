// Imports an exported log into an empty or shorter log: whole heights only, after comparing common ones. Can be resumed.

import { readChainId } from '../../../../ingest/contract/envelope.ts'
import type { Marker } from '../../../../ingest/contract/events.ts'
import { decodeMarker } from '../../../../ingest/heights/log-tail.ts'
import type { EventLog, LogEntry } from '../../../base/log/event-log.ts'
import { AppError } from '../../../base/runtime/errors.ts'
import type { ExportHeader } from './export-lines.ts'
import { createOverlap } from './overlap.ts'
import { type ExportPart, readExport } from './read-export.ts'
import { createHeightCollector, findLinkProblem, type WholeHeight } from './whole-heights.ts'

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

const differs = (height: number, reason: string): AppError =>
  refused(`the log and the file differ at height ${height}: ${reason}`)

const refuseOtherChain = (chainId: string, tail: Marker | undefined): void => {
  if (!tail || readChainId(tail) === chainId) return
  throw new AppError(
    'CHAIN_MISMATCH',
    `the file is of chain ${chainId}, the log of ${readChainId(tail)}. Nothing was appended`,
    { expose: true },
  )
}

const startsLog = ({ event }: Extract<ExportPart, { kind: 'record' }>): boolean =>
  event?.['type'] === 'rollcall.chain.snapshot.v1'

type Proved = { header: ExportHeader; first: Marker; last: Marker; startsLog: boolean }

/** The heights of the file in order. Throws if they do not link, or if the last one has no marker. */
async function* readHeights(
  parts: AsyncIterable<ExportPart>,
  { onPart }: { onPart?: (part: ExportPart) => void } = {},
): AsyncGenerator<WholeHeight> {
  const collector = createHeightCollector()
  let previous: Marker | undefined
  for await (const part of parts) {
    onPart?.(part)
    if (part.kind === 'header') continue
    const whole = collector.add(part)
    if (!whole) continue
    const reason = previous && findLinkProblem(previous, whole.marker)
    if (reason) throw refused(`the file has a gap: ${reason}`)
    previous = whole.marker
    yield whole
  }
  if (collector.left() > 0) {
    throw refused(`the file ends with ${collector.left()} records without a marker`)
  }
}

/** Reads the whole file once: an altered file must be refused before anything is appended. */
const prove = async (options: ImportOptions, tail: Marker | undefined): Promise<Proved> => {
  const { file, signal, onProgress } = options
  const parts = readExport({ file, signal, onBytes: (bytes) => onProgress('checking', bytes) })
  let header: ExportHeader | undefined
  let begins: boolean | undefined
  let first: Marker | undefined
  let last: Marker | undefined
  const onPart = (part: ExportPart): void => {
    if (part.kind === 'header') {
      header = part.header
      refuseOtherChain(header.chainId, tail)
    } else {
      begins ??= startsLog(part)
    }
  }
  for await (const { marker } of readHeights(parts, { onPart })) {
    if (header && readChainId(marker) !== header.chainId) {
      throw refused(`height ${marker.height} of the file is of chain ${readChainId(marker)}`)
    }
    first ??= marker
    last = marker
  }
  if (!header || !first || !last) throw refused('the file has no whole height')
  return { header, first, last, startsLog: begins === true }
}

/** Checks that the file continues the log. */
const refuseMisfit = ({ first, last, startsLog }: Proved, tail: Marker | undefined): void => {
  if (!tail) {
    if (startsLog) return
    throw refused(
      `the log is empty, and the file begins at height ${first.data.from} in the middle of a log: export from the first height on`,
    )
  }
  if (tail.height > last.height) {
    throw refused(`the log goes to height ${tail.height}, beyond the file (height ${last.height})`)
  }
  if (first.data.from > tail.height) {
    const reason = findLinkProblem(tail, first)
    if (reason) throw refused(`the file does not follow the log: ${reason}`)
  }
}

/** Collects heights and appends many of them at once. */
const createAppender = (log: EventLog) => {
  let entries: LogEntry[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    if (entries.length > 0) await log.append(entries)
    entries = []
    bytes = 0
  }
  return {
    flush,
    add: async (height: WholeHeight): Promise<void> => {
      for (const entry of height.entries) entries.push(entry)
      bytes += height.bytes
      if (bytes >= MAX_APPEND_BYTES || entries.length >= MAX_APPEND_RECORDS) await flush()
    },
  }
}

/** Throws `EXPORT_DAMAGED`, `IMPORT_REFUSED` or `CHAIN_MISMATCH` before anything is appended. */
export const importLog = async (options: ImportOptions): Promise<Imported> => {
  const { log, file, signal, onProgress } = options
  const last = await log.last()
  const tail = last && decodeMarker(last)
  const proved = await prove(options, tail)
  refuseMisfit(proved, tail)
  const { header, first } = proved
  const overlap = createOverlap(log, await log.offsetOfHeight(first.height))
  const appender = createAppender(log)
  const result = { chainId: header.chainId, from: header.from, to: header.to }
  let [present, appended, records] = [0, 0, 0]
  const parts = readExport({ file, signal, onBytes: (bytes) => onProgress('importing', bytes) })
  for await (const height of readHeights(parts)) {
    const { marker, entries } = height
    if (tail && marker.data.from <= tail.height) {
      const reason = await overlap.differs(height)
      if (reason) throw differs(marker.height, reason)
      present++
      continue
    }
    await appender.add(height)
    appended++
    records += entries.length
  }
  await appender.flush()
  const height = (await log.last())?.height ?? 0
  return { ...result, present, appended, records, height }
}
