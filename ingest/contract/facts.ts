// The values that governance events are made of, as the chain has them at one height.
// Amounts, shares and rates are decimal strings; times are RFC 3339 as the chain wrote them.
import { type Static, type TSchema, Type } from 'typebox'

const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])

/** Whole base units, e.g. `"500000000"`. */
export const IntegerString = Type.String({ pattern: '^[0-9]+$' })
/** Up to 18 decimals, e.g. `"0.334"`, `"1.000000000000000000"`. */
export const DecimalString = Type.String({ pattern: '^[0-9]+(\\.[0-9]{1,18})?$' })
export const ProposalId = Type.String({ pattern: '^[0-9]+$' })
/** Why something is null or missing, in words an operator understands. */
export const Reason = Type.String({ minLength: 1 })

export const Coin = Type.Object({ denom: Type.String(), amount: IntegerString })
export type Coin = Static<typeof Coin>

/** `yes`, `abstain`, `no`, `no_with_veto`; an option the chain knows and we do not is `option_<n>`. */
export const VoteOption = Type.String({ pattern: '^(yes|abstain|no|no_with_veto|option_[0-9]+)$' })

/** Weight normalised to 18 decimals: `"0.500000000000000000"`. */
export const WeightedOption = Type.Object({ option: VoteOption, weight: DecimalString })
export type WeightedOption = Static<typeof WeightedOption>

/** Shares are the delegation's own, to 18 decimals. */
export const Delegation = Type.Object({ operatorAddress: Type.String(), shares: DecimalString })
export type Delegation = Static<typeof Delegation>

export const ProposalStatus = Type.String({
  pattern: '^(deposit_period|voting_period|passed|rejected|failed|status_[0-9]+)$',
})

/** Whole base units per option, as the chain's own final tally has them. */
export const TallyCounts = Type.Object({
  yes: IntegerString,
  abstain: IntegerString,
  no: IntegerString,
  noWithVeto: IntegerString,
})
export type TallyCounts = Static<typeof TallyCounts>

/**
 * `inherit`: a pool's vote carries all its delegators who did not vote (x/gov). `no_inheritance`: it
 * carries its operator's own delegations only. `none`: the chain has rules of its own.
 */
export const TallyStrategy = Type.Union([
  Type.Literal('inherit'),
  Type.Literal('no_inheritance'),
  Type.Literal('none'),
])
export type TallyStrategy = Static<typeof TallyStrategy>

/** The member of an event that names the strategy; left out where it is x/gov's own. */
export const strategyMember = (strategy: TallyStrategy): { strategy?: TallyStrategy } =>
  strategy === 'inherit' ? {} : { strategy }

/** `@type` and decoded fields (camelCase), or `@type` and `value` (base64) where the type is unknown. */
export const Message = Type.Object({ '@type': Type.String() }, { additionalProperties: true })
export type Message = Static<typeof Message>

/** A proposal as the chain's state had it, without its messages. */
export const ProposalState = Type.Object({
  proposalId: ProposalId,
  title: Type.String(),
  summary: Type.String(),
  metadata: Type.String(),
  /** Before SDK 0.47 the state does not have it: then only `proposal.submitted` names it. */
  proposer: nullable(Type.String()),
  messageTypes: Type.Array(Type.String()),
  status: ProposalStatus,
  expedited: Type.Boolean(),
  failedReason: nullable(Type.String()),
  submitTime: nullable(Type.String()),
  depositEndTime: nullable(Type.String()),
  votingStartTime: nullable(Type.String()),
  votingEndTime: nullable(Type.String()),
  totalDeposit: Type.Array(Coin),
  /** Null until the chain tallied: a restarted vote carries its failed round's. */
  finalTally: nullable(TallyCounts),
})
export type ProposalState = Static<typeof ProposalState>

/** What was left out of an event so that a log can take it: `path` is a JSON pointer into the event's data. */
export const Omission = Type.Object({
  path: Type.String(),
  /** Of the value as JSON, and the SHA-256 of that JSON. */
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
})
export type Omission = Static<typeof Omission>

/** A validator and the stake delegated to it. */
export const PoolState = Type.Object({
  operatorAddress: Type.String(),
  /** The operator's own account, same bytes under the account prefix. */
  accountAddress: Type.String(),
  moniker: Type.String(),
  tokens: IntegerString,
  delegatorShares: DecimalString,
  status: Type.Union([
    Type.Literal('bonded'),
    Type.Literal('unbonding'),
    Type.Literal('unbonded'),
    Type.Literal('unspecified'),
  ]),
  jailed: Type.Boolean(),
})
export type PoolState = Static<typeof PoolState>

/** x/gov's parameters. Null where the SDK of that height has no such parameter. */
export const GovParams = Type.Object({
  quorum: DecimalString,
  threshold: DecimalString,
  vetoThreshold: DecimalString,
  expeditedThreshold: nullable(DecimalString),
  votingPeriodSeconds: nullable(Type.Number()),
  expeditedVotingPeriodSeconds: nullable(Type.Number()),
  maxDepositPeriodSeconds: nullable(Type.Number()),
  minDeposit: Type.Array(Coin),
  expeditedMinDeposit: Type.Array(Coin),
  burnVoteQuorum: nullable(Type.Boolean()),
  burnVoteVeto: nullable(Type.Boolean()),
})
export type GovParams = Static<typeof GovParams>

/** A vote as the chain's state had it at the snapshot. */
export const VoteState = Type.Object({
  proposalId: ProposalId,
  voter: Type.String(),
  options: Type.Array(WeightedOption),
  /** Null, with the reason, where the node could not answer. */
  delegations: nullable(Type.Array(Delegation)),
  delegationsReason: nullable(Reason),
})
export type VoteState = Static<typeof VoteState>

export { nullable }
