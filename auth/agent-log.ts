// The log `rollcall.agents` as this room needs it: any number of writers, read from a time on. Embedded or Kafka behind it.
import type { EventLog } from '../infra/log/event-log.ts'

export type AgentRecord = { position: bigint; value: Uint8Array }

export type AgentLog = {
  /**
   * Resolves once the record is durable, with its position in the order that all instances see.
   * Where the outcome is not known it throws, retryable: appending the same bytes again does no harm.
   */
  append(value: Uint8Array, timeMs: number): Promise<bigint>
  /** Where to begin, so as to see all that was appended at that time or later. */
  positionOfTime(timeMs: number): Promise<bigint>
  /** From a position on; empty at the end. */
  read(from: bigint): Promise<readonly AgentRecord[]>
  waitFor(from: bigint, options: { timeoutMs: number; signal: AbortSignal }): Promise<void>
  /** The position after the last record. */
  end(): Promise<bigint>
  close(): Promise<void>
}

const LIMITS = { maxRecords: 1_000, maxBytes: 4 * 1024 * 1024 }

/** Writers' clocks differ, so that times in the log may step back by as much. */
const CLOCK_SLACK_MS = 120_000

const secondOf = (timeMs: number): number => Math.max(0, Math.floor(timeMs / 1_000))

/** In this log the second stands for the height, so that a time can be sought. */
export const createAgentLog = (log: EventLog): AgentLog => ({
  append: async (value, timeMs) =>
    (await log.append([{ height: secondOf(timeMs), timeMs, value }])) - 1n,
  positionOfTime: (timeMs) => log.offsetOfHeight(secondOf(timeMs - CLOCK_SLACK_MS)),
  read: async (from) =>
    (await log.read(from, LIMITS)).map(({ offset, value }) => ({ position: offset, value })),
  waitFor: (from, options) => log.waitFor(from, options),
  end: () => log.end(),
  close: () => log.close(),
})
