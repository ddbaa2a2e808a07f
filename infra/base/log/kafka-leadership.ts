// Leadership by Kafka: the leader of a consumer group leads. Kafka chooses it, and keeps it while other members join and leave.
// A member subscribes to no topic and fetches nothing. A term ends before the next one begins: a leader without contact to
// the group stops by its own clock, before the group gets another leader.
import { onAbort, untilAborted } from '../runtime/abort.ts'
import { pause } from '../runtime/clock.ts'
import { hasCode } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { withDeadline } from '../runtime/retry.ts'
import { connectKafka } from './kafka-client.ts'
import type { KafkaConfig } from './kafka-settings.ts'

type Membership = {
  /** Fires once this process leads the group. */
  leads: AbortSignal
  /** Fires with the reason if this process may no longer lead, or cannot be a member. */
  lost: AbortSignal
  leave(): Promise<void>
}

/** The minimum that brokers allow by default. A member without a heartbeat for this time is removed. */
const SESSION_MS = 6_000
/** Shorter than the session and measured from the time of the request, so it ends before the session in the group. */
const LEASE_MS = SESSION_MS - 1_000
const REBALANCE_MS = 10_000
const HEARTBEAT_MS = 500
/** Interval at which the library checks whether a heartbeat is due. */
const IDLE_MS = 200
const REQUEST_MS = 3_000
const LEAVE_MS = 2_000
/** Retries for longer than a lease. */
const JOIN_RETRY = { initialRetryTime: 100, maxRetryTime: 500, retries: 20 }
/** Their answers confirm that this process is a member. */
const CONFIRMING = new Set(['JoinGroup', 'SyncGroup', 'Heartbeat'])

const joinGroup = (config: KafkaConfig, groupId: string): Membership => {
  const { kafka, destroy } = connectKafka(config, REQUEST_MS)
  const [leads, lost] = [new AbortController(), new AbortController()]
  /** The member ID under which this process began to lead. A member that was removed joins again with another one. */
  let leaderId: string | undefined
  let sentMs = 0
  let lease: NodeJS.Timeout | undefined
  const renewLease = () => {
    clearTimeout(lease)
    const leftMs = sentMs + LEASE_MS - performance.now()
    lease = setTimeout(() => lost.abort('the group did not answer'), Math.max(0, leftMs))
  }
  const consumer = kafka.consumer({
    groupId,
    sessionTimeout: SESSION_MS,
    rebalanceTimeout: REBALANCE_MS,
    heartbeatInterval: HEARTBEAT_MS,
    maxWaitTimeInMs: IDLE_MS,
    allowAutoTopicCreation: false,
    retry: { ...JOIN_RETRY, restartOnFailure: async () => false },
  })
  const { REQUEST, HEARTBEAT, GROUP_JOIN, CRASH } = consumer.events
  consumer.on(REQUEST, ({ payload: { apiName, duration } }) => {
    if (CONFIRMING.has(apiName)) sentMs = performance.now() - duration
  })
  consumer.on(HEARTBEAT, () => {
    if (leaderId !== undefined) renewLease()
  })
  consumer.on(GROUP_JOIN, ({ payload: { memberId, isLeader } }) => {
    if (isLeader && memberId === (leaderId ?? memberId)) {
      leaderId = memberId
      renewLease()
      leads.abort()
    } else if (leaderId !== undefined) {
      lost.abort('the group has another leader')
    }
  })
  consumer.on(CRASH, ({ payload: { error } }) => lost.abort(String(error)))
  const run = async () => {
    await consumer.connect()
    await consumer.run({ autoCommit: false, eachBatch: async () => {} })
  }
  const running = run().catch((error: unknown) => lost.abort(String(error)))
  return {
    leads: leads.signal,
    lost: lost.signal,
    leave: async () => {
      const leaving = withDeadline(LEAVE_MS, undefined, async () => {
        await running
        await consumer.disconnect()
      })
      // A member that cannot leave the group is removed at the end of its session.
      await leaving.catch(() => {})
      clearTimeout(lease)
      lost.abort('left')
      destroy()
    },
  }
}

/** One of several processes does the work at a time. */
export type Leadership = {
  /**
   * Runs `term` whenever this process leads; the signal of the term fires when it no longer leads.
   * Ends when `signal` fires. Rejects if a term rejects, except with `LOG_FENCED`, after which
   * the process is on standby again.
   */
  lead(term: (signal: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void>
  /** For /readyz and metrics. */
  state(): 'leading' | 'standby'
}

export type KafkaLeadershipOptions = {
  settings: KafkaConfig
  /** Processes with the same group have one leader, e.g. `rollcall-ingest-<chainId>`. */
  groupId: string
  logger: Logger
}

/** Long enough for the process that fenced this one to lead. */
const STAND_BACK_MS = 2_000

export function createKafkaLeadership(options: KafkaLeadershipOptions): Leadership {
  const { settings, groupId, logger } = options
  let state: ReturnType<Leadership['state']> = 'standby'

  /** Joins the group and leads once, or fails to join. */
  const leadOnce: Leadership['lead'] = async (term, signal) => {
    const { leads, lost, leave } = joinGroup(settings, groupId)
    const ending = AbortSignal.any([signal, lost])
    const unlink = onAbort(lost, () =>
      logger.warn({ groupId, reason: String(lost.reason) }, 'is no longer in the leader election'),
    )
    try {
      await untilAborted(AbortSignal.any([ending, leads]))
      if (ending.aborted) return
      state = 'leading'
      logger.info({ groupId }, 'began to lead')
      // The member stays in the group until its term has ended.
      await term(ending)
    } catch (error) {
      if (!ending.aborted && !hasCode(error, 'LOG_FENCED')) throw error
      logger.info({ groupId, reason: String(error) }, 'ended a term')
    } finally {
      unlink()
      state = 'standby'
      await leave()
    }
  }
  return {
    lead: async (term, signal) => {
      while (!signal.aborted) {
        await leadOnce(term, signal)
        await pause(STAND_BACK_MS, signal)
      }
    },
    state: () => state,
  }
}
