// Raises alerts for undecodable records and passes them to the log of dead letters.
import type { Logger } from '../infra/base/runtime/logger.ts'
import type { DeadLetterRow } from './contract/read-model.ts'

/**
 * Receives dead letters in addition to the table `dead_letters`, before the checkpoint of their commit. After
 * an interrupted commit it receives them again, and keeps each letter once.
 */
export type DeadLetterSink = { keep(letters: readonly DeadLetterRow[]): Promise<void> }

const LOGGED_AT_MOST = 20

/** One line per letter up to a limit, then one line for the others; never their bytes. */
export const raiseDeadLetterAlert = (
  letters: readonly DeadLetterRow[],
  logger: Logger,
  count: { inc(by: number): void },
): void => {
  if (letters.length === 0) return
  count.inc(letters.length)
  for (const { offset, height, proposal_id: proposalId, reason } of letters.slice(
    0,
    LOGGED_AT_MOST,
  )) {
    logger.error({ offset, height, proposalId, reason }, 'kept an undecodable record')
  }
  const more = letters.length - LOGGED_AT_MOST
  if (more > 0) logger.error({ more }, 'kept more undecodable records')
}
