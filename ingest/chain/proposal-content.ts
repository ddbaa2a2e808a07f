// One type for a proposal from old state, from new state and from a transaction.
import type { Coin, ProposalState, TallyCounts } from '../contract/facts.ts'
import { type AnyMessage, MAX_TYPE_LENGTH } from '../schema/message-json.ts'

/** The messages are still bytes: their meaning depends on the schema of the chain. */
export type ProposalContent = { proposal: ProposalState; messages: readonly AnyMessage[] }

export const readMessageTypes = (messages: readonly AnyMessage[]): string[] =>
  messages.map(({ typeUrl }) => typeUrl.slice(0, MAX_TYPE_LENGTH))

export const toCoins = (coins: readonly Coin[] = []): Coin[] =>
  coins.map(({ denom, amount }) => ({ denom, amount }))

const STATUSES = ['status_0', 'deposit_period', 'voting_period', 'passed', 'rejected', 'failed']

export const statusName = (number: number): string => STATUSES[number] ?? `status_${number}`

const isOpen = (status: string): boolean =>
  status === 'deposit_period' || status === 'voting_period'

const toCount = (text: string): string | null => (/^\d+$/.test(text) ? text : null)

/** Each option for itself: a fork may have fewer. Undefined if the tally has no count at all. */
export const toTallyCounts = (
  tally: Record<keyof TallyCounts, string>,
): TallyCounts | undefined => {
  const counts = {
    yes: toCount(tally.yes),
    abstain: toCount(tally.abstain),
    no: toCount(tally.no),
    noWithVeto: toCount(tally.noWithVeto),
  }
  return Object.values(counts).every((count) => count === null) ? undefined : counts
}

/**
 * Zeros in an open proposal mean "not tallied yet". Other values are the failed round of an expedited vote
 * that restarted.
 */
export const toFinalTally = (
  tally: TallyCounts | undefined,
  status: string,
): TallyCounts | null => {
  if (!tally) return null
  const isZero = Object.values(tally).every((count) => BigInt(count ?? '0') === 0n)
  return isOpen(status) && isZero ? null : tally
}
