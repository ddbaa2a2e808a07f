// x/gov in memory by the rules of its keeper: deposits, votes, rounds and decisions at the end of a block.
import { divide, parseAtto } from './decimal.ts'
import { bondedTokens, type Staking } from './staking.ts'
import { computeTally, type OracleTally, type WeightedVote } from './tally.ts'

export type Rules = {
  quorum: string
  threshold: string
  vetoThreshold: string
  expeditedThreshold: string
}

export type ProposalStatus = 'deposit' | 'voting' | 'passed' | 'rejected' | 'failed'

export type SimProposal = {
  readonly id: string
  readonly proposer: string
  readonly title: string
  readonly summary: string
  readonly messages: readonly { typeUrl: string; value: Uint8Array }[]
  /** The effect of its messages after it has passed; the executor defines the names. */
  readonly deeds: readonly string[]
  readonly submittedAt: number
  status: ProposalStatus
  expedited: boolean
  votingStart: number
  /** The height with the decision in its end block: of the deposit period, then of the round. */
  endsAt: number
  deposit: bigint
  round: number
  final: OracleTally | undefined
}

export type Governance = {
  proposals: Map<string, SimProposal>
  /** Proposal → voter → vote. */
  votes: Map<string, Map<string, WeightedVote>>
  rules: Rules
}

export const REGULAR_HEIGHTS = 14
export const EXPEDITED_HEIGHTS = 6
export const DEPOSIT_HEIGHTS = 6

export const startVoting = (proposal: SimProposal, height: number): void => {
  proposal.status = 'voting'
  proposal.round = 1
  proposal.votingStart = height
  proposal.endsAt = height + (proposal.expedited ? EXPEDITED_HEIGHTS : REGULAR_HEIGHTS)
}

export const vote = (
  governance: Governance,
  { id, voter, options }: { id: string; voter: string; options: WeightedVote },
): boolean => {
  if (governance.proposals.get(id)?.status !== 'voting') return false
  const votes = governance.votes.get(id) ?? new Map<string, WeightedVote>()
  // A changed vote keeps its position, like a key of the store.
  votes.set(voter, options)
  governance.votes.set(id, votes)
  return true
}

export const votesOn = ({ votes }: Governance, id: string): ReadonlyMap<string, WeightedVote> =>
  votes.get(id) ?? new Map()

/** Deletes a canceled proposal, or one without the minimum deposit. */
export const deleteProposal = ({ proposals, votes }: Governance, id: string): void => {
  proposals.delete(id)
  votes.delete(id)
}

const passes = (tally: OracleTally, bonded: bigint, rules: Rules, expedited: boolean): boolean => {
  const unit = 10n ** 18n
  const [yes, abstain, veto] = ['yes', 'abstain', 'noWithVeto'].map(
    (key) => BigInt(tally.counts[key as 'yes' | 'abstain' | 'noWithVeto']) * unit,
  ) as [bigint, bigint, bigint]
  const { votingPower } = tally
  if (bonded === 0n || divide(votingPower, bonded * unit) < parseAtto(rules.quorum)) return false
  if (votingPower - abstain <= 0n) return false
  if (divide(veto, votingPower) > parseAtto(rules.vetoThreshold)) return false
  const threshold = expedited ? rules.expeditedThreshold : rules.threshold
  return divide(yes, votingPower - abstain) > parseAtto(threshold)
}

export type Ending =
  | { kind: 'dropped'; proposal: SimProposal }
  | { kind: 'restarted' | 'passed' | 'rejected'; proposal: SimProposal; tally: OracleTally }

/** Ends the votes of this height in order: `carryOut` finishes before the next tally. */
export const endGovernanceBlock = (
  { governance, staking }: { governance: Governance; staking: Staking },
  height: number,
  carryOut: (ending: Ending) => void,
): void => {
  const due = [...governance.proposals.values()].filter(({ endsAt }) => endsAt === height)
  for (const proposal of due.filter(({ status }) => status === 'deposit')) {
    deleteProposal(governance, proposal.id)
    carryOut({ kind: 'dropped', proposal })
  }
  for (const proposal of due.filter(({ status }) => status === 'voting')) {
    const tally = computeTally(staking, votesOn(governance, proposal.id))
    governance.votes.delete(proposal.id)
    const isPassed = passes(tally, bondedTokens(staking), governance.rules, proposal.expedited)
    proposal.final = tally
    if (!isPassed && proposal.expedited) {
      proposal.expedited = false
      proposal.round += 1
      proposal.endsAt = proposal.votingStart + REGULAR_HEIGHTS
      carryOut({ kind: 'restarted', proposal, tally })
      continue
    }
    // Its messages run while it is still open: their votes on this proposal stay in state.
    carryOut({ kind: isPassed ? 'passed' : 'rejected', proposal, tally })
    proposal.status = isPassed ? 'passed' : 'rejected'
  }
}
