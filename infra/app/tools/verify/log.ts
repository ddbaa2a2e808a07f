// Reads and verifies a whole log, record by record: nothing is missing, duplicated, out of order or inconsistent. Read-only.
import { toEpochMs } from '../../../../ingest/chain/time.ts'
import { decodeEvent, markerIn } from '../../../../ingest/contract/codec.ts'
import {
  type EventEnvelope,
  ORDINAL,
  readChainId,
  toIndex,
  toOrdinal,
  toPosition,
} from '../../../../ingest/contract/envelope.ts'
import type { GovernanceEvent, Marker } from '../../../../ingest/contract/events.ts'
import type { EventLog, LogRecord } from '../../../base/log/event-log.ts'
import { recordsBetween } from '../../../base/log/event-log.ts'
import { AppError, hasCode } from '../../../base/runtime/errors.ts'
import { findLinkProblem } from '../log/move-log.ts'
import {
  createProofCheck,
  type RecordPosition,
  type ReportViolation,
  type Violation,
} from './proofs.ts'

/** The first and the last height are those that the markers cover; null in a log without markers. */
const noFigures = () => ({
  chainId: null as string | null,
  records: 0,
  bytes: 0,
  from: null as number | null,
  to: null as number | null,
  firstTime: null as string | null,
  lastTime: null as string | null,
  markers: 0,
  unreadable: 0,
  /** By type. A damaged log names any type, such as `constructor`. */
  events: Object.create(null) as Record<string, number>,
})

const SNAPSHOT = 'rollcall.chain.snapshot.v1'
const MARKER_INDEX = toIndex(ORDINAL.marker, 0)

/** Descriptions of all problems of a record in itself. */
const identityProblems = (record: LogRecord, envelope: EventEnvelope): string[] => {
  const { id, source, height, index, time, type } = envelope
  const expected = `${readChainId(envelope)}/${height}/${index}`
  const isMarker = type === 'rollcall.block.indexed.v1'
  const where = isMarker ? 'an event' : 'a marker'
  const problems: [boolean, string][] = [
    [!/^\/chains\/./.test(source), `${id} has the source ${source}`],
    [id !== expected, `${id} should be ${expected} by its own height and index`],
    [height !== record.height, `${id} has height ${height}, its record ${record.height}`],
    [
      toEpochMs(time) !== record.timeMs,
      `${id} has the time ${time}, its record ${record.timeMs} ms`,
    ],
    [isMarker !== (index === MARKER_INDEX), `${id} is a ${type} at the index of ${where}`],
  ]
  return problems.filter(([isWrong]) => isWrong).map(([, message]) => message)
}

/** Records are of one chain and in ascending order, so that no ID is a duplicate. */
const createOrderCheck = (report: ReportViolation) => {
  let chainId: string | null = null
  let highest: { position: bigint; id: string; offset: bigint } | undefined
  return {
    chainId: () => chainId,
    add: (record: LogRecord, envelope: EventEnvelope): void => {
      const { id } = envelope
      for (const problem of identityProblems(record, envelope)) report('identity', record, problem)
      const found = readChainId(envelope)
      chainId ??= found
      if (found !== chainId)
        report('other chain', record, `${id} is of ${found}, the log of ${chainId}`)
      const position = toPosition(envelope)
      if (!highest || position > highest.position) {
        highest = { position, id, offset: record.offset }
      } else if (position === highest.position) {
        report('order', record, `${id} is a duplicate of offset ${highest.offset}`)
      } else {
        report('order', record, `${id} is out of order: it is after ${highest.id}`)
      }
    },
  }
}

// Heights have no gap, end with a marker, link to the previous height by hash, and have every chunk of their lists, once and in order.

type Chunked = Extract<GovernanceEvent, { data: { chunk: number } }>

/** A height may have several readings, and several long fields of messages. */
const toListName = ({ type, data, index }: Chunked): string => {
  if (!('proposalId' in data)) return type
  const part = 'round' in data ? `round ${data.round}` : `message ${data.message}${data.path}`
  const place = 'final' in data ? `, ordinal ${toOrdinal(index)}` : ''
  return `${type} of proposal ${data.proposalId}, ${part}${place}`
}

