// Raises the alarm for what could not be read: nothing is dropped in silence.
import type { Logger } from '../infra/runtime/logger.ts'
import type { DeadLetterRow } from './contract/read-model.ts'

const LOGGED_AT_MOST = 20

/** One line a letter up to a limit, then one for the rest; never their bytes. */
export const raiseAlarm = (
  letters: readonly DeadLetterRow[],
  log: Logger,
  count: { inc(by: number): void },
): void => {
  if (letters.length === 0) return
  count.inc(letters.length)
  for (const { offset, height, proposal_id: proposalId, reason } of letters.slice(
    0,
    LOGGED_AT_MOST,
  )) {
    log.error({ offset, height, proposalId, reason }, 'kept a record that could not be read')
  }
  const more = letters.length - LOGGED_AT_MOST
  if (more > 0) log.error({ more }, 'kept more records that could not be read')
}
