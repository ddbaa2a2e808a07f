// Leadership by Kafka: who owns the one partition in a consumer group leads. The old term ends before a new one begins:
// a leader that the group no longer hears from stops by its own clock, before the group gives the partition away.
import { systemClock } from '../runtime/clock.ts'
import { hasCode } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { createGroupMember, type GroupMember, SESSION_MS } from './kafka-group.ts'
import type { KafkaConfig } from './kafka-settings.ts'
import { topicOf } from './kafka-topic.ts'
import type { Leadership } from './leadership.ts'

export type KafkaLeadershipOptions = {
  settings: KafkaConfig
  chainId: string
  /** Processes that share it have one leader among them, e.g. `rollcall-ingest-<chainId>`. */
  groupId: string
  logger: Logger
}

type Term = (signal: AbortSignal) => Promise<void>

const HEARTBEAT_MS = 500
const RETRY_MS = 1_000
/** Shorter than the session: counted from when a request was sent, so it ends before the group's own. */
const LEASE_MS = SESSION_MS - 1_000
/** Long enough for whoever fenced this process to lead. */
const STAND_BACK_MS = 2_000

const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  systemClock.sleep(ms, signal).catch(() => {})

/** Resolves as soon as this process is to lead, or `signal` fires. */
const standBy = async (member: GroupMember, logger: Logger, signal: AbortSignal): Promise<void> => {
  let isMember = false
  while (!signal.aborted) {
    try {
      if (!isMember && (await member.join(false)) === 'owner') return
      isMember = true
      await sleep(HEARTBEAT_MS, signal)
      isMember = signal.aborted || (await member.heartbeat()) === 'stable'
    } catch (error) {
      if (signal.aborted) return
      logger.warn({ reason: String(error) }, 'could not take part in the choice of a leader')
      isMember = false
      await sleep(RETRY_MS, signal)
    }
  }
}

/** Resolves with why this process no longer leads, or once `signal` fires. */
const holdOn = async (member: GroupMember, logger: Logger, signal: AbortSignal) => {
  while (!signal.aborted) {
    await sleep(HEARTBEAT_MS, signal)
    if (signal.aborted) break
    try {
      const heard = await member.heartbeat()
      const found = heard === 'rebalancing' ? await member.join(true) : heard
      if (found === 'expelled' || found === 'other') return `the group answered: ${found}`
    } catch (error) {
      logger.debug({ reason: String(error) }, 'could not tell the group that this process leads')
    }
  }
  return 'ended'
}

const untilLeaseEnds = async (member: GroupMember, signal: AbortSignal): Promise<string> => {
  while (!signal.aborted) {
    const leftMs = member.confirmedMs() + LEASE_MS - performance.now()
    if (leftMs <= 0) break
    await sleep(leftMs, signal)
  }
  return 'the group was not heard from'
}

/** Resolves when `signal` fires; listens no longer than until `done` does. */
const fired = (signal: AbortSignal, done: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true, signal: done })
  })

type Outcome = { error?: unknown; wasTold: boolean }

/** Runs one term to its end; `signal` ends it from outside. */
const runTerm = async (
  member: GroupMember,
  { term, logger, signal }: { term: Term; logger: Logger; signal: AbortSignal },
): Promise<Outcome> => {
  const ending = new AbortController()
  const watching = new AbortController()
  const tell = () => ending.abort(new Error('this process no longer leads'))
  signal.addEventListener('abort', tell, { once: true })
  if (signal.aborted) tell()
  const done = (async (): Promise<Outcome> => {
    try {
      await term(ending.signal)
      return { wasTold: ending.signal.aborted }
    } catch (error) {
      return { error, wasTold: ending.signal.aborted }
    }
  })()
  const lost = Promise.race([
    holdOn(member, logger, watching.signal),
    untilLeaseEnds(member, watching.signal),
  ])
  // Heartbeats go on while a term that was told to end does so.
  const reason = await Promise.race([done.then(() => undefined), lost])
  if (reason !== undefined) logger.warn({ reason }, 'lost leadership')
  tell()
  const outcome = await done
  watching.abort()
  signal.removeEventListener('abort', tell)
  return outcome
}

export const createKafkaLeadership = (options: KafkaLeadershipOptions): Leadership => {
  const { settings: config, chainId, groupId, logger } = options
  const topic = topicOf('governance', chainId)
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  let state: 'leading' | 'standby' = 'standby'

  /** Once: from standing by to having led. */
  const leadOnce = async (term: Term, signal: AbortSignal): Promise<void> => {
    const leaving = new AbortController()
    const member = createGroupMember({ config, groupId, topic, logger, signal: leaving.signal })
    try {
      // A member that waits for others to join need not be waited for.
      await Promise.race([standBy(member, logger, signal), fired(signal, leaving.signal)])
      if (signal.aborted) return
      state = 'leading'
      logger.info({ groupId }, 'began to lead')
      const { error, wasTold } = await runTerm(member, { term, logger, signal })
      const isExpected = error === undefined || wasTold || hasCode(error, 'LOG_FENCED')
      if (!isExpected) throw error
      if (error !== undefined) logger.info({ reason: String(error) }, 'ended a term')
    } finally {
      state = 'standby'
      // At once for the others, instead of after the session's time.
      await member.leave().catch(() => {})
      leaving.abort()
    }
  }
  const lead = async (term: Term, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await leadOnce(term, signal)
      await sleep(STAND_BACK_MS, signal)
    }
  }
  return {
    lead: (term, signal) => {
      const leading = lead(term, AbortSignal.any([signal, closing.signal]))
      const watched = leading.catch(() => {})
      running.add(watched)
      void watched.then(() => running.delete(watched))
      return leading
    },
    state: () => state,
    close: async () => {
      closing.abort()
      await Promise.all(running)
    },
  }
}
