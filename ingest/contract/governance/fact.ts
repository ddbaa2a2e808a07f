// What a block or an event says of one proposal. A fact is the same before its event is complete and after it is read from the log.
import type { EventOf, GovernanceEvent } from '../events.ts'
import type { ProposalState, WeightedOption } from '../facts.ts'

export type Finding = EventOf<'rollcall.proposal.reconciled.v1'>['data']['finding']

type Of<Kind extends string> = {
  kind: Kind
  proposalId: string
  /** As an event names it. Undefined in a block, where the state decides. */
  round?: number | undefined
  /** The state of the chain after the height; absent or null if it was not read. */
  read?: ProposalState | null | undefined
}

/** A proposal in the state before the first height of a log. */
export type ListedFact = Of<'listed'> & { round: number; read: ProposalState }
export type VoteFact = Of<'vote_cast'> & {
  voter: string | null
  options: readonly WeightedOption[]
  /** False for a vote after the tally. */
  counted: boolean
}
type UndecodableFact = Omit<Of<'undecodable'>, 'proposalId'> & { proposalId: string | null }

export type ProposalFact =
  | ListedFact
  | Of<'submitted' | 'deposited' | 'voting_started' | 'restarted' | 'canceled' | 'dropped'>
  | VoteFact
  /** `isTallied`: the chain counted the votes, whether or not the log has any. */
  | (Of<'closed'> & { isTallied?: boolean })
  | (Of<'reconciled'> & { finding: Finding })

export type GovernanceFact = ProposalFact | UndecodableFact

type Data = {
  proposalId: string
  round?: number
  proposal: ProposalState | null
  proposalReason: string | null
}

const toRead = <Kind extends string>(kind: Kind, data: Data): Of<Kind> => ({
  kind,
  proposalId: data.proposalId,
  round: data.round,
  // A submission that only its transaction describes has no state.
  read: data.proposalReason === null ? data.proposal : null,
})

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
export const toVoteFact = (vote: Omit<VoteFact, 'kind'>): VoteFact => ({
  kind: 'vote_cast',
  proposalId: vote.proposalId,
  round: vote.round,
  voter: vote.voter,
  options: vote.options,
  counted: vote.counted,
})

/** The proposals, then the votes. */
const listedFacts = ({ proposals, votes }: Snapshot): GovernanceFact[] => [
  ...proposals.map(toListedFact),
  ...votes.map(({ proposalId, voter, options }) =>
    toVoteFact({ proposalId, voter, options, counted: true }),
  ),
]

/** An event that is one fact. */
export type FactEvent = EventOf<
  | 'rollcall.proposal.submitted.v1'
  | 'rollcall.proposal.deposited.v1'
  | 'rollcall.voting.started.v1'
  | 'rollcall.vote.cast.v1'
  | 'rollcall.voting.restarted.v1'
  | 'rollcall.proposal.closed.v1'
  | 'rollcall.proposal.canceled.v1'
  | 'rollcall.proposal.dropped.v1'
  | 'rollcall.proposal.reconciled.v1'
>

export const toFact = (event: FactEvent): ProposalFact => {
  switch (event.type) {
    case 'rollcall.proposal.submitted.v1':
      return toRead('submitted', event.data)
    case 'rollcall.proposal.deposited.v1':
      return toRead('deposited', event.data)
    case 'rollcall.voting.started.v1':
      return toRead('voting_started', event.data)
    case 'rollcall.vote.cast.v1':
      return toVoteFact(event.data)
    case 'rollcall.voting.restarted.v1':
      return toRead('restarted', event.data)
    case 'rollcall.proposal.closed.v1':
      return toRead('closed', event.data)
    case 'rollcall.proposal.canceled.v1':
      return { kind: 'canceled', proposalId: event.data.proposalId }
    case 'rollcall.proposal.dropped.v1':
      return { kind: 'dropped', proposalId: event.data.proposalId }
    case 'rollcall.proposal.reconciled.v1':
      return { ...toRead('reconciled', event.data), finding: event.data.finding }
  }
}

/** Empty for an event that changes no proposal. */
export const toFacts = (event: GovernanceEvent): readonly GovernanceFact[] => {
  switch (event.type) {
    case 'rollcall.chain.snapshot.v1':
      return listedFacts(event.data)
    case 'rollcall.abci-event.undecodable.v1':
      return [{ kind: 'undecodable', proposalId: event.data.proposalId }]
    case 'rollcall.proposal.submitted.v1':
    case 'rollcall.proposal.deposited.v1':
    case 'rollcall.voting.started.v1':
    case 'rollcall.vote.cast.v1':
    case 'rollcall.voting.restarted.v1':
    case 'rollcall.proposal.closed.v1':
    case 'rollcall.proposal.canceled.v1':
    case 'rollcall.proposal.dropped.v1':
    case 'rollcall.proposal.reconciled.v1':
      return [toFact(event)]
    default:
      return []
  }
}
