// Leadership by Kafka: the leader of a consumer group leads. A term ends before the next one begins.
// A leader without contact to the group stops by its own clock, before the group gets another leader.
import { onAbort, untilAborted } from '../runtime/abort.ts'
import { pause } from '../runtime/clock.ts'
import { hasCode } from '../runtime/errors.ts'
import type { Logger } from '../runtime/logger.ts'
import { joinGroup, type Membership } from './kafka-group.ts'
import type { KafkaConfig } from './kafka-settings.ts'
import type { Leadership } from './leadership.ts'

export type KafkaLeadershipOptions = {
  settings: KafkaConfig
  /** Processes with the same group have one leader, e.g. `rollcall-ingest-<chainId>`. */
  groupId: string
  logger: Logger
}

type Term = (signal: AbortSignal) => Promise<void>

const RETRY_MS = 1_000
/** Long enough for the process that fenced this one to lead. */
const STAND_BACK_MS = 2_000

export const createKafkaLeadership = (options: KafkaLeadershipOptions): Leadership => {
  const { settings: config, groupId, logger } = options
  const closing = new AbortController()
  const running: Promise<void>[] = []
  let state: 'leading' | 'standby' = 'standby'

  const runTerm = async (term: Term, { lost }: Membership, signal: AbortSignal): Promise<void> => {
    state = 'leading'
    logger.info({ groupId }, 'began to lead')
    const ending = AbortSignal.any([signal, lost])
    const unlink = onAbort(lost, () =>
      logger.warn({ reason: String(lost.reason) }, 'lost leadership'),
    )
    try {
      // The member stays in the group until its term has ended.
      await term(ending)
    } catch (error) {
      if (!ending.aborted && !hasCode(error, 'LOG_FENCED')) throw error
      logger.info({ reason: String(error) }, 'ended a term')
    } finally {
      unlink()
      state = 'standby'
    }
  }
  /** Joins the group and leads once, or fails to join. Returns the pause before the next attempt. */
  const leadOnce = async (term: Term, signal: AbortSignal): Promise<number> => {
    const member = joinGroup({ config, groupId, logger })
    try {
      await untilAborted(AbortSignal.any([signal, member.leads, member.lost]))
      if (signal.aborted) return 0
      if (!member.lost.aborted) {
        await runTerm(term, member, signal)
        return STAND_BACK_MS
      }
      logger.warn({ reason: String(member.lost.reason) }, 'could not join the leader election')
      return RETRY_MS
    } finally {
      await member.leave()
    }
  }
  const lead = async (term: Term, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const pauseMs = await leadOnce(term, signal)
      await pause(pauseMs, signal)
    }
  }
  return {
    lead: (term, signal) => {
      const leading = lead(term, AbortSignal.any([signal, closing.signal]))
      running.push(leading)
      return leading
    },
    state: () => state,
    close: async () => {
      closing.abort()
      await Promise.allSettled(running)
    },
  }
}
