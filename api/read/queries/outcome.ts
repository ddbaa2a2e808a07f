// Compares a tally with quorum and thresholds as the chain does, and finds why a proposal was rejected. Pure.
import { ATTO } from '../../../ingest/contract/decimal.ts'
import { compareTally } from '../../../ingest/contract/tally-rules.ts'
import type { OutcomeReason, Tally } from '../../schemas/proposal.ts'

export type Sums = { yes: bigint; no: bigint; abstain: bigint; noWithVeto: bigint }

/** Undefined if one of the sums is not known. */
export const toSums = (
  tally: Pick<Tally, 'yes' | 'no' | 'abstain' | 'noWithVeto'>,
): Sums | undefined => {
  const { yes, no, abstain, noWithVeto } = tally
  if (yes === null || no === null || abstain === null || noWithVeto === null) return undefined
  return {
    yes: BigInt(yes),
    no: BigInt(no),
    abstain: BigInt(abstain),
    noWithVeto: BigInt(noWithVeto),
  }
}

export const sumVotes = ({ yes, no, abstain, noWithVeto }: Sums): bigint =>
  yes + no + abstain + noWithVeto

type Limits = Pick<Tally, 'quorum' | 'threshold' | 'vetoThreshold' | 'bondedTokens'>

export const compareWithLimits = (limits: Limits, { yes, abstain, no, noWithVeto }: Sums) => {
  const sums = {
    yes: yes * ATTO,
    abstain: abstain * ATTO,
    no: no * ATTO,
    noWithVeto: noWithVeto * ATTO,
  }
  return compareTally({ sums, votingPower: sumVotes(sums) }, limits, limits.bondedTokens ?? '0')
}

/** The first comparison that rejects the proposal. Null if it was not rejected, or if a number is not known. */
export const findOutcomeReason = (
  status: string,
  tally: (Limits & Parameters<typeof toSums>[0]) | null,
): OutcomeReason | null => {
  const sums = status === 'rejected' && tally ? toSums(tally) : undefined
  if (!tally || !sums) return null
  const { quorum, veto, threshold } = compareWithLimits(tally, sums)
  if (quorum.isMet === null) return null
  if (!quorum.isMet) return 'quorum_not_reached'
  if (veto.isMet) return 'vetoed'
  // The chain rejects a proposal that has only abstentions.
  return threshold.isMet ? null : 'threshold_not_met'
}
