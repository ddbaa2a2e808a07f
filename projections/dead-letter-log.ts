// Dead letters on a log of their own (`rollcall.dead-letters.<chainId>` where the log is Kafka), for whoever watches there.
// Never the source of anything: the tables have them too, and a rebuild makes them again.
import { MAX_ENTRY_BYTES } from '../infra/log/entry-size.ts'
import type { EventLog, LogEntry } from '../infra/log/event-log.ts'
import { recordsBetween } from '../infra/log/records-between.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { policies } from '../infra/runtime/policies.ts'
import { retry } from '../infra/runtime/retry.ts'
import type { DeadLetterRow } from './contract/read-model.ts'
import type { DeadLetterSink } from './dead-letter.ts'

export type DeadLetterLogOptions = {
  /** Its only writer is this process: the projections of one chain are. */
  log: EventLog
  /** Letters of another generation are other letters: its parser may know more, or less. */
  generation: number
  signal: AbortSignal
  clock: Clock
}

/** One record: what of the event log could not be read, why, and which proposal is marked for it (0: not known). */
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

/** The highest offset of this generation that is kept already. */
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

/** Letters of a commit come in the order of the log, and a later commit's after those of an earlier one. */
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
    // A record as long as a log takes is longer inside of another: it stays where it is.
    const short = reason.slice(0, MAX_REASON_LENGTH)
    return entryWith({ reason: `${short} (value left out: it is in the event log)`, value: '' })
  }
  const attempt = async (letters: readonly DeadLetterRow[]): Promise<void> => {
    // Asked again after every failure: the outcome of an append may be unknown.
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
