// What the chain's state says around a block's events: snapshots, observations, evidence; and the marker of a whole height.
import { Type } from 'typebox'
import { createEventSchema } from './envelope.ts'
import {
  chunkMembers,
  createStrategySchema,
  PROPOSER_REASON,
  Round,
  STATE_AFTER,
} from './event-members.ts'
import {
  Address,
  BallotOptions,
  Delegation,
  delegationsWithReason,
  GovParams,
  IntegerString,
  Message,
  nullable,
  PoolState,
  ProposalId,
  ProposalState,
  Reason,
  VoteState,
  withDescription,
} from './facts.ts'

const CHUNKS = 'A chunk has at most 256 KiB of list entries as JSON, or one entry that is longer.'

const SnapshotProposal = Type.Object({
  proposal: ProposalState,
  messages: Type.Array(Message, { description: 'What it executes when it passes.' }),
  round: Round,
  roundReason: Type.Optional(
    withDescription(
      Reason,
      'Why `round` is only the lowest that it can be; absent where it is known.',
    ),
  ),
  proposerReason: PROPOSER_REASON,
})

export const ChainSnapshot = createEventSchema(
  'rollcall.chain.snapshot.v1',
  {
    title: 'Chain snapshot',
    description:
      'All governance state before the first indexed block, in chunks: pools first, then proposals, then votes. ' +
      `Each list may be empty in any chunk. ${CHUNKS}`,
    'x-written': 'Once, at the first height of the log.',
    'x-state':
      'The committed state of `stateHeight`: the height before the event’s. A chain’s first block has none before it: ' +
      'then its own, without the proposals and votes that its events report.',
    'x-order': 'Ordinal 0, before all other events of the height; `sub` is the chunk.',
  },
  Type.Object({
    ...chunkMembers,
    stateHeight: Type.Integer({ description: 'The height whose committed state this is.' }),
    proposals: Type.Array(SnapshotProposal, {
      description: 'Every proposal that the state has, whatever its status.',
    }),
    votes: Type.Array(VoteState, { description: 'The votes on proposals in their voting period.' }),
    pools: Type.Array(PoolState, {
      description: 'Every validator, whatever its status, by operator address.',
    }),
    params: nullable(GovParams, {
      description: 'In chunk 0; null in the others, and where the node cannot show them.',
      'x-reason': 'unavailable',
    }),
    strategy: createStrategySchema(' In chunk 0 only.'),
    bondedTokens: nullable(IntegerString, {
      description:
        'The bonded tokens, in base units. In chunk 0; null in the others, and where the node cannot show them.',
      'x-reason': 'unavailable',
    }),
    unavailable: Type.Array(
      Type.Object({
        what: Type.String({
          description:
            '`proposals`, `pools`, `parameters`, `bonded tokens`, `votes of proposal <id>`, or a part of them.',
        }),
        reason: Reason,
      }),
      {
        description:
          'What the node could not show: all of it in chunk 0. Another chunk names only what it left out for its size.',
      },
    ),
  }),
)

export const PoolsObserved = createEventSchema(
  'rollcall.pools.observed.v1',
  {
    title: 'Pools observed',
    description: `The pools and the bonded tokens, in chunks. ${CHUNKS}`,
    'x-written':
      'In full at each height at which a vote starts, restarts or closes. Between these, while a vote is open: ' +
      'at heights whose events move stake or change a validator, and at the first block of every 30 seconds ' +
      '(10 minutes while more than 1,000 heights behind the tip), if anything changed since the last one. ' +
      'In full and empty where the node could not show the pools.',
    'x-state': STATE_AFTER,
    'x-order': 'Ordinal 524286, after all ABCI events; `sub` is 1 plus the chunk.',
  },
  Type.Object({
    ...chunkMembers,
    full: Type.Boolean({
      description:
        'True: every pool there is, in place of all that was known. False: only those that changed.',
    }),
    pools: Type.Array(PoolState, {
      description: 'By operator address; empty, with the reason, where the node cannot show them.',
    }),
    bondedTokens: nullable(IntegerString, {
      description:
        'The bonded tokens, in base units; the same in every chunk. Null where the node cannot show them.',
      'x-reason': 'unavailableReason',
    }),
    unavailableReason: nullable(Reason, {
      description: 'Why the pools or `bondedTokens` are missing; null where none is.',
    }),
  }),
)

export const ParamsObserved = createEventSchema(
  'rollcall.params.observed.v1',
  {
    title: 'Params observed',
    description: 'The parameters of x/gov from here on.',
    'x-written':
      'At each height at which a proposal is submitted or a vote starts. Also where they differ from the last ones: ' +
      'they are read where a proposal is submitted, where a vote starts, restarts or closes, and, while one is open, ' +
      'at the first block of every 30 seconds (10 minutes while more than 1,000 heights behind the tip).',
    'x-state': STATE_AFTER,
    'x-order': 'Ordinal 524286, after all ABCI events; `sub` is 0.',
  },
  Type.Object({
    params: nullable(GovParams, {
      description: 'Null where the node cannot show them.',
      'x-reason': 'unavailableReason',
    }),
    strategy: createStrategySchema(''),
    unavailableReason: nullable(Reason, {
      description: 'Why `params` is null; null where it is not.',
    }),
  }),
)

