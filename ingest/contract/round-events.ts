// The event of a reading: what the state of the chain has of one round of a vote at one height.
import { type Static, Type } from 'typebox'
import { Delegation } from './delegation.ts'
import { createEventSchema } from './envelope.ts'
import { chunkMembers, createRuleMember, Round, TxHash } from './event-members.ts'
import {
  Address,
  BallotOptions,
  GovParams,
  IntegerString,
  nullable,
  optional,
  PoolState,
  ProposalId,
  Reason,
  TallyCounts,
  Time,
  withDescription,
} from './facts.ts'
import { TallyRule } from './tally-rule.ts'

/** A rule that was found by comparison. */
export const AdoptedRule = Type.Object(
  { rule: TallyRule, instead: withDescription(TallyRule, 'The rule that the chain shows.') },
  {
    title: 'AdoptedRule',
    description: 'A tally rule that was found because its tally is that of the node.',
  },
)
export type AdoptedRule = Static<typeof AdoptedRule>

/** Where a vote stands on the chain. */
export const CastAt = Type.Object(
  {
    height: Type.Integer({ minimum: 1, description: 'The height of the vote.' }),
    time: withDescription(Time, 'The time of its block.'),
    txHash: TxHash,
    memo: optional(Type.String(), 'The memo of the transaction; absent if it is empty.'),
  },
  { title: 'CastAt', description: 'When a vote was cast, and by which transaction.' },
)
export type CastAt = Static<typeof CastAt>

export const ReadBallot = Type.Object(
  {
    voter: Address,
    options: optional(BallotOptions, 'As the state has them; absent if only the stake was read.'),
    metadata: optional(
      Type.String(),
      'The metadata of the vote as the state has it; absent if empty, or if the node does not report it.',
    ),
    delegations: Type.Optional(
      nullable(
        Type.Array(Delegation),
        'The stake of the voter, by operator address; empty if there is none. Absent if it was not read, or is not wanted. ' +
          'Null if the node cannot return it. ' +
          'If `final`, maybe only that in bonded pools: no other has power.',
        'delegationsReason',
      ),
    ),
    delegationsReason: optional(Reason, 'Why `delegations` is null; absent if it is not null.'),
    cast: optional(
      CastAt,
      'Of a vote before the first indexed height, if it was found; absent if another event reports it, or none.',
    ),
  },
  { title: 'ReadBallot', description: 'What a reading has of one voter.' },
)
export type ReadBallot = Static<typeof ReadBallot>

export const RoundRead = createEventSchema(
  'rollcall.round.read.v1',
  {
    title: 'Round read',
    description:
      'What the state of the chain has of one round at one height: ballots, stake, pools, parameters, the node’s own tally. ' +
      'In chunks: pools first, then ballots. A chunk has at most 256 KiB of list entries as JSON, or one entry that is longer.',
    'x-written':
      'At the tip when a vote is first seen, with all ballots and all stake. Then at each height with votes, with the stake of their voters. ' +
      'At most every 30 seconds of block time, with the pools and the stake that moved. With all ballots and all stake if the tally of the node ' +
      'differs; all ballots are compared every 10 minutes. At the end of each round, with all inputs of its tally (`final`); of a canceled one with those of its last state. While ingest is behind the tip, only at the end of a round.',
    'x-state':
      'The committed state of `stateHeight`. If `final`: as of the tally inside the end block, from the committed states of that height and the one before.',
    'x-order':
      'If `final`: the ordinal of the event that ended the round; `sub` continues after it, one for each chunk. ' +
      'Of a vote before the first indexed height: ordinal 524285. Else ordinal 524286, by proposal and chunk.',
  },
  Type.Object({
    ...chunkMembers,
    proposalId: ProposalId,
    round: Round,
    stateHeight: Type.Integer({ minimum: 0, description: 'The height of the state.' }),
    final: Type.Boolean({
      description: 'Whether these are the inputs of the tally that ended the round.',
    }),
    allBallots: Type.Boolean({
      description:
        'Whether all chunks together have every ballot of the round: a vote that is not among them does not count.',
    }),
    allPools: Type.Boolean({
      description: 'True: all pools, which replace all earlier ones. False: only changed pools.',
    }),
    ...createRuleMember(' The same in every chunk.'),
    complete: Type.Boolean({
      description:
        'Whether everything that was wanted was read. The same in every chunk, unless one was too large.',
    }),
    incompleteReason: nullable(
      Reason,
      'The missing or different data; null if `complete` is true.',
    ),
    queued: optional(
      Type.Integer({ minimum: 1 }),
      'Voters whose stake may have moved, and is read at the next heights; absent if there are none. With `params`.',
    ),
    params: Type.Optional(
      nullable(
        GovParams,
        'The parameters of x/gov; if `final`, those of the tally. In chunk 0 only. Absent there if only stake was read: then parameters, ' +
          'bonded tokens and pools are those of the reading before. Null if the node cannot return them.',
        'incompleteReason',
      ),
    ),
    bondedTokens: Type.Optional(
      nullable(
        IntegerString,
        'The base of the quorum, in base units: the bonded tokens, or those that the tally rule counts. If `final`, at the tally: without changes ' +
          'by staking after it. With `params`. Null if the node cannot return them.',
        'incompleteReason',
      ),
    ),
    pools: Type.Array(PoolState, {
      description:
        'By operator address; empty if only stake was read. If `final`, `counted` is false for each bonded pool that the tally left out.',
    }),
    ballots: Type.Array(ReadBallot, {
      description: 'If `final`, the last counted vote of each voter.',
    }),
    nodeTally: Type.Optional(
      nullable(
        TallyCounts,
        'The node’s own tally of the open vote. Absent if it was not asked for; null if the node cannot return it. In chunk 0 only.',
      ),
    ),
    agrees: optional(
      Type.Boolean(),
      'Whether the tally that follows from all readings is `nodeTally`. Absent if one of both is not known. In chunk 0 only.',
    ),
  }),
)
