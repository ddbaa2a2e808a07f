// Writes dead letters to a separate log for other consumers (`rollcall.dead-letters.<chainId>` on Kafka). It is never a source:
// the tables also have the dead letters, and a rebuild creates them again.
import { MAX_ENTRY_BYTES } from '../../infra/base/log/entry-size.ts'
import type { EventLog, LogEntry } from '../../infra/base/log/event-log.ts'
import { recordsBetween } from '../../infra/base/log/records-between.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { retry } from '../../infra/base/runtime/retry.ts'
import type { DeadLetterRow } from '../contract/tables/dead-letters.ts'

/**
 * Receives dead letters in addition to the table `dead_letters`, before the checkpoint of their commit. After
 * an interrupted commit it receives them again, and keeps each letter once.
 */
export type DeadLetterSink = { keep(letters: readonly DeadLetterRow[]): Promise<void> }

export type DeadLetterLogOptions = {
  /** This process is its only writer: one chain has one process for projections. */
  log: EventLog
  /** Letters of another generation are separate, because another version may decode other records. */
  generation: number
  signal: AbortSignal
  clock: Clock
}

/** One record: the undecodable record of the event log, the reason, and the affected proposal (0: unknown). */
export type KeptLetter = {
  generation: number
  offset: string
  /** The position of a row without a record. Its `offset` is 0. */
  rowPosition?: string
  height: string
  proposalId: string
  reason: string
  value: string
}

const MAX_REASON_LENGTH = 10_000

const parseKeptLetter = (value: Uint8Array): KeptLetter =>
  JSON.parse(Buffer.from(value).toString('utf8')) as KeptLetter

/** Records are in the order of the log; rows without a record have only a position on the chain. */
type Order = { kind: 'record' | 'row'; at: bigint }
type LastKept = Readonly<Record<Order['kind'], bigint>>
const NONE: LastKept = { record: -1n, row: -1n }

const toOrder = (offset: bigint, rowPosition: bigint): Order =>
  rowPosition === 0n ? { kind: 'record', at: offset } : { kind: 'row', at: rowPosition }

const raise = (last: LastKept, { kind, at }: Order): LastKept =>
  at > last[kind] ? { ...last, [kind]: at } : last

/** The last letters of this generation in this log. */
const readLastKept = async ({
  log,
  generation,
  signal,
}: DeadLetterLogOptions): Promise<LastKept> => {
  let last = NONE
  for await (const records of recordsBetween(log, { from: 0n, signal })) {
    for (const { value } of records) {
      const letter = parseKeptLetter(value)
      if (letter.generation !== generation) continue
      const { offset, rowPosition = '0' } = letter
      last = raise(last, toOrder(BigInt(offset), BigInt(rowPosition)))
    }
  }
  return last
}

/** Letters of a commit follow those of earlier commits. */
export const createDeadLetterLog = (options: DeadLetterLogOptions): DeadLetterSink => {
  const { log, generation, signal, clock } = options
  const retrying = { ...policies.logCall, signal, clock }
  let lastKept: LastKept | undefined
  const createEntry = (letter: DeadLetterRow, timeMs: number): LogEntry => {
    const { height, reason, value, proposalId } = letter
    const position = {
      offset: `${letter.offset}`,
      ...(letter.rowPosition === 0n ? {} : { rowPosition: `${letter.rowPosition}` }),
      height: `${height}`,
    }
    const entryWith = (kept: Pick<KeptLetter, 'reason' | 'value'>): LogEntry => {
      const whole: KeptLetter = { generation, ...position, proposalId, ...kept }
      return { height, timeMs, value: Buffer.from(JSON.stringify(whole)) }
    }
    const entry = entryWith({ reason, value })
    if (entry.value.length <= MAX_ENTRY_BYTES) return entry
    // A record of maximum length does not fit into another record: only its position is copied.
    const short = reason.slice(0, MAX_REASON_LENGTH)
    return entryWith({ reason: `${short} (value left out: it is in the event log)`, value: '' })
  }
  const attempt = async (letters: readonly DeadLetterRow[]): Promise<void> => {
    // Read again after every failure: the outcome of an append may be unknown.
    const known = lastKept ?? (await readLastKept(options))
    lastKept = undefined
    const ordered = letters.map((letter) => ({
      letter,
      order: toOrder(letter.offset, letter.rowPosition),
    }))
    const fresh = ordered.filter(({ order }) => order.at > known[order.kind])
    await log.append(fresh.map(({ letter }) => createEntry(letter, clock.now())))
    lastKept = fresh.reduce((last, { order }) => raise(last, order), known)
  }
  return { keep: (letters) => retry(() => attempt(letters), retrying) }
}
