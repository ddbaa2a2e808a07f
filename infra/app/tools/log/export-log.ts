// Exports a log as lines of text, from which import restores it byte for byte. Read-only.
import type { EventLog } from '../../../base/log/event-log.ts'
import { recordsBetween } from '../../../base/log/records-between.ts'
import type { ByteSink } from '../../../base/runtime/byte-sink.ts'
import { EXPORT_FORMAT, encodeLine, SEGMENT_LINES } from './export-lines.ts'
import { findRange, type HeightRange } from './range.ts'
import { createRunningSum } from './running-sum.ts'

export type ExportOptions = {
  log: EventLog
  range: HeightRange
  /** The version of Rollcall. */
  version: string
  sink: ByteSink
  signal: AbortSignal
  onProgress(height: number, range: { from: number; to: number }): void
}

export type Exported = {
  chainId: string
  from: number
  to: number
  records: number
  /** Number of wrapped records, with the reasons of the first ones. */
  wrapped: number
  reasons: { offset: string; height: number; reason: string }[]
  /** Size of the uncompressed lines. */
  bytes: number
  sha256: string
  /** False if the reader closed the stream before the end. */
  whole: boolean
}

const BREAK = Buffer.from('\n')
const MAX_REPORTED_REASONS = 20

/** Writes, counts and sums lines; many lines in one write. */
const createLines = (sink: ByteSink) => {
  const sum = createRunningSum()
  let waiting: Uint8Array[] = []
  let bytes = 0
  const put = (line: Uint8Array): void => {
    bytes += line.byteLength + 1
    waiting.push(line, BREAK)
  }
  return {
    sum,
    bytes: () => bytes,
    add: (line: Uint8Array) => {
      sum.add(line)
      put(line)
    },
    addUnsummed: put,
    flush: async (): Promise<boolean> => {
      const all = Buffer.concat(waiting)
      waiting = []
      return await sink.write(all)
    },
  }
}

const jsonLine = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))

export const exportLog = async (options: ExportOptions): Promise<Exported> => {
  const { log, version, sink, signal } = options
  const { fromOffset, untilOffset, chainId, from, to } = await findRange(log, options.range, signal)
  const lines = createLines(sink)
  const reasons: Exported['reasons'] = []
  let [records, wrapped] = [0, 0]
  lines.add(jsonLine({ rollcall: 'export', format: EXPORT_FORMAT, version, chainId, from, to }))
  let whole = await lines.flush()
  for await (const batch of recordsBetween(log, { from: fromOffset, until: untilOffset, signal })) {
    for (const record of batch) {
      const { line, reason } = encodeLine(record)
      lines.add(line)
      records++
      if (reason === undefined) continue
      wrapped++
      const { offset, height } = record
      if (reasons.length < MAX_REPORTED_REASONS)
        reasons.push({ offset: `${offset}`, height, reason })
    }
    whole = await lines.flush()
    if (!whole) break
    options.onProgress(batch.at(-1)?.height ?? from, { from, to })
  }
  const { sha256, segments } = lines.sum.finish()
  if (whole) {
    const trailer = { rollcall: 'end', records, wrapped, sha256 }
    lines.addUnsummed(jsonLine({ ...trailer, segmentLines: SEGMENT_LINES, segments }))
    whole = await lines.flush()
  }
  const bytes = lines.bytes()
  return { chainId, from, to, records, wrapped, reasons, bytes, sha256, whole }
}
