// Raises the alarm for a tally that is not the chain's own, that cannot be computed again, or whose live numbers cannot be.
import type { Logger } from '../infra/runtime/logger.ts'
import type { ImpossibleNumbers, TallyAlert } from './fold/alerts.ts'

const LOGGED_AT_MOST = 20

/** `count` takes `matches_chain`: no, unknown. */
export const raiseTallyAlarm = (
  alarms: readonly TallyAlert[],
  log: Logger,
  count: { inc(labels: { matches_chain: string }): void },
): void => {
  for (const { matchesChain } of alarms) count.inc({ matches_chain: matchesChain })
  for (const alarm of alarms.slice(0, LOGGED_AT_MOST)) {
    const { proposalId, round, matchesChain, reason } = alarm
    if (matchesChain === 'no') {
      log.error({ proposalId, round, reason }, "computed another tally than the chain's")
    } else {
      log.warn({ proposalId, round, reason }, 'could not compute a tally again')
    }
  }
  const more = alarms.length - LOGGED_AT_MOST
  if (more > 0) log.error({ more }, "kept more tallies that are not shown to be the chain's")
}

export const raiseImpossibleAlert = (
  impossible: readonly ImpossibleNumbers[],
  log: Logger,
  count: { inc(): void },
): void => {
  for (const [at, numbers] of impossible.entries()) {
    count.inc()
    if (at < LOGGED_AT_MOST) log.error({ ...numbers }, 'left out live numbers that cannot be')
  }
}
