// Follows the log `rollcall.agents` and appends to it. An append resolves only after its record was read back:
// the order of the log decides between instances.
import { randomUUID } from 'node:crypto'
import type { Readiness } from '../../infra/base/http/operators.ts'
import type { EventLog, LogRecord } from '../../infra/base/log/event-log.ts'
import { waitUntilSettled } from '../../infra/base/runtime/abort.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { retry, supervise, withDeadline } from '../../infra/base/runtime/retry.ts'
import { type AgentEvent, decodeAgentEvent, encodeAgentEvent } from '../contract/agent-events.ts'
import { type AgentState, createAgentState, type ReadableState } from './agent-state.ts'
import { createUnwrittenRevocations } from './unwritten-revocations.ts'

/** The members of a new event without its envelope. */
type Draft<Event extends AgentEvent = AgentEvent> = Event extends AgentEvent
  ? Pick<Event, 'type' | 'subject' | 'data'>
  : never

export type AgentFactsOptions = {
  log: EventLog
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
const LIMITS = { maxRecords: 1_000, maxBytes: 4 * 1024 * 1024 }
const UNDECODABLE = 'failed to decode a record: tokens are refused, upgrade this instance'

const unavailable = (cause?: unknown): AppError =>
  new AppError('AGENTS_LOG_UNAVAILABLE', 'the log of agents cannot be written or read', {
    retryable: true,
    cause,
  })

/** In this log the second is stored as the height, so that a time can be looked up. */
const toHeight = (timeMs: number): number => Math.max(0, Math.floor(timeMs / 1_000))

/** How far the log is read. */
type Tail = {
  /** Undefined before the first position to read is known. */
  next: bigint | undefined
  isCaughtUp: boolean
  /** Every record written before this time is part of the state. */
  currentMs: number
  /** The latest time that the clock showed. */
  latestMs: number
  /** An end that the log had at `atMs`, and that `next` has not reached. */
  ahead: { end: bigint; atMs: number } | undefined
  /** The last record that could not be decoded; until this time it may be about a valid token. */
  undecodable: { offset: bigint; untilMs: number } | undefined
}

const createTail = (nowMs: number): Tail => ({
  next: undefined,
  isCaughtUp: false,
  currentMs: nowMs,
  latestMs: nowMs,
  ahead: undefined,
  undecodable: undefined,
})

type Waiter = { offset: bigint; resolve: () => void }

export class AgentFacts {
  readonly state: ReadableState
  /** The state without revocations that the log does not have yet. */
  readonly written: AgentState
  readonly #options: AgentFactsOptions
  readonly #unwritten: ReturnType<typeof createUnwrittenRevocations>
  readonly #controller = new AbortController()
  readonly #following: Promise<unknown>
  readonly #waiting = new Set<Waiter>()
  #tail: Tail
  #forgotMs: number

  constructor(options: AgentFactsOptions) {
    const { clock, logger, keepMs } = options
    const { signal } = this.#controller
    this.#options = options
    this.#tail = createTail(clock.now())
    this.#forgotMs = clock.now()
    this.written = createAgentState(keepMs)
    const append = (event: AgentEvent) => this.#append(event)
    this.#unwritten = createUnwrittenRevocations({ append, clock, logger })
    this.state = this.#unwritten.addTo(this.written)
    this.#following = Promise.all([this.#follow(signal), this.#unwritten.follow(signal)])
  }

  /**
   * Appends, and resolves once it is part of `state`. `AGENTS_LOG_UNAVAILABLE` if that takes too long, or if too many
   * facts of this type are in force; revocations have no limit. A revocation takes effect at the call: if it rejects,
   * the revocation is appended again until the log has it.
   */
  async record(draft: Draft): Promise<AgentEvent> {
    if (!this.written.hasCapacityFor(draft.type)) throw unavailable()
    const nowMs = this.#options.clock.now()
    const event = {
      specversion: '1.0',
      id: randomUUID(),
      source: '/agents',
      ...draft,
      time: new Date(nowMs).toISOString(),
      datacontenttype: 'application/json',
    } as AgentEvent
    try {
      const isRevocation = event.type === 'rollcall.token.revoked.v1'
      await this.#until(await (isRevocation ? this.#unwritten.write(event) : this.#append(event)))
    } catch (error) {
      throw unavailable(error)
    }
    return event
  }

  /** Resolves once every record that is in the log at the call is part of `state`. */
  async catchUp(): Promise<void> {
    try {
      const end = await this.#withDeadline(() => this.#options.log.end())
      await this.#until(end - 1n)
    } catch (error) {
      throw unavailable(error)
    }
  }

  /** False if recent revocations may be unknown: the log was not read for too long, or has a record of a newer version. */
  isFresh(): boolean {
    return this.#findReasons().length === 0
  }

  ready(): Readiness {
    const reasons = this.#findReasons()
    return { ready: reasons.length === 0, reasons }
  }

  async close(): Promise<void> {
    this.#controller.abort()
    await this.#following
    await this.#options.log.close()
  }

  /** Why tokens cannot be checked now. */
  #findReasons(): string[] {
    const nowMs = this.#options.clock.now()
    const { isCaughtUp, currentMs, undecodable } = this.#tail
    const reasons: string[] = []
    // A clock that went back says nothing about the age of the last read.
    if (!isCaughtUp || Math.abs(nowMs - currentMs) > STALE_MS || this.#hasGoneBack()) {
      reasons.push('the log of agents is not read up to its end')
    }
    if (undecodable && nowMs < undecodable.untilMs) {
      const { offset, untilMs } = undecodable
      const until = new Date(untilMs).toISOString()
      reasons.push(
        `record ${offset} of the log of agents cannot be decoded: upgrade this instance, or wait until ${until}`,
      )
    }
    if (this.#unwritten.isFull()) {
      reasons.push('more revocations wait to be written to the log of agents than fit in memory')
    }
    return reasons
  }

  #hasGoneBack(): boolean {
    return this.#options.clock.now() < this.#tail.latestMs - CLOCK_SLACK_MS
  }

  #withDeadline<T>(operation: () => Promise<T>): Promise<T> {
    return withDeadline(ANSWER_MS, this.#controller.signal, operation)
  }

  #append(event: AgentEvent): Promise<bigint> {
    const { log, clock } = this.#options
    const value = encodeAgentEvent(event)
    const { signal } = this.#controller
    const append = async () => {
      const timeMs = clock.now()
      return (await log.append([{ height: toHeight(timeMs), timeMs, value }])) - 1n
    }
    return this.#withDeadline(() => retry(append, { ...policies.agentAppend(ANSWER_MS), signal }))
  }

  #hasPassed(offset: bigint): boolean {
    return this.#tail.isCaughtUp && offset < (this.#tail.next ?? 0n)
  }

  /** Resolves once the record at this offset, and every record before it, was read. */
  async #until(offset: bigint): Promise<void> {
    if (this.#hasPassed(offset)) return
    const waiter: Waiter = { offset, resolve: () => undefined }
    const passed = new Promise<void>((resolve) => {
      waiter.resolve = resolve
    })
    this.#waiting.add(waiter)
    try {
      await this.#withDeadline(() => passed)
    } finally {
      this.#waiting.delete(waiter)
    }
  }

  #follow(signal: AbortSignal): Promise<void> {
    const { log, logger, clock } = this.#options
    const readOn = async (works: () => void) => {
      while (!signal.aborted) {
        const count = await this.#withDeadline(() => this.#applyAll())
        works()
        this.#tidy()
        for (const waiter of this.#waiting) if (this.#hasPassed(waiter.offset)) waiter.resolve()
        const from = this.#tail.next ?? 0n
        if (count === 0) await log.waitFor(from, { timeoutMs: POLL_MS, signal })
      }
    }
    return supervise(readOn, {
      policy: policies.followAgents,
      signal,
      clock,
      onFailure: (error) => logger.warn({ error }, 'failed to read the log of agents'),
    })
  }

  /** Returns the number of records. The tail of an abandoned read may have been replaced. */
  async #applyAll(): Promise<number> {
    const { log, clock, keepMs, readMs = keepMs } = this.#options
    const tail = this.#tail
    // Clocks of writers differ: times in the log may step back.
    const fromMs = clock.now() - readMs - CLOCK_SLACK_MS
    const from = tail.next ?? (await log.offsetOfHeight(toHeight(fromMs)))
    tail.next ??= from
    const startedMs = clock.now()
    const records = await log.read(tail.next, LIMITS)
    if (tail !== this.#tail) return records.length
    for (const record of records) {
      // An abandoned read returned after its successor.
      if (record.offset < tail.next) continue
      this.#apply(record)
      tail.next = record.offset + 1n
    }
    // New records may never stop: the state is current as of the time at which the log ended where the read arrived.
    if (records.length > 0) tail.ahead ??= { atMs: clock.now(), end: await log.end() }
    if (tail.next < (tail.ahead?.end ?? 0n)) return records.length
    tail.currentMs = tail.ahead?.atMs ?? startedMs
    tail.ahead = undefined
    tail.isCaughtUp = true
    return records.length
  }

  #apply(record: LogRecord): void {
    const decoded = decodeAgentEvent(record.value)
    if (!decoded.ok) {
      this.#keepUndecodable(record, decoded.reason)
      return
    }
    this.written.apply(decoded.event)
    if (decoded.event.type === 'rollcall.token.revoked.v1') this.#unwritten.settle(decoded.event)
  }

  /** A newer version may have written it: it may be a revocation, so no token is accepted while one could be meant. */
  #keepUndecodable({ offset, timeMs }: LogRecord, reason: string): void {
    const { clock, keepMs, logger } = this.#options
    const untilMs = Math.min(timeMs, clock.now()) + keepMs
    if (untilMs <= clock.now()) return
    const lastMs = Math.max(untilMs, this.#tail.undecodable?.untilMs ?? 0)
    this.#tail.undecodable = { offset, untilMs: lastMs }
    const until = new Date(lastMs).toISOString()
    logger.error({ offset: String(offset), reason, until }, UNDECODABLE)
  }

  #tidy(): void {
    const { clock, logger } = this.#options
    const nowMs = clock.now()
    if (this.#hasGoneBack()) {
      // What a clock that was ahead has dropped as expired may be valid again, so all of it is read again.
      const latest = new Date(this.#tail.latestMs).toISOString()
      logger.warn({ latest }, 'the clock went back')
      this.written.prune(Number.POSITIVE_INFINITY)
      this.#tail = createTail(nowMs)
    }
    this.#tail.latestMs = Math.max(this.#tail.latestMs, nowMs)
    if (Math.abs(nowMs - this.#forgotMs) < FORGET_EVERY_MS) return
    this.#forgotMs = nowMs
    this.written.prune(nowMs - CLOCK_SLACK_MS)
  }
}

/** Resolves once it has caught up, or after the deadline of a response. */
export async function followAgentFacts(options: AgentFactsOptions): Promise<AgentFacts> {
  const facts = new AgentFacts(options)
  await waitUntilSettled(facts.catchUp())
  return facts
}
