// Raises alerts for undecodable records, for a tally that differs from the chain or cannot be recomputed, and for impossible live numbers.
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { ImpossibleNumbers, TallyAlert } from '../fold/rows/rows.ts'
import type { Undecodable } from '../fold/undecodable.ts'

const LOGGED_AT_MOST = 20

/** One line per record up to a limit, then one line for the others; never their bytes, which the log keeps. */
export const raiseUndecodableAlert = (
  records: readonly Undecodable[],
  logger: Logger,
  count: (by: number) => void,
): void => {
  if (records.length === 0) return
  count(records.length)
  for (const { offset, at, proposalId, reason } of records.slice(0, LOGGED_AT_MOST)) {
    const position = { offset: `${offset}`, height: `${at.height}` }
    logger.error({ ...position, proposalId, reason }, 'could not decode a record')
  }
  const more = records.length - LOGGED_AT_MOST
  if (more > 0) logger.error({ more }, 'could not decode more records')
}

export const raiseTallyAlert = (
  alerts: readonly TallyAlert[],
  logger: Logger,
  count: (matchesChain: string) => void,
): void => {
  for (const { matchesChain } of alerts) count(matchesChain)
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
  count: () => void,
): void => {
  for (const [at, numbers] of impossible.entries()) {
    count()
    if (at < LOGGED_AT_MOST) logger.error({ ...numbers }, 'left out impossible live numbers')
  }
}
