// Every kind of fact in the governance log: name, data, and the union a consumer switches on.
// Immutable: a field is added, never renamed or dropped; a breaking change is a new `.v2`.
import { type Static, Type } from 'typebox'
import { envelopeOf } from './envelope.ts'
import {
  Coin,
  Delegation,
  GovParams,
  IntegerString,
  Message,
  nullable,
  PoolState,
  ProposalId,
  ProposalState,
  Reason,
  TallyCounts,
  TallyStrategy,
  VoteState,
  WeightedOption,
} from './facts.ts'

const TxHash = nullable(Type.String({ pattern: '^[0-9A-F]{64}$' }))
/** A proposal has one, or two where an expedited vote fell back. */
const Round = Type.Integer({ minimum: 0, maximum: 2 ** 16 - 1 })
/** `proposal` is null, with `proposalReason`, where the node could not show it. */
const proposalAsOfHeight = {
  proposalId: ProposalId,
  proposal: nullable(ProposalState),
  proposalReason: nullable(Reason),
}
const chunkOf = { chunk: Type.Integer({ minimum: 0 }), chunks: Type.Integer({ minimum: 1 }) }

/** State before the first indexed block, in chunks; each list may be empty in any chunk. */
export const ChainSnapshot = envelopeOf(
  'rollcall.chain.snapshot.v1',
  Type.Object({
    ...chunkOf,
    /** The height whose committed state this is: the height before the first indexed one. */
    stateHeight: Type.Integer(),
    proposals: Type.Array(
      Type.Object({
        proposal: ProposalState,
        messages: Type.Array(Message),
        /** 0 while no vote was held, 2 where an expedited vote fell back, else 1. */
        round: Round,
        /** Why `round` is only the lowest that it can be; absent where it is known. */
        roundReason: Type.Optional(Reason),
        /** Why the proposal's `proposer` is null; absent where it is not. */
        proposerReason: Type.Optional(Reason),
      }),
    ),
    votes: Type.Array(VoteState),
    pools: Type.Array(PoolState),
    /** In chunk 0. */
    params: nullable(GovParams),
    /** In chunk 0: how this chain counts votes; absent: as x/gov does (`inherit`). */
    strategy: Type.Optional(TallyStrategy),
    /** In chunk 0. */
    bondedTokens: nullable(IntegerString),
    /** What the node could not answer, each with its reason. Empty when all is there. */
    unavailable: Type.Array(Type.Object({ what: Type.String(), reason: Reason })),
  }),
)

export const ProposalSubmitted = envelopeOf(
  'rollcall.proposal.submitted.v1',
  Type.Object({
    ...proposalAsOfHeight,
    messages: Type.Array(Message),
    txHash: TxHash,
    /** Why the proposal's `proposer` is null; absent where it is not. */
    proposerReason: Type.Optional(Reason),
  }),
)

export const ProposalDeposited = envelopeOf(
  'rollcall.proposal.deposited.v1',
  Type.Object({
    ...proposalAsOfHeight,
    /** Null, with `depositorReason`, where neither the chain's events nor the transaction name one. */
    depositor: nullable(Type.String()),
    depositorReason: Type.Optional(Reason),
    amount: Type.Array(Coin),
    txHash: TxHash,
  }),
)

export const VotingStarted = envelopeOf(
  'rollcall.voting.started.v1',
  Type.Object({ ...proposalAsOfHeight, txHash: TxHash }),
)

export const VoteCast = envelopeOf(
  'rollcall.vote.cast.v1',
  Type.Object({
    proposalId: ProposalId,
    round: Round,
    /** Null, with `voterReason`, where the chain's events do not name the voter. */
    voter: nullable(Type.String()),
    voterReason: nullable(Reason),
    options: Type.Array(WeightedOption),
    txHash: TxHash,
    /** False for a vote that came after its own proposal's tally, in the same end block. */
    counted: Type.Boolean(),
    /** The voter's delegations after this height. Null, with the reason, where unknown. */
    delegations: nullable(Type.Array(Delegation)),
    delegationsReason: nullable(Reason),
  }),
)

const close = {
  ...proposalAsOfHeight,
  round: Round,
  /** `proposal_log`; null before SDK 0.50. */
  log: nullable(Type.String()),
  finalTally: nullable(TallyCounts),
  /** The tally's denominator: balance of the bonded pool. */
  bondedTokens: nullable(IntegerString),
  params: nullable(GovParams),
  /** Why any of the three above is null; null when none is. */
  unavailableReason: nullable(Reason),
}

/** An expedited proposal fell back to a regular vote: a new round begins, this round's votes are void. */
export const VotingRestarted = envelopeOf(
  'rollcall.voting.restarted.v1',
  Type.Object({ ...close, result: Type.String() }),
)

export const ProposalClosed = envelopeOf(
  'rollcall.proposal.closed.v1',
  Type.Object({
    ...close,
    /** `passed`, `rejected`, `failed`, or `unknown` with the chain's own word in `result`. */
    outcome: Type.Union([
      Type.Literal('passed'),
      Type.Literal('rejected'),
      Type.Literal('failed'),
      Type.Literal('unknown'),
    ]),
    result: Type.String(),
  }),
)

