// Raises alerts for undecodable records, for a tally that differs from the chain or cannot be recomputed, and for impossible live numbers.
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { DeadLetterRow } from '../contract/tables/dead-letters.ts'
import type { ImpossibleNumbers, TallyAlert } from '../fold/alerts.ts'

const LOGGED_AT_MOST = 20

/** One line per letter up to a limit, then one line for the others; never their bytes. */
export const raiseDeadLetterAlert = (
  letters: readonly DeadLetterRow[],
  logger: Logger,
  count: { inc(by: number): void },
): void => {
  if (letters.length === 0) return
  count.inc(letters.length)
  for (const { offset, height, proposalId, reason } of letters.slice(0, LOGGED_AT_MOST)) {
    const position = { offset: `${offset}`, height: `${height}` }
    logger.error({ ...position, proposalId, reason }, 'kept an undecodable record')
  }
  const more = letters.length - LOGGED_AT_MOST
  if (more > 0) logger.error({ more }, 'kept more undecodable records')
}

/** `count` increments the metric with `matches_chain`: no, unknown. */
export const raiseTallyAlert = (
  alerts: readonly TallyAlert[],
  logger: Logger,
  count: { inc(labels: { matches_chain: string }): void },
): void => {
  for (const { matchesChain } of alerts) count.inc({ matches_chain: matchesChain })
  for (const alert of alerts.slice(0, LOGGED_AT_MOST)) {
    const { proposalId, round, matchesChain, reason } = alert
    if (matchesChain === 'no') {
      logger.error({ proposalId, round, reason }, 'recomputed tally differs from the chain')
    } else {
      logger.warn({ proposalId, round, reason }, 'could not recompute a tally')
    }
  }
  const more = alerts.length - LOGGED_AT_MOST
  if (more > 0) logger.error({ more }, 'kept more tallies that differ or could not be recomputed')
}

export const raiseImpossibleAlert = (
  impossible: readonly ImpossibleNumbers[],
  logger: Logger,
  count: { inc(): void },
): void => {
  for (const [at, numbers] of impossible.entries()) {
    count.inc()
    if (at < LOGGED_AT_MOST) logger.error({ ...numbers }, 'left out impossible live numbers')
  }
}
