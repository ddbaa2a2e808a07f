// Raises alerts for undecodable records, for a tally that differs from the chain or cannot be recomputed, and for impossible live numbers.
import type { Logger } from '../../infra/base/runtime/logger.ts'
import type { FoldedRows } from '../fold/rows/rows.ts'
import type { ProjectionMetrics } from '../projection-metrics.ts'

const LOGGED_AT_MOST = 20

type Line = { isError: boolean; fields: object; msg: string }

/** One line each up to a limit, then one line for the others. */
const logSome = (lines: readonly Line[], logger: Logger, more: string): void => {
  for (const { isError, fields, msg } of lines.slice(0, LOGGED_AT_MOST)) {
    if (isError) logger.error(fields, msg)
    else logger.warn(fields, msg)
  }
  const left = lines.length - LOGGED_AT_MOST
  if (left > 0) logger.error({ more: left }, more)
}

export function raiseAlerts(
  { undecodable, tallyAlerts, impossible }: FoldedRows,
  logger: Logger,
  metrics: ProjectionMetrics,
): void {
  if (undecodable.length > 0) metrics.undecodableRecords(undecodable.length)
  // Never their bytes, which the log keeps.
  const records = undecodable.map(({ offset, at, proposalId, reason }) => ({
    isError: true,
    fields: { offset: `${offset}`, height: `${at.height}`, proposalId, reason },
    msg: 'could not decode a record',
  }))
  const tallies = tallyAlerts.map(({ proposalId, round, matchesChain, reason }) => {
    metrics.unmatchedTally(matchesChain)
    const isError = matchesChain === 'no'
    const msg = isError ? 'recomputed tally differs from the chain' : 'could not recompute a tally'
    return { isError, fields: { proposalId, round, reason }, msg }
  })
  const numbers = impossible.map((fields) => {
    metrics.impossibleNumbers()
    return { isError: true, fields, msg: 'left out impossible live numbers' }
  })
  logSome(records, logger, 'could not decode more records')
  logSome(tallies, logger, 'kept more tallies that differ or could not be recomputed')
  logSome(numbers, logger, 'left out more impossible live numbers')
}
