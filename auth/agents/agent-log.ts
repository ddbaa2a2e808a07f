// The interface to the log `rollcall.agents`: many writers, readable from a given time. Backed by the embedded log or Kafka.
import type { EventLog } from '../../infra/base/log/event-log.ts'

/** `timeMs` is the clock of its writer. */
export type AgentRecord = { position: bigint; timeMs: number; value: Uint8Array }

export type AgentLog = {
  /**
   * Resolves once the record is durable, with its position in the order that all instances see.
   * If the outcome is not known it throws a retryable error: appending the same bytes again is harmless.
   */
  append(value: Uint8Array, timeMs: number): Promise<bigint>
  /** The first position from which every record of that time or later is read. */
  positionOfTime(timeMs: number): Promise<bigint>
  /** Records from a position on; empty at the end. */
  read(from: bigint): Promise<readonly AgentRecord[]>
  waitFor(from: bigint, options: { timeoutMs: number; signal: AbortSignal }): Promise<void>
  /** The position after the last record. */
  end(): Promise<bigint>
  close(): Promise<void>
}

const LIMITS = { maxRecords: 1_000, maxBytes: 4 * 1024 * 1024 }

/** Clocks of writers differ: times in the log may step back by this much. */
const CLOCK_SLACK_MS = 120_000

const toSeconds = (timeMs: number): number => Math.max(0, Math.floor(timeMs / 1_000))

/** In this log the second is stored as the height, so that a time can be looked up. */
export const createAgentLog = (log: EventLog): AgentLog => ({
  append: async (value, timeMs) =>
    (await log.append([{ height: toSeconds(timeMs), timeMs, value }])) - 1n,
  positionOfTime: (timeMs) => log.offsetOfHeight(toSeconds(timeMs - CLOCK_SLACK_MS)),
  read: async (from) =>
    (await log.read(from, LIMITS)).map(({ offset, timeMs, value }) => ({
      position: offset,
      timeMs,
      value,
    })),
  waitFor: (from, options) => log.waitFor(from, options),
  end: () => log.end(),
  close: () => log.close(),
})