const createChunkCheck = () => {
  const lists = new Map<string, { next: number; chunks: number }>()
  return {
    /** The problem with the position of this event in its list, if any. */
    add: (event: GovernanceEvent): string | undefined => {
      if (!('chunk' in event.data)) return undefined
      const name = toListName(event as Chunked)
      const { chunk, chunks } = event.data
      const list = lists.get(name) ?? { next: 0, chunks }
      lists.set(name, { next: chunk + 1, chunks: list.chunks })
      if (chunks !== list.chunks) return `${name}: one chunk has ${list.chunks}, another ${chunks}`
      if (chunk === list.next && chunk < chunks) return undefined
      return `${name}: chunk ${chunk} where ${list.next} of ${chunks} is due`
    },
    /** The problems with the lists of the height that ends. Resets the check. */
    end: (): string[] => {
      const problems = [...lists]
        .filter(([, { next, chunks }]) => next < chunks)
        .map(([name, { next, chunks }]) => `${name}: ends after chunk ${next - 1} of ${chunks}`)
      lists.clear()
      return problems
    },
  }
}

/** Records since the last marker. */
type Open = { firstOffset: bigint; height: number; events: number; times: Set<string> }

const checkMarker = (
  report: ReportViolation,
  record: LogRecord,
  { height, time, data }: Marker,
  open: Open,
): void => {
  const { from, events, tip } = data
  if (from > height) report('marker', record, `the marker covers heights from ${from}`)
  if (tip < height) report('marker', record, `the marker has the tip ${tip}`)
  if (events !== open.events) {
    report('count', record, `the marker has ${events} events, but there are ${open.events}`)
  }
  const other = [...open.times].find((each) => each !== time)
  if (other) report('identity', record, `the block is of ${time}, an event of ${other}`)
}

/** Keeps one height. Pure. */
function createHeightCheck(report: ReportViolation) {
  const chunks = createChunkCheck()
  let previous: Marker | undefined
  let open: Open | undefined
  const endChunks = (position: RecordPosition): void => {
    for (const problem of chunks.end()) report('chunks', position, problem)
  }
  const leaveOpen = (position: RecordPosition, where: string): void => {
    if (!open) return
    const { events, height } = open
    report('marker', position, `${events} records of height ${height} have no marker ${where}`)
    endChunks(position)
    open = undefined
  }
  const openFor = (record: LogRecord): Open => {
    if (open?.height !== record.height) leaveOpen(record, `before height ${record.height}`)
    open ??= { firstOffset: record.offset, height: record.height, events: 0, times: new Set() }
    return open
  }
  return {
    /** `event` is undefined for an undecodable record, `time` if its envelope is undecodable too. */
    add: (
      record: LogRecord,
      event: GovernanceEvent | undefined,
      time: string | undefined,
    ): void => {
      const height = openFor(record)
      height.events++
      if (time !== undefined) height.times.add(time)
      const problem = event && chunks.add(event)
      if (problem) report('chunks', record, problem)
    },
    /** The record ends its height. */
    mark: (record: LogRecord, marker: Marker): void => {
      checkMarker(report, record, marker, openFor(record))
      endChunks(record)
      const problem = previous && findLinkProblem(previous, marker)
      if (problem) report(problem.kind, record, problem.message)
      previous = marker
      open = undefined
    },
    /** Reports violations at the end of the log. */
    finish: (): void => {
      if (!open) return
      leaveOpen({ offset: open.firstOffset, height: open.height }, 'at the end of the log')
    },
  }
}

