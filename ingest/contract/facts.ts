// The values in governance events, as the chain has them at one height. The text in a schema is the only description of its
// field: EVENTS.md is generated from it.
import { type Static, type TSchema, Type } from 'typebox'
import { isNestedWithin } from './json.ts'

/** The same schema with the description of one field. Validation does not change. */
export const withDescription = <S extends TSchema>(schema: S, description: string): S =>
  Object.defineProperties({} as S, {
    ...Object.getOwnPropertyDescriptors(schema),
    description: { value: description, enumerable: true },
  })

/** A field that an event may lack. */
export const optional = <S extends TSchema>(schema: S, description: string) =>
  Type.Optional(withDescription(schema, description))

/** `reason` is the name of the field with the reason why it is null. */
export const nullable = <S extends TSchema>(schema: S, description?: string, reason?: string) =>
  Type.Union([schema, Type.Null()], {
    ...(description === undefined ? {} : { description }),
    ...(reason === undefined ? {} : { 'x-reason': reason }),
  })

export const IntegerString = Type.String({
  pattern: '^[0-9]+$',
  title: 'IntegerString',
  description: 'A whole number of base units, such as "500000000".',
})
export const DecimalString = Type.String({
  pattern: '^[0-9]+(\\.[0-9]{1,18})?$',
  title: 'DecimalString',
  description: 'A decimal of at most 18 places, such as "0.334".',
})
export const Base64 = Type.String({
  pattern: '^[A-Za-z0-9+/]*={0,2}$',
  description: 'Base64.',
})
export const ProposalId = Type.String({
  pattern: '^[0-9]+$',
  title: 'ProposalId',
  description: 'The ID of the proposal in x/gov.',
})
export const Reason = Type.String({
  minLength: 1,
  title: 'Reason',
  description: 'Why something is null or missing, as text for an operator.',
})
/** A time of the chain. */
export const Time = Type.String({
  title: 'Time',
  description: 'RFC 3339 in UTC, with all decimals (at most 9) that the chain stores.',
})
/** An account of the chain. */
export const Address = Type.String({
  title: 'Address',
  description: 'A bech32 address, as the chain writes it.',
})

export const Coin = Type.Object(
  {
    denom: Type.String({ description: 'The base denomination.' }),
    amount: withDescription(IntegerString, 'In base units of the denomination.'),
  },
  { title: 'Coin', description: 'An amount of one denomination.' },
)
export type Coin = Static<typeof Coin>

export const VoteOption = Type.String({
  pattern: '^(yes|abstain|no|no_with_veto|option_[0-9]+)$',
  title: 'VoteOption',
  description:
    '`yes`, `abstain`, `no` or `no_with_veto`; `option_<n>` for any other option number of the chain.',
})

export const WeightedOption = Type.Object(
  {
    option: VoteOption,
    weight: withDescription(
      DecimalString,
      'The share of the vote, normalized to 18 places: "0.500000000000000000".',
    ),
  },
  {
    title: 'WeightedOption',
    description: 'One option of a vote.',
  },
)
export type WeightedOption = Static<typeof WeightedOption>
/** Beside an absent text nothing is known of it: the state has no memo, and old versions of x/gov no metadata. */
export const VoteReason = Type.Object(
  {
    metadata: optional(Type.String(), 'The metadata of the message; absent if empty or unknown.'),
    memo: optional(
      Type.String(),
      'The memo of the transaction, which others may have sent; absent if empty or unknown.',
    ),
  },
  { title: 'VoteReason', description: 'What was written beside a vote.' },
)
export type VoteReason = Static<typeof VoteReason>
/** The options of one ballot. */
export const BallotOptions = Type.Array(WeightedOption, {
  description: 'The options of the vote. A vote that is not split has one, of weight 1.',
})

export const ProposalStatus = Type.String({
  pattern: '^(deposit_period|voting_period|passed|rejected|failed|status_[0-9]+)$',
  title: 'ProposalStatus',
  description:
    '`deposit_period`, `voting_period`, `passed`, `rejected` or `failed`; `status_<n>` for any other status number.',
})

