// What a block or an event says of one proposal. A fact is the same before its event is complete and after it is read from the log.
import type { EventOf, GovernanceEvent, GovernanceEventType } from '../events.ts'
import type { Coin, ProposalState, VoteReason, WeightedOption } from '../facts.ts'

export type Finding = EventOf<'rollcall.proposal.reconciled.v1'>['data']['finding']
export type Cause = EventOf<'rollcall.proposal.reconciled.v1'>['data']['cause']
export type Outcome = EventOf<'rollcall.proposal.closed.v1'>['data']['outcome']

type Of<Kind extends string, Members = unknown> = { kind: Kind; proposalId: string } & Members
type Ending = { result: string; log: string | null }

/** All that a block says, without state. A reconciled fact is of the state: it differs from the events. */
export type BlockFact =
  | Of<'submitted', { proposer: string | null; proposerReason: string | null }>
  | Of<'deposited', { depositor: string | null; depositorReason: string | null; amount: Coin[] }>
  | Of<'voting_started'>
  | Of<
      'vote_cast',
      {
        voter: string | null
        voterReason: string | null
        options: WeightedOption[]
        /** Absent if there is none. */
        reason?: VoteReason
        /** False for a vote after the tally. */
        counted: boolean
      }
    >
  /** `isTallied`: false if it ended without a vote. */
  | Of<'closed', Ending & { outcome: Outcome; isTallied: boolean }>
  /** An expedited vote fell back to a regular one. */
  | Of<'restarted', Ending>
  | Of<'canceled', { sender: string | null }>
  | Of<'dropped', { result: string }>
  | Of<'reconciled', { finding: Finding; cause: Cause; result: string | null; log: string | null }>
  | {
      kind: 'undecodable'
      proposalId: string | null
      abciType: string
      attributes: { key: string; value: string }[]
      reason: string
    }

/** What the kernel adds to a fact of a block. */
type Known = {
  /** As an event names it. Undefined in a block, where the state decides. */
  round?: number | undefined
  /** The state of the chain after the height; absent or null if it was not read. */
  read?: ProposalState | null | undefined
}

/** A proposal in the state before the first height of a log. */
export type ListedFact = Of<'listed', Known & { round: number; read: ProposalState }>
export type VoteFact = Of<
  'vote_cast',
  Known & {
    voter: string | null
    options: readonly WeightedOption[]
    reason?: VoteReason | undefined
    counted: boolean
  }
>
type OtherKind = Exclude<BlockFact['kind'], 'vote_cast' | 'closed' | 'reconciled' | 'undecodable'>

/** The part of a fact that decides what changes: the same in a block and in its event. */
export type ProposalFact =
  | ListedFact
  | VoteFact
  | Of<OtherKind, Known>
  | Of<'closed', Known & { isTallied?: boolean }>
  | Of<'reconciled', Known & { finding: Finding }>

export type GovernanceFact =
  | ProposalFact
  | ({ kind: 'undecodable'; proposalId: string | null } & Known)

/** The events that are one fact each. `abciType`: of x/gov; null if no event of a block reports it. */
const FACTS = {
  'rollcall.proposal.submitted.v1': { kind: 'submitted', abciType: 'submit_proposal' },
  'rollcall.proposal.deposited.v1': { kind: 'deposited', abciType: 'proposal_deposit' },
  'rollcall.voting.started.v1': { kind: 'voting_started', abciType: 'submit_proposal' },
  'rollcall.vote.cast.v1': { kind: 'vote_cast', abciType: 'proposal_vote' },
  'rollcall.voting.restarted.v1': { kind: 'restarted', abciType: 'active_proposal' },
  'rollcall.proposal.closed.v1': { kind: 'closed', abciType: 'active_proposal' },
  'rollcall.proposal.canceled.v1': { kind: 'canceled', abciType: 'cancel_proposal' },
  'rollcall.proposal.dropped.v1': { kind: 'dropped', abciType: 'inactive_proposal' },
  'rollcall.proposal.reconciled.v1': { kind: 'reconciled', abciType: null },
} as const satisfies {
  [Type in GovernanceEventType]?: { kind: BlockFact['kind']; abciType: string | null }
}

export type FactEvent = EventOf<keyof typeof FACTS>

export const isFactEvent = (event: GovernanceEvent): event is FactEvent =>
  Object.hasOwn(FACTS, event.type)

/** The event of x/gov that the event reports; null if it reports none. */
export const findAbciType = (event: GovernanceEvent): string | null =>
  isFactEvent(event) ? FACTS[event.type].abciType : null

const OPEN: readonly string[] = ['deposit_period', 'voting_period']

export const isOpen = ({ status }: Pick<ProposalState, 'status'>): boolean => OPEN.includes(status)

type Snapshot = EventOf<'rollcall.chain.snapshot.v1'>['data']

type Listed = Pick<Snapshot['proposals'][number], 'proposal' | 'round'>

export const toListedFact = ({ proposal, round }: Listed): ListedFact => ({
  kind: 'listed',
  proposalId: proposal.proposalId,
  // The state does not have the number of rounds.
  round: proposal.status === 'voting_period' ? Math.max(round, 1) : 0,
  read: proposal,
})

/** One literal, no spreads: this runs once per vote of a backfill. */
const toVoteFact = (vote: Omit<VoteFact, 'kind'>): VoteFact => ({
  kind: 'vote_cast',
  proposalId: vote.proposalId,
  round: vote.round,
  voter: vote.voter,
  options: vote.options,
  reason: vote.reason,
  counted: vote.counted,
})

/** Members that the data of some of these events has. */
type Data = {
  proposalId: string
  round?: number
  proposal?: ProposalState | null
  proposalReason?: string | null
  finding?: Finding
}

export const toFact = (event: FactEvent): ProposalFact => {
  if (event.type === 'rollcall.vote.cast.v1') return toVoteFact(event.data)
  const { kind } = FACTS[event.type]
  const { proposalId, round, proposal, proposalReason, finding }: Data = event.data
  // A submission that only its transaction describes has no state.
  const read = proposalReason === null ? proposal : null
  // The table has the kind of exactly this type, but the compiler cannot verify it.
  return { kind, proposalId, round, read, finding } as ProposalFact
}

/** Empty for an event that changes no proposal. */
export const toFacts = (event: GovernanceEvent): readonly GovernanceFact[] => {
  if (isFactEvent(event)) return [toFact(event)]
  if (event.type === 'rollcall.chain.snapshot.v1') return event.data.proposals.map(toListedFact)
  if (event.type !== 'rollcall.abci-event.undecodable.v1') return []
  return [{ kind: 'undecodable', proposalId: event.data.proposalId }]
}
