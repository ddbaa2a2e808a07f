// What could not be read: raises the alarm, and keeps it besides the table. Nothing is dropped in silence.
import type { Logger } from '../infra/runtime/logger.ts'
import type { DeadLetterRow } from './contract/read-model.ts'

/**
 * Where dead letters go besides the table `dead_letters`. Written before the checkpoint of their commit is; after a
 * cut-off commit it gets them again, and keeps each letter once all the same.
 */
export type DeadLetterSink = { keep(letters: readonly DeadLetterRow[]): Promise<void> }

const LOGGED_AT_MOST = 20

/** One line a letter up to a limit, then one for the rest; never their bytes. */
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
    logger.error({ offset, height, proposalId, reason }, 'kept a record that could not be read')
  }
  const more = letters.length - LOGGED_AT_MOST
  if (more > 0) logger.error({ more }, 'kept more records that could not be read')
}