const OptionCount = nullable(IntegerString, 'Null if the chain’s tally has no such option.')
export const TallyCounts = Type.Object(
  { yes: OptionCount, abstain: OptionCount, no: OptionCount, noWithVeto: OptionCount },
  {
    title: 'TallyCounts',
    description: 'Whole base units per option in the chain’s own final tally.',
  },
)
export type TallyCounts = Static<typeof TallyCounts>

/** Far deeper than any valid message: deeper JSON could overflow the stack when it is written again. */
const MAX_NESTING = 500

/** JSON that was decoded from protobuf: any members, with limited nesting. */
export const DecodedJson = Type.Refine(
  Type.Record(Type.String(), Type.Unknown()),
  (value) => isNestedWithin(MAX_NESTING, value),
  () => `must not be nested deeper than ${MAX_NESTING} levels`,
)

export const Message = Type.Refine(
  Type.Object(
    { '@type': Type.String({ description: 'The protobuf type URL.' }) },
    {
      additionalProperties: true,
      title: 'Message',
      description:
        'A message of a proposal: `@type` and its fields in the JSON of the node’s REST API, nested messages too. ' +
        'A field of more than 4 KiB of bytes is `{ sha256, size }`; a `message.bytes` event has the bytes. ' +
        '`@unknownFields` counts the fields that the schema lacks, with their bytes (base64). ' +
        'If it cannot be decoded or its fields are too long, it has `@reason` and `value` instead of the fields. ' +
        '`value` is its bytes as base64 or `{ sha256, size }`.',
    },
  ),
  (message) => isNestedWithin(MAX_NESTING, message),
  () => `must not be nested deeper than ${MAX_NESTING} levels`,
)
export type Message = Static<typeof Message>

export const ProposalState = Type.Object(
  {
    proposalId: ProposalId,
    title: Type.String({
      description: 'As its author wrote it. For a legacy proposal, the title in its content.',
    }),
    summary: Type.String({
      description: 'As its author wrote it. For a legacy proposal, the description in its content.',
    }),
    metadata: Type.String({
      description: 'As its author wrote it, often a link; may be empty.',
    }),
    proposer: nullable(
      Address,
      'Null if neither the chain’s state nor the submission names one. ' +
        'Before SDK 0.47 the state has no proposer: then only `proposal.submitted` names it.',
    ),
    messageTypes: Type.Array(Type.String(), {
      description: 'The `@type` of each of the first 20 messages, in order.',
    }),
    messageCount: optional(
      Type.Integer({ minimum: 0 }),
      'The number of messages, if they are more.',
    ),
    furtherMessageTypes: optional(
      Type.Array(Type.String()),
      'Each other type once, at most 32 KiB together, if they are more.',
    ),
    status: ProposalStatus,
    expedited: Type.Boolean({ description: 'False after an expedited vote failed.' }),
    failedReason: nullable(
      Type.String(),
      'Why the execution failed, as text of the chain. Null if the chain stores none.',
    ),
    submitTime: nullable(Time, 'Null if the chain stores none.'),
    depositEndTime: nullable(Time, 'Null if the chain stores none.'),
    votingStartTime: nullable(Time, 'Null before the voting period.'),
    votingEndTime: nullable(Time, 'Null before the voting period.'),
    totalDeposit: Type.Array(Coin, { description: 'All deposits so far.' }),
    finalTally: nullable(
      TallyCounts,
      'Null before the tally. In the second round it is the tally of the failed expedited vote.',
    ),
  },
  {
    title: 'ProposalState',
    description:
      'A proposal in the state of the chain at the end of a height, without its messages.',
  },
)
export type ProposalState = Static<typeof ProposalState>

export const PoolCommission = Type.Object(
  {
    rate: withDescription(DecimalString, 'The share of the rewards of delegators.'),
    maxRate: withDescription(DecimalString, 'The highest rate that the pool may ever have.'),
    maxChangeRate: withDescription(DecimalString, 'The highest increase in a day.'),
  },
  { title: 'PoolCommission', description: 'What a pool keeps of the rewards of its delegators.' },
)

/** Words of the operator. */
export const PoolProfile = Type.Object(
  {
    website: Type.String({ description: 'May be empty, and no URL.' }),
    details: Type.String({ description: 'May be empty.' }),
    identity: Type.String({ description: 'May be empty: often a key of Keybase.' }),
    commission: nullable(PoolCommission, 'Null if the state has none.'),
  },
  {
    title: 'PoolProfile',
    description: 'What the operator says of the pool: not verified.',
  },
)