export const ProposalCanceled = envelopeOf(
  'rollcall.proposal.canceled.v1',
  Type.Object({ proposalId: ProposalId, sender: nullable(Type.String()), txHash: TxHash }),
)

/** The deposit was not met in time; the chain has deleted the proposal. */
export const ProposalDropped = envelopeOf(
  'rollcall.proposal.dropped.v1',
  Type.Object({ proposalId: ProposalId, result: Type.String() }),
)

/** A governance event that could not be understood: kept as it came, with the reason. */
export const AbciEventUnread = envelopeOf(
  'rollcall.abci-event.unread.v1',
  Type.Object({
    abciType: Type.String(),
    attributes: Type.Array(Type.Object({ key: Type.String(), value: Type.String() })),
    proposalId: nullable(ProposalId),
    txHash: TxHash,
    reason: Reason,
  }),
)

export const PoolsObserved = envelopeOf(
  'rollcall.pools.observed.v1',
  Type.Object({
    ...chunkOf,
    /** Full: every pool there is; else only those that changed since the last one. */
    full: Type.Boolean(),
    pools: Type.Array(PoolState),
    bondedTokens: nullable(IntegerString),
    unavailableReason: nullable(Reason),
  }),
)

export const ParamsObserved = envelopeOf(
  'rollcall.params.observed.v1',
  Type.Object({
    params: nullable(GovParams),
    /** How this chain counts votes; absent: as x/gov does (`inherit`). */
    strategy: Type.Optional(TallyStrategy),
    unavailableReason: nullable(Reason),
  }),
)

const StakeChange = Type.Object({
  voter: Type.String(),
  delegations: nullable(Type.Array(Delegation)),
  delegationsReason: nullable(Reason),
})

/** A voter with a ballot on an open proposal has other delegations now. */
export const StakeChanged = envelopeOf(
  'rollcall.stake.changed.v1',
  Type.Object({
    ...StakeChange.properties,
    /** More voters, where a height has more stake changes than events. */
    others: Type.Optional(Type.Array(StakeChange)),
  }),
)

/** All that one tally was computed from, in chunks: the first carries params and pools. */
export const TallyEvidence = envelopeOf(
  'rollcall.tally.evidence.v1',
  Type.Object({
    ...chunkOf,
    proposalId: ProposalId,
    round: Round,
    /** How this chain adds a vote up; absent: as x/gov does (`inherit`). Same in every chunk. */
    strategy: Type.Optional(TallyStrategy),
    /** Same in every chunk, as is the reason. */
    complete: Type.Boolean(),
    incompleteReason: nullable(Reason),
    /** In chunk 0. */
    params: nullable(GovParams),
    /** In chunk 0. */
    bondedTokens: nullable(IntegerString),
    /** Every pool as of the tally, in the first chunks; `counted`: the chain's walk meets it. */
    pools: Type.Array(Type.Object({ pool: PoolState, counted: Type.Boolean() })),
    ballots: Type.Array(
      Type.Object({
        voter: Type.String(),
        options: Type.Array(WeightedOption),
        delegations: Type.Array(Delegation),
      }),
    ),
  }),
)

/** The last event of every append of a height: proves that the height is whole. */
export const BlockIndexed = envelopeOf(
  'rollcall.block.indexed.v1',
  Type.Object({
    /** First height this marker covers: quiet blocks share one. */
    from: Type.Integer({ minimum: 0 }),
    hash: Type.String(),
    /** Hash of the block before `from`; empty at the chain's first block. */
    previousHash: Type.String(),
    /** Events from `from` to this height, this marker not counted. */
    events: Type.Integer({ minimum: 0 }),
    /** The node's latest height when this was appended. */
    tip: Type.Integer({ minimum: 0 }),
    parserVersion: Type.Integer({ minimum: 1 }),
    /** The height at which folding of the still open proposals must begin; null when none is open. */
    openSince: nullable(Type.Integer({ minimum: 0 })),
  }),
)

export const GovernanceEvent = Type.Union([
  ChainSnapshot,
  ProposalSubmitted,
  ProposalDeposited,
  VotingStarted,
  VoteCast,
  VotingRestarted,
  ProposalClosed,
  ProposalCanceled,
  ProposalDropped,
  AbciEventUnread,
  PoolsObserved,
  ParamsObserved,
  StakeChanged,
  TallyEvidence,
  BlockIndexed,
])
export type GovernanceEvent = Static<typeof GovernanceEvent>
export type GovernanceEventType = GovernanceEvent['type']
/** The event of one type: `EventOf<'rollcall.vote.cast.v1'>`. */
export type EventOf<T extends GovernanceEventType> = Extract<GovernanceEvent, { type: T }>

/** Every voter that the event names, with its delegations. */
export const stakeChangesIn = ({
  data,
}: EventOf<'rollcall.stake.changed.v1'>): readonly Static<typeof StakeChange>[] => [
  data,
  ...(data.others ?? []),
]
