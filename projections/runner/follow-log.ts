// Follows a log from a checkpoint: reads batches, folds them, and writes rows and checkpoint. Commits only whole units.
// Independent of the fold and of the tables.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { EventLog, LogRecord, ReadLimits } from '../../infra/base/log/event-log.ts'
import { recordsBetween } from '../../infra/base/log/event-log.ts'
import { handledLater } from '../../infra/base/runtime/abort.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { StoredCheckpoint } from '../contract/checkpoints.ts'

export type LogPosition = Pick<StoredCheckpoint, 'nextOffset' | 'refoldOffset'>

export type FollowOptions<Batch> = {
  /** Name of the log in error messages. */
  logName: string
  log: Pick<EventLog, 'read' | 'end' | 'waitFor'>
  /** The position of the tables; undefined if they are empty. */
  start: LogPosition | undefined
  /**
   * Folds the units that these records complete and returns their number of records; the others are kept
   * until their unit is complete. `keepsRows` is false while records are folded only for state, because their
   * rows are written already.
   */
  apply(records: readonly LogRecord[], keepsRows: boolean): Promise<number>
  /** Drops the rows of records that were folded only for state. */
  refolded(events: number): void
  /** The rows of the units that were folded since the last call. The next fold starts after it resolves. */
  take(): Promise<Batch>
  /** Writes the rows of this many records, then their position. */
  write(batch: Batch, events: number): Promise<void>
  /** A batch is full at either limit; a single unit may exceed both. */
  limits: ReadLimits
  signal: AbortSignal
}

/** One read: small enough that no heartbeat is late. */
const SLICE: ReadLimits = { maxRecords: 2_000, maxBytes: 2 * 1024 * 1024 }
const WAIT_MS = 1_000

class LogFollower<Batch> {
  readonly #options: FollowOptions<Batch>
  #cursor = 0n
  /** Records of an incomplete unit. */
  #incomplete = 0

  constructor(options: FollowOptions<Batch>) {
    this.#options = options
  }

  async run(): Promise<void> {
    const { start } = this.#options
    if (start) await this.#refold(start)
    await this.#follow()
  }

  /** Restores the open state; writes nothing. */
  async #refold({ refoldOffset, nextOffset }: LogPosition): Promise<void> {
    const { logName, log, apply, refolded, signal } = this.#options
    const end = await log.end()
    if (end < nextOffset) {
      const message = `${logName} ends at offset ${end}, but the tables go up to ${nextOffset}: this is not the log they were made from`
      throw new AppError('LOG_DAMAGED', message)
    }
    let events = 0
    const walk = { from: refoldOffset, until: nextOffset, signal, limits: SLICE }
    for await (const records of recordsBetween(log, walk)) {
      await apply(records, false)
      events += records.length
    }
    refolded(events)
    this.#cursor = nextOffset
  }

  async #follow(): Promise<void> {
    const { log, take, write, signal } = this.#options
    // One commit at a time: the next batch is read and folded while the store writes the rows of this one.
    let inFlight = Promise.resolve()
    try {
      while (!signal.aborted) {
        const events = await this.#foldBatch()
        await inFlight
        if (signal.aborted) return
        if (events === 0) {
          await log.waitFor(this.#cursor, { timeoutMs: WAIT_MS, signal })
          continue
        }
        inFlight = handledLater(write(await take(), events))
      }
    } finally {
      // A failed batch does not abort the previous commit.
      await inFlight
    }
  }

  /** Reads and folds up to a batch of whole units. Returns its number of records; 0 while no unit is complete. */
  async #foldBatch(): Promise<number> {
    const { log, apply, limits, signal } = this.#options
    const maxRecords = Math.min(SLICE.maxRecords, limits.maxRecords)
    const maxBytes = Math.min(SLICE.maxBytes, limits.maxBytes)
    let events = 0
    // Between two slices, heartbeats and ingest run, which may share this process.
    for (let bytes = 0; !signal.aborted; await nextTurn()) {
      const records = await log.read(this.#cursor, { maxRecords, maxBytes })
      const last = records.at(-1)
      if (!last) break
      this.#cursor = last.offset + 1n
      const folded = await apply(records, true)
      events += folded
      this.#incomplete += records.length - folded
      bytes += records.reduce((sum, { value }) => sum + value.byteLength, 0)
      const isFull = events + this.#incomplete >= limits.maxRecords || bytes >= limits.maxBytes
      if (isFull && events > 0) break
      const hasMore = isFull || records.length >= SLICE.maxRecords
      if (!hasMore && (await log.end()) <= this.#cursor) break
    }
    return events
  }
}

/** Runs until the signal fires; rejects with the first failure. Retries nothing. */
export function followLog<Batch>(options: FollowOptions<Batch>): Promise<void> {
  return new LogFollower(options).run()
}
