// Follows the log of agents into the tables of one generation, from a checkpoint of its own. Whatever fails, the governance
// projections are not disturbed: it begins again where it had committed.
import { decodeAgentEvent } from '../auth/contract/agent-codec.ts'
import type { Store } from '../infra/clickhouse/client.ts'
import type { EventLog, LogRecord } from '../infra/log/event-log.ts'
import type { Clock } from '../infra/runtime/clock.ts'
import { AppError } from '../infra/runtime/errors.ts'
import type { Logger } from '../infra/runtime/logger.ts'
import { withDeadline } from '../infra/runtime/retry.ts'
import { AGENT_RUNNER, type CheckpointRow, TABLE } from './contract/read-model.ts'
import { type AgentFold, createAgentFold } from './fold/agent-fold.ts'
import { timestampOrEpoch, wallClockTimestamp } from './fold/timestamps.ts'

export type AgentRunnerOptions = {
  /** The log `rollcall.agents`. */
  log: Pick<EventLog, 'read' | 'end'>
  store: Store
  database: string
  logger: Logger
  clock: Clock
  signal: AbortSignal
  /** How often the log is asked for more. */
  paceMs: number
  /** In one commit, at most. */
  batchRecords?: number
}

type Place = { nextOffset: bigint; refoldOffset: bigint }

const BATCH_RECORDS = 1_000
const MAX_BYTES = 2 * 1024 * 1024
const CALL_MS = 30_000
const PAUSE_AFTER_FAILURE_MS = 2_000

const readPlace = async ({ store, database }: AgentRunnerOptions): Promise<Place> => {
  const [row] = await store.select<CheckpointRow>(
    `SELECT * FROM ${database}.${TABLE.checkpoints} FINAL WHERE projection = {runner:String}`,
    { runner: AGENT_RUNNER },
  )
  return {
    nextOffset: BigInt(row?.next_offset ?? 0),
    refoldOffset: BigInt(row?.refold_offset ?? 0),
  }
}

/** What has no meaning in a log without heights is empty or 0. */
const checkpointRow = (
  { nextOffset, refoldOffset }: Place,
  logEnd: bigint,
  nowMs: number,
): CheckpointRow => ({
  projection: AGENT_RUNNER,
  next_offset: nextOffset.toString(),
  refold_offset: refoldOffset.toString(),
  ...{ chain_id: '', height: '0', tip: '0', time: timestampOrEpoch('') },
  log_end: logEnd.toString(),
  lag_events: (logEnd > nextOffset ? logEnd - nextOffset : 0n).toString(),
  oldest_waiting_since: null,
  written_at: wallClockTimestamp(nowMs),
})

const fold = (into: AgentFold, records: readonly LogRecord[], logger: Logger): void => {
  for (const { offset, value } of records) {
    const decoded = decodeAgentEvent(value)
    if (decoded.ok) into.apply(decoded.event, offset)
    else logger.error({ offset: String(offset), reason: decoded.reason }, 'skipped an agent record')
  }
}

const commit = async (options: AgentRunnerOptions, into: AgentFold, next: bigint) => {
  const { store, database, clock, log } = options
  const { claims, revocations } = into.drain()
  if (claims.length > 0) await store.insert(`${database}.${TABLE.claims}`, claims)
  if (revocations.length > 0) await store.insert(`${database}.${TABLE.revocations}`, revocations)
  const place = { nextOffset: next, refoldOffset: into.firstOffset() ?? next }
  const row = checkpointRow(place, await log.end(), clock.now())
  await store.insert(`${database}.${TABLE.checkpoints}`, [row])
}

/** The state as it was at the checkpoint; nothing of it is written again. */
const refold = async (options: AgentRunnerOptions, place: Place): Promise<AgentFold> => {
  const { log, logger, signal } = options
  const into = createAgentFold()
  for (let at = place.refoldOffset; at < place.nextOffset && !signal.aborted; ) {
    const read = await log.read(at, { maxRecords: BATCH_RECORDS, maxBytes: MAX_BYTES })
    const records = read.filter(({ offset }) => offset < place.nextOffset)
    const last = records.at(-1)
    if (!last) break
    fold(into, records, logger)
    at = last.offset + 1n
  }
  into.drain()
  return into
}

const requireSameLog = (end: bigint, { nextOffset }: Place): void => {
  if (end >= nextOffset) return
  const message = `the log of agents ends at offset ${end}, but the tables go up to ${nextOffset}: this is not the log they were made from`
  throw new AppError('LOG_DAMAGED', message)
}

const follow = async (options: AgentRunnerOptions, onProgress: () => void): Promise<void> => {
  const { log, logger, clock, signal, paceMs, batchRecords = BATCH_RECORDS } = options
  const call = <T>(operation: () => Promise<T>) => withDeadline(CALL_MS, signal, operation)
  const place = await call(() => readPlace(options))
  requireSameLog(await call(() => log.end()), place)
  const into = await refold(options, place)
  for (let next = place.nextOffset; !signal.aborted; ) {
    const limits = { maxRecords: batchRecords, maxBytes: MAX_BYTES }
    const records = await call(() => log.read(next, limits))
    onProgress()
    const last = records.at(-1)
    if (!last) {
      await clock.sleep(paceMs, signal)
      continue
    }
    fold(into, records, logger)
    next = last.offset + 1n
    const reached = next
    await call(() => commit(options, into, reached))
  }
}

/** Runs until the signal fires, and never rejects. */
export const followAgents = async (options: AgentRunnerOptions): Promise<void> => {
  const { logger, clock, signal } = options
  let isTold = false
  const onProgress = () => {
    isTold = false
  }
  while (!signal.aborted) {
    try {
      await follow(options, onProgress)
    } catch (error) {
      if (signal.aborted) return
      if (!isTold) logger.warn({ error }, 'could not follow the log of agents')
      isTold = true
      await clock.sleep(PAUSE_AFTER_FAILURE_MS, signal).catch(() => undefined)
    }
  }
}
