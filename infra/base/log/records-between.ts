// Reads a log from one offset to another in batches, with bounded memory and without blocking the event loop.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { abortedError } from '../runtime/abort.ts'
import type { EventLog, LogRecord, ReadLimits } from './event-log.ts'

const LIMITS: ReadLimits = { maxRecords: 1_000, maxBytes: 4 * 2 ** 20 }

export type Walk = {
  from: bigint
  /** The offset at which reading stops; by default the end of the log. */
  until?: bigint
  signal?: AbortSignal
  limits?: ReadLimits
}

/** Batches in order, none of them empty. Throws `ABORTED` when the signal fires. */
export async function* recordsBetween(
  log: Pick<EventLog, 'read'>,
  { from, until, signal, limits = LIMITS }: Walk,
): AsyncGenerator<readonly LogRecord[]> {
  let offset = from
  while (until === undefined || offset < until) {
    if (signal?.aborted) throw abortedError(signal)
    const read = await log.read(offset, limits)
    const last = read.at(-1)
    if (!last) return
    const selected =
      until === undefined || last.offset < until ? read : read.filter((each) => each.offset < until)
    if (selected.length > 0) yield selected
    offset = last.offset + 1n
    // An embedded log never waits: without this turn, no signal would be processed.
    await nextTurn()
  }
}
