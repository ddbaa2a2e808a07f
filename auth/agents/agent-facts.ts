// Follows the log `rollcall.agents` and appends to it. An append resolves only after its record was read back:
// the order of the log decides between instances.

import type { Readiness } from '../../infra/base/http/operators.ts'
import { waitUntilSettled } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { retry, supervise, withDeadline } from '../../infra/base/runtime/retry.ts'
import { uuidV7 } from '../../infra/base/runtime/uuid.ts'
import { decodeAgentEvent, encodeAgentEvent } from '../contract/agent-codec.ts'
import type { AgentEvent } from '../contract/claims.ts'
import type { AgentLog, AgentRecord } from './agent-log.ts'
import { type AgentState, createAgentState, type ReadableState } from './agent-state.ts'
import {
  createUnwrittenRevocations,
  type UnwrittenRevocations,
  withUnwritten,
} from './unwritten-revocations.ts'

/** The members of a new event without its envelope. */
export type Draft<Event extends AgentEvent = AgentEvent> = Event extends AgentEvent
  ? Pick<Event, 'type' | 'subject' | 'data'>
  : never

export type AgentFacts = {
  state: ReadableState
  /** The state without revocations that the log does not have yet. */
  written: ReadableState
  /**
   * Appends, and resolves once it is part of `state`. `AGENTS_LOG_UNAVAILABLE` if that takes too long, or if too many
   * facts of this type are in force; revocations have no limit. A revocation takes effect at the call: if it rejects,
   * the revocation is appended again until the log has it.
   */
  record(draft: Draft): Promise<AgentEvent>
  /** Resolves once every record that is in the log at the call is part of `state`. */
  catchUp(): Promise<void>
  /** False if recent revocations may be unknown: the log was not read for too long, or has a record of a newer version. */
  isFresh(): boolean
  ready(): Readiness
  close(): Promise<void>
}

export type AgentFactsOptions = {
  log: AgentLog
  clock: Clock
  logger: Logger
  /** The longest lifetime of anything issued to a registration. */
  keepMs: number
  /** How far back the log is read: as long as a login lasts. */
  readMs?: number
}

const STALE_MS = 5_000
/** A clock that goes back by less is corrected in the usual way. What has expired is kept for as long. */
const CLOCK_SLACK_MS = 120_000
const POLL_MS = 250
const ANSWER_MS = 5_000
const FORGET_EVERY_MS = 10_000
const UNDECODABLE = 'failed to decode a record: tokens are refused, upgrade this instance'
const unavailable = (cause?: unknown): AppError =>
  new AppError('AGENTS_LOG_UNAVAILABLE', 'the log of agents cannot be written or read', {
    retryable: true,
    cause,
  })

type Tail = {
  next: bigint
  /** The first position to read is known. */
  isPositioned: boolean
  /** Every record written before this time is part of the state. */
  currentMs: number
  /** The latest time that the clock showed. */
  latestMs: number
  isCaughtUp: boolean
  /** An end that the log had at `atMs`, and that `next` has not reached. */
  ahead: { end: bigint; atMs: number } | undefined
  /** The last record that could not be decoded; until this time it may be about a valid token. */
  undecodable: { position: bigint; untilMs: number } | undefined
}

const createTail = (nowMs: number): Tail => ({
  next: 0n,
  isPositioned: false,
  currentMs: nowMs,
  latestMs: nowMs,
  isCaughtUp: false,
  ahead: undefined,
  undecodable: undefined,
})

/** Resolves waiters once the record at their position, and every record before it, was read. */
const createWaiters = (tail: Tail) => {
  const waiting = new Set<{ position: bigint; resolve: () => void }>()
  const hasPassed = (position: bigint) => tail.isCaughtUp && position < tail.next
  return {
    wake: () => {
      for (const waiter of waiting) {
        if (hasPassed(waiter.position)) waiter.resolve()
      }
    },
    until: async (position: bigint, signal: AbortSignal): Promise<void> => {
      if (hasPassed(position)) return
      let waiter: { position: bigint; resolve: () => void } | undefined
      const passed = new Promise<void>((resolve) => {
        waiter = { position, resolve }
        waiting.add(waiter)
      })
      try {
        await withDeadline(ANSWER_MS, signal, () => passed)
      } finally {
        if (waiter) waiting.delete(waiter)
      }
    },
  }
}

const hasGoneBack = ({ latestMs }: Tail, nowMs: number): boolean =>
  nowMs < latestMs - CLOCK_SLACK_MS

type Followed = { state: AgentState; unwritten: UnwrittenRevocations; tail: Tail }