export const PoolState = Type.Object(
  {
    operatorAddress: withDescription(
      Address,
      'The validator’s operator address: the ID of the pool.',
    ),
    accountAddress: withDescription(
      Address,
      'The operator’s own account: the same bytes under the account prefix.',
    ),
    moniker: Type.String({ description: 'The name that the operator chose; may be empty.' }),
    tokens: withDescription(
      IntegerString,
      'Tokens of the pool, in base units of the staking denomination.',
    ),
    delegatorShares: withDescription(DecimalString, 'All shares of the pool, to 18 places.'),
    status: Type.Enum(['bonded', 'unbonding', 'unbonded', 'unspecified'], {
      description: 'The bond status of the validator.',
    }),
    jailed: Type.Boolean({ description: 'Whether the validator is jailed.' }),
    profile: optional(
      PoolProfile,
      'Absent if the state has no description, and in a reading of a past height or of a tally.',
    ),
    counted: Type.Optional(
      Type.Literal(false, {
        description:
          'Tallies do not count the pool, although it is bonded and not jailed. Absent if its status decides.',
      }),
    ),
  },
  { title: 'PoolState', description: 'A validator and the stake delegated to it.' },
)
export type PoolState = Static<typeof PoolState>

const NO_PARAMETER = 'Null if the SDK of that height has no such parameter.'
const limit = (share: string) =>
  nullable(DecimalString, `${share}, from 0 to 1. Null if the chain has no such limit.`)

export const KindLimits = Type.Object(
  {
    quorum: nullable(DecimalString, 'As that of the parameters. Null if it could not be read.'),
    threshold: nullable(
      DecimalString,
      'As that of the parameters. Null if it is not the same for all proposals of the kind.',
    ),
  },
  { title: 'KindLimits', description: 'The limits of proposals of one kind.' },
)

export const ProposalKinds = Type.Object(
  { constitutionAmendment: KindLimits, law: KindLimits },
  {
    title: 'ProposalKinds',
    description: 'Kinds of proposals with limits of their own, as in AtomOne.',
  },
)

export const GovParams = Type.Object(
  {
    quorum: limit('Share of the bonded tokens'),
    threshold: limit('Share of the votes that do not abstain'),
    vetoThreshold: limit('Share of all votes'),
    kinds: optional(
      ProposalKinds,
      'Absent if the chain has no such kinds. ' +
        'Those of a close have the limits of its proposal in `quorum` and `threshold`.',
    ),
    expeditedQuorum: Type.Optional(
      nullable(
        DecimalString,
        'As `quorum`, for an expedited vote. Absent if the chain has none of its own, null if it is unknown.',
      ),
    ),
    expeditedThreshold: nullable(
      DecimalString,
      `As \`threshold\`, for an expedited vote. Null too if it is unknown. ${NO_PARAMETER}`,
    ),
    votingPeriodSeconds: nullable(Type.Number(), `In seconds. ${NO_PARAMETER}`),
    expeditedVotingPeriodSeconds: nullable(Type.Number(), `In seconds. ${NO_PARAMETER}`),
    maxDepositPeriodSeconds: nullable(Type.Number(), `In seconds. ${NO_PARAMETER}`),
    minDeposit: Type.Array(Coin, { description: 'Deposit that starts a vote.' }),
    expeditedMinDeposit: Type.Array(Coin, {
      description: 'Deposit that starts an expedited vote; empty if the SDK has none.',
    }),
    burnVoteQuorum: nullable(
      Type.Boolean(),
      `Whether deposits burn if the quorum is missed. ${NO_PARAMETER}`,
    ),
    burnVoteVeto: nullable(Type.Boolean(), `Whether deposits burn after a veto. ${NO_PARAMETER}`),
  },
  { title: 'GovParams', description: 'The parameters of x/gov.' },
)
export type GovParams = Static<typeof GovParams>

const formatOptions = (options: readonly WeightedOption[]): string =>
  options
    .map(({ option, weight }) => `${option} ${weight}`)
    .sort()
    .join(',')

/** The same options with the same weights, whatever their order. */
export const sameOptions = (
  one: readonly WeightedOption[],
  other: readonly WeightedOption[],
): boolean => formatOptions(one) === formatOptions(other)
