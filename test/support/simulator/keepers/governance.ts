// x/gov of a simulated chain, by the rules of its keeper: deposits, votes, rounds and decisions at the end of a block.
import { ATTO, parseDecimal, quo } from '../../../../ingest/contract/decimal.ts'
import { RULES } from '../state/chain-state.ts'
import { bondedTokens, type Staking } from './staking.ts'
import { computeTally, type Tally, type WeightedVote } from './tally.ts'

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
  final: Tally | undefined
}

export type Governance = {
  proposals: Map<string, SimProposal>
  /** Proposal → voter → vote. */
  votes: Map<string, Map<string, WeightedVote>>
  rules: typeof RULES
}

export const createGovernance = (): Governance => ({
  proposals: new Map(),
  votes: new Map(),
  rules: RULES,
})

/** In its deposit period. */
export const createProposal = (
  proposal: Pick<SimProposal, 'id' | 'submittedAt'> & Partial<SimProposal>,
): SimProposal => ({
  proposer: 'proposer',
  title: `Proposal ${proposal.id}`,
  summary: 'What it is about',
  messages: [],
  deeds: [],
  status: 'deposit',
  expedited: false,
  votingStart: 0,
  endsAt: proposal.submittedAt + DEPOSIT_HEIGHTS,
  deposit: MIN_DEPOSIT,
  round: 0,
  final: undefined,
  ...proposal,
})

export const MIN_DEPOSIT = 10n
export const REGULAR_HEIGHTS = 14
export const EXPEDITED_HEIGHTS = 6
export const DEPOSIT_HEIGHTS = 6

export const startVoting = (proposal: SimProposal, height: number): void => {
  proposal.status = 'voting'
  proposal.round = 1
  proposal.votingStart = height
  proposal.endsAt = height + (proposal.expedited ? EXPEDITED_HEIGHTS : REGULAR_HEIGHTS)
}

export const createOpenProposal = (id: string, height: number, endsAt: number): SimProposal => {
  const proposal = createProposal({ id, submittedAt: height })
  startVoting(proposal, height)
  proposal.endsAt = endsAt
  return proposal
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

const passes = (tally: Tally, bonded: bigint, rules: typeof RULES, expedited: boolean): boolean => {
  const [yes, abstain, veto] = ['yes', 'abstain', 'noWithVeto'].map(
    (key) => BigInt(tally.counts[key as 'yes' | 'abstain' | 'noWithVeto']) * ATTO,
  ) as [bigint, bigint, bigint]
  const { votingPower } = tally
  if (bonded === 0n || quo(votingPower, bonded * ATTO) < parseDecimal(rules.quorum)) return false
  if (votingPower - abstain <= 0n) return false
  if (quo(veto, votingPower) > parseDecimal(rules.vetoThreshold)) return false
  const threshold = expedited ? rules.expeditedThreshold : rules.threshold
  return quo(yes, votingPower - abstain) > parseDecimal(threshold)
}

export type Ending =
  | { kind: 'dropped'; proposal: SimProposal }
  | { kind: 'restarted' | 'passed' | 'rejected'; proposal: SimProposal; tally: Tally }

type Modules = { governance: Governance; staking: Staking }

/** The chain's own tally of each open vote. */
export const listOpenRounds = ({ staking, governance }: Modules) =>
  [...governance.proposals.values()]
    .filter(({ status }) => status === 'voting')
    .map(({ id, round }) => ({
      id,
      round,
      tally: computeTally(staking, votesOn(governance, id)),
    }))

/** Ends the votes of this height in order: `carryOut` finishes before the next tally. */
export const endGovernanceBlock = (
  { governance, staking }: Modules,
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