export const StakeChange = Type.Object(
  {
    voter: Address,
    ...delegationsWithReason('The voter’s delegations after this height, all of them.'),
  },
  { title: 'StakeChange', description: 'The delegations of one voter.' },
)

export const StakeChanged = createEventSchema(
  'rollcall.stake.changed.v1',
  {
    title: 'Stake changed',
    description:
      'The delegations of a voter who has a ballot on an open proposal. They may be the same as before.',
    'x-written':
      'For each such voter whose address is in the events of a transaction (or of a begin or end block) that moved ' +
      'stake; and for each whose delegations a slashing changed.',
    'x-state': STATE_AFTER,
    'x-order':
      'Ordinal 524286, after all ABCI events; `sub` from 256. By address, then those that only a slashing changed.',
  },
  Type.Object({
    ...StakeChange.properties,
    others: Type.Optional(
      Type.Array(StakeChange, {
        description: 'More voters, where a height has more stake changes than room for events.',
      }),
    ),
  }),
)

const EvidencePool = Type.Object({
  pool: PoolState,
  counted: Type.Boolean({
    description:
      'Whether the chain’s tally includes the pool: bonded, not jailed, within the limit.',
  }),
})

const EvidenceBallot = Type.Object({
  voter: Address,
  options: BallotOptions,
  delegations: Type.Array(Delegation, {
    description:
      'At the tally; empty as well where they could not be read (`complete` is false then).',
  }),
})

export const TallyEvidence = createEventSchema(
  'rollcall.tally.evidence.v1',
  {
    title: 'Tally evidence',
    description: `All that one tally was computed from, in chunks: pools first, then ballots. ${CHUNKS}`,
    'x-written':
      'After each `proposal.closed` or `voting.restarted` of a round in which a vote was held.',
    'x-state':
      'As of the tally, inside the end block: put together from the committed states of this height and the one before.',
    'x-order':
      'The ordinal of the event that ended the round; `sub` continues after it, one for each chunk.',
  },
  Type.Object({
    ...chunkMembers,
    proposalId: ProposalId,
    round: Round,
    strategy: createStrategySchema(' The same in every chunk.'),
    complete: Type.Boolean({
      description:
        'Whether all inputs are there and agree with the chain’s state. The same in every chunk, unless one was too large.',
    }),
    incompleteReason: nullable(Reason, {
      description: 'What is missing or differs; null where `complete` is true.',
    }),
    params: nullable(GovParams, {
      description:
        'The parameters that applied. In chunk 0; null in the others, and where unknown.',
      'x-reason': 'incompleteReason',
    }),
    bondedTokens: nullable(IntegerString, {
      description:
        'The bonded tokens at the tally, in base units. In chunk 0; null in the others, and where unknown.',
      'x-reason': 'incompleteReason',
    }),
    pools: Type.Array(EvidencePool, { description: 'Every pool as of the tally.' }),
    ballots: Type.Array(EvidenceBallot, {
      description: 'The last counted vote of each voter, in the order of their first votes.',
    }),
  }),
)

export const BlockIndexed = createEventSchema(
  'rollcall.block.indexed.v1',
  {
    title: 'Block indexed',
    description:
      'The marker of a height: it proves that the height is whole, and that the heights it covers had no other events.',
    'x-written':
      'At each height with events, and once for at most 1,000 heights without. Nothing is appended without its marker.',
    'x-state': 'None: all is in the block.',
    'x-order': 'Ordinal 524287, always the last event of the height.',
  },
  Type.Object({
    from: Type.Integer({
      minimum: 0,
      description: 'The first height that this marker covers; the last one is `height`.',
    }),
    hash: Type.String({ description: 'Hash of the block at `height`.' }),
    previousHash: Type.String({
      description: 'Hash of the block before `from`; empty at the chain’s first block.',
    }),
    events: Type.Integer({
      minimum: 0,
      description: 'Events from `from` to `height`, without this marker.',
    }),
    tip: Type.Integer({
      minimum: 0,
      description: 'The node’s latest height when this was appended.',
    }),
    parserVersion: Type.Integer({
      minimum: 1,
      description: 'Grows with each change of what a block’s events turn into.',
    }),
    openSince: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'The height from which a reader must fold to know all open proposals. Null where none is open.',
    }),
    schemaHash: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'The hash of the last `schema.observed`; absent where the log has none.',
      }),
    ),
    validatorsHash: Type.Optional(
      Type.String({
        pattern: '^[0-9A-F]{64}$',
        description: 'The hash of the last `validators.observed`; absent where the log has none.',
      }),
    ),
  }),
)