const createFollower = (options: AgentFactsOptions, { state, unwritten, tail }: Followed) => {
  const { log, clock, logger, keepMs, readMs = keepMs } = options
  let forgotMs = clock.now()
  /** A newer version may have written it: it may be a revocation, so no token is accepted while one could be meant. */
  const keepUndecodable = ({ position, timeMs }: AgentRecord, reason: string) => {
    const untilMs = Math.min(timeMs, clock.now()) + keepMs
    if (untilMs <= clock.now()) return
    const lastMs = Math.max(untilMs, tail.undecodable?.untilMs ?? 0)
    tail.undecodable = { position, untilMs: lastMs }
    const until = new Date(lastMs).toISOString()
    logger.error({ position: String(position), reason, until }, UNDECODABLE)
  }
  const apply = (record: AgentRecord) => {
    const decoded = decodeAgentEvent(record.value)
    if (!decoded.ok) return keepUndecodable(record, decoded.reason)
    state.apply(decoded.event)
    if (decoded.event.type === 'rollcall.token.revoked.v1') unwritten.settle(decoded.event)
  }
  const setCurrent = (atMs: number) => {
    tail.currentMs = Math.max(tail.currentMs, atMs)
    tail.isCaughtUp = true
  }
  /** New records may never stop: the state is current as of the time at which the log ended where the read arrived. */
  const compareWithEnd = async () => {
    const atMs = clock.now()
    tail.ahead ??= { end: await log.end(), atMs }
    if (tail.next < tail.ahead.end) return
    setCurrent(tail.ahead.atMs)
    tail.ahead = undefined
  }
  const applyAll = async (): Promise<number> => {
    if (!tail.isPositioned) {
      const from = await log.positionOfTime(clock.now() - readMs)
      if (!tail.isPositioned) tail.next = from
      tail.isPositioned = true
    }
    const startedMs = clock.now()
    const first = tail.next
    const records = await log.read(first)
    // An abandoned read returned after the log was begun again.
    if (first > tail.next) return records.length
    for (const record of records) {
      // An abandoned read returned after its successor.
      if (record.position < tail.next) continue
      apply(record)
      tail.next = record.position + 1n
    }
    if (records.length === 0) setCurrent(startedMs)
    else await compareWithEnd()
    return records.length
  }
  /** What a clock that was ahead has dropped as expired may be valid again, so all of it is read again. */
  const startAgain = () => {
    logger.warn({ latest: new Date(tail.latestMs).toISOString() }, 'the clock went back')
    state.prune(Number.POSITIVE_INFINITY)
    Object.assign(tail, createTail(clock.now()))
  }
  const tidy = () => {
    const nowMs = clock.now()
    if (hasGoneBack(tail, nowMs)) startAgain()
    tail.latestMs = Math.max(tail.latestMs, nowMs)
    if (Math.abs(nowMs - forgotMs) < FORGET_EVERY_MS) return
    forgotMs = nowMs
    state.prune(nowMs - CLOCK_SLACK_MS)
  }
  const follow = (signal: AbortSignal, onMore: () => void): Promise<void> => {
    const readOn = async (works: () => void) => {
      while (!signal.aborted) {
        const count = await withDeadline(ANSWER_MS, signal, applyAll)
        works()
        tidy()
        onMore()
        if (count === 0) await log.waitFor(tail.next, { timeoutMs: POLL_MS, signal })
      }
    }
    return supervise(readOn, {
      policy: policies.followAgents,
      signal,
      clock,
      onFailure: (error) => logger.warn({ error }, 'failed to read the log of agents'),
    })
  }
  return follow
}

/** Why tokens cannot be checked now. */
const findReasons = ({ tail, unwritten }: Followed, nowMs: number): string[] => {
  const { isCaughtUp, currentMs, undecodable } = tail
  const reasons: string[] = []
  if (!isCaughtUp || nowMs - currentMs > STALE_MS || hasGoneBack(tail, nowMs)) {
    reasons.push('the log of agents is not read up to its end')
  }
  if (undecodable && nowMs < undecodable.untilMs) {
    const { position, untilMs } = undecodable
    const until = new Date(untilMs).toISOString()
    reasons.push(
      `record ${position} of the log of agents cannot be decoded: upgrade this instance, or wait until ${until}`,
    )
  }
  if (unwritten.isFull()) {
    reasons.push('more revocations wait to be written to the log of agents than fit in memory')
  }
  return reasons
}

/** Resolves once it has caught up, or after the deadline of a response. */
export const followAgentFacts = async (options: AgentFactsOptions): Promise<AgentFacts> => {
  const { log, clock, keepMs } = options
  const state = createAgentState(keepMs)
  const tail = createTail(clock.now())
  const waiters = createWaiters(tail)
  const controller = new AbortController()
  const { signal } = controller
  const append = (event: AgentEvent): Promise<bigint> => {
    const bytes = encodeAgentEvent(event)
    return withDeadline(ANSWER_MS, signal, () =>
      retry(() => log.append(bytes, clock.now()), { ...policies.agentAppend(ANSWER_MS), signal }),
    )
  }
  const unwritten = createUnwrittenRevocations({ append, clock, logger: options.logger })
  const followed = { state, unwritten, tail }
  const following = Promise.all([
    createFollower(options, followed)(signal, waiters.wake),
    unwritten.follow(signal),
  ])

  const reasons = (): string[] => findReasons(followed, clock.now())
  const catchUp = async (): Promise<void> => {
    try {
      const end = await withDeadline(ANSWER_MS, signal, () => log.end())
      await waiters.until(end - 1n, signal)
    } catch (error) {
      throw unavailable(error)
    }
  }
  const record = async (draft: Draft): Promise<AgentEvent> => {
    if (!state.hasCapacityFor(draft.type)) throw unavailable()
    const nowMs = clock.now()
    const event = {
      specversion: '1.0',
      id: uuidV7(nowMs),
      source: '/agents',
      ...draft,
      time: new Date(nowMs).toISOString(),
      datacontenttype: 'application/json',
    } as AgentEvent
    try {
      const isRevocation = event.type === 'rollcall.token.revoked.v1'
      const position = await (isRevocation ? unwritten.write(event) : append(event))
      await waiters.until(position, signal)
    } catch (error) {
      throw unavailable(error)
    }
    return event
  }
  await waitUntilSettled(catchUp())
  return {
    state: withUnwritten(state, unwritten),
    written: state,
    record,
    catchUp,
    isFresh: () => reasons().length === 0,
    ready: () => ({ ready: reasons().length === 0, reasons: reasons() }),
    close: async () => {
      controller.abort()
      await following
      await log.close()
    },
  }
}
