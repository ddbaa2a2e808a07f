// Writes dead letters to a separate log for other consumers (`rollcall.dead-letters.<chainId>` on Kafka). It is never a source:
// the tables also have the dead letters, and a rebuild creates them again.
import { MAX_ENTRY_BYTES } from '../infra/log/entry-size.ts'
import type { EventLog, LogEntry } from '../infra/log/event-log.ts'
import { recordsBetween } from '../infra/log/records-between.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { policies } from '../infra/runtime/policies.ts'
import { retry } from '../infra/runtime/retry.ts'
import type { DeadLetterRow } from './contract/read-model.ts'
import type { DeadLetterSink } from './dead-letter.ts'

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
  height: string
  proposalId: string
  reason: string
  value: string
}

const MAX_REASON_LENGTH = 10_000

const parseKeptLetter = (value: Uint8Array): KeptLetter =>
  JSON.parse(Buffer.from(value).toString('utf8')) as KeptLetter

/** The highest offset of this generation in this log. */
const readLastKept = async ({ log, generation, signal }: DeadLetterLogOptions): Promise<bigint> => {
  let kept = -1n
  for await (const records of recordsBetween(log, { from: 0n, signal })) {
    for (const { value } of records) {
      const letter = parseKeptLetter(value)
      const offset = BigInt(letter.offset)
      if (letter.generation === generation && offset > kept) kept = offset
    }
  }
  return kept
}

/** Letters of a commit are in the order of the log, after those of earlier commits. */
export const createDeadLetterLog = (options: DeadLetterLogOptions): DeadLetterSink => {
  const { log, generation, signal, clock } = options
  const retrying = { ...policies.logCall, signal, clock }
  let lastKept: bigint | undefined
  const createEntry = (letter: DeadLetterRow, timeMs: number): LogEntry => {
    const { offset, height, reason, value, proposal_id: proposalId } = letter
    const entryWith = (kept: Pick<KeptLetter, 'reason' | 'value'>): LogEntry => {
      const whole: KeptLetter = { generation, offset, height, proposalId, ...kept }
      return { height: Number(height), timeMs, value: Buffer.from(JSON.stringify(whole)) }
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
    const fresh = letters.filter(({ offset }) => BigInt(offset) > known)
    await log.append(fresh.map((letter) => createEntry(letter, clock.now())))
    lastKept = fresh.reduce((last, { offset }) => {
      const at = BigInt(offset)
      return at > last ? at : last
    }, known)
  }
  return { keep: (letters) => retry(() => attempt(letters), retrying) }
}
