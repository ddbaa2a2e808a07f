// One type for a proposal from old state, from new state and from a transaction.
import type { ProposalState, TallyCounts } from '../contract/facts.ts'
import { type AnyMessage, MAX_TYPE_LENGTH } from '../schema/message-json.ts'

/** The messages are still bytes: their meaning depends on the schema of the chain. */
export type ProposalContent = { proposal: ProposalState; messages: readonly AnyMessage[] }

export const readMessageTypes = (messages: readonly AnyMessage[]): string[] =>
  messages.map(({ typeUrl }) => typeUrl.slice(0, MAX_TYPE_LENGTH))

const STATUSES = ['status_0', 'deposit_period', 'voting_period', 'passed', 'rejected', 'failed']

export const statusName = (number: number): string => STATUSES[number] ?? `status_${number}`

const isOpen = (status: string): boolean =>
  status === 'deposit_period' || status === 'voting_period'

/**
 * Zeros in an open proposal mean "not tallied yet". Other values are the failed round of an expedited vote
 * that restarted.
 */
export const toFinalTally = (
  tally: TallyCounts | undefined,
  status: string,
): TallyCounts | null => {
  if (!tally) return null
  const counts = Object.values(tally)
  if (counts.some((count) => !/^\d+$/.test(count))) return null
  return isOpen(status) && counts.every((count) => BigInt(count) === 0n) ? null : tally
}