/** Pure. */
const createLogCheck = (report: ReportViolation) => {
  const figures = noFigures()
  const order = createOrderCheck(report)
  const heights = createHeightCheck(report)
  const proofs = createProofCheck(report)
  const countMarker = ({ data, time, height }: Marker): void => {
    figures.markers++
    figures.from ??= data.from
    figures.firstTime ??= time
    figures.to = height
    figures.lastTime = time
  }
  return {
    add: (record: LogRecord): void => {
      const decoded = decodeEvent(record.value)
      const event = decoded.ok ? decoded.event : undefined
      const envelope: EventEnvelope | undefined = decoded.ok ? event : decoded.envelope
      if (figures.records === 0 && envelope?.type !== SNAPSHOT) {
        const message = 'the log does not begin with a snapshot of the state before it'
        report('beginning', record, message)
      }
      figures.records++
      figures.bytes += record.value.byteLength
      if (!decoded.ok) {
        figures.unreadable++
        report('unreadable', record, decoded.reason)
      }
      if (envelope) {
        figures.events[envelope.type] = (figures.events[envelope.type] ?? 0) + 1
        order.add(record, envelope)
      }
      if (event) proofs.add(record, event)
      const marker = markerIn(decoded)
      if (marker) {
        countMarker(marker)
        heights.mark(record, marker)
      } else heights.add(record, event, envelope?.time)
    },
    finish: heights.finish,
    figures: () => ({ ...figures, chainId: order.chainId(), proofs: proofs.figures() }),
  }
}

const KEPT_VIOLATIONS = 1_000

/** Reads up to the current end of the log. Later appends are not verified. The first thousand violations are kept. */
export async function verifyLog({
  log,
  signal,
  onProgress,
}: {
  log: EventLog
  signal: AbortSignal
  onProgress(height: number, until: number): void
}) {
  const last = await log.last()
  if (!last) throw new AppError('NOT_IN_LOG', 'the log is empty', { expose: true })
  const violations: Violation[] = []
  let violationCount = 0
  const add = (violation: Violation): void => {
    violationCount++
    if (violations.length < KEPT_VIOLATIONS) violations.push(violation)
  }
  const check = createLogCheck((kind, { offset, height }, message) =>
    add({ kind, offset: `${offset}`, height, message }),
  )
  let height = 0
  try {
    for await (const batch of recordsBetween(log, { from: 0n, until: last.offset + 1n, signal })) {
      for (const record of batch) {
        check.add(record)
        height = record.height
      }
      onProgress(height, last.height)
    }
    check.finish()
  } catch (error) {
    if (!hasCode(error, 'LOG_DAMAGED')) throw error
    // Records after the damage cannot be read.
    add({ kind: 'damaged', offset: '?', height, message: error.message })
  }
  return { figures: check.figures(), violations, violationCount }
}

const SHOWN = 50

const counted = (value: number): string => value.toLocaleString('en-US')

const oneLine = (text: string): string => text.replaceAll('\n', ' ')

/** As text for a terminal. Pure. */
export function verifiedLogText(verified: Awaited<ReturnType<typeof verifyLog>>): string {
  const { figures, violations, violationCount } = verified
  const { chainId, from, to, firstTime, lastTime, markers, records, bytes, proofs } = figures
  const shown = violations.slice(0, SHOWN)
  const types = Object.entries(figures.events).sort(([one], [other]) => (one < other ? -1 : 1))
  const proved = `verified ${counted(proofs.lightBlocks)} signed headers and ${counted(proofs.proved)} proofs of proposals`
  const compared = `${counted(proofs.compared)} have the status and the final tally of the log`
  return [
    `log of ${chainId ?? 'an unknown chain'}: heights ${from ?? '-'} to ${to ?? '-'} (${firstTime ?? '-'} to ${lastTime ?? '-'})`,
    `${counted(records)} records, ${counted(bytes)} bytes, ${counted(markers)} marked heights`,
    ...types.map(([type, count]) => `  ${counted(count).padStart(12)}  ${oneLine(type)}`),
    `${proved}; ${compared}; ${counted(proofs.missing)} were not available`,
    violationCount === 0
      ? 'verified: no gap, all links and counts correct, unique IDs, all events decodable'
      : `WRONG: ${counted(violationCount)} violations`,
    ...shown.map(({ kind, offset, height, message }) =>
      oneLine(`  ${kind}: height ${height}, offset ${offset}: ${message}`),
    ),
    ...(violationCount > SHOWN ? [`  and ${counted(violationCount - SHOWN)} more`] : []),
  ].join('\n')
}
