// Events with state before and after a block: snapshots, observations, evidence, and the marker of a height.
import { Type } from 'typebox'
import { Delegation } from './delegation.ts'
import { createEventSchema } from './envelope.ts'
import {
  chunkMembers,
  createRuleMembers,
  PROPOSER_REASON,
  Round,
  STATE_AFTER,
} from './event-members.ts'
import {
  Address,
  BallotOptions,
  GovParams,
  IntegerString,
  Message,
  nullable,
  PoolState,
  ProposalId,
  ProposalState,
  Reason,
  withDescription,
} from './facts.ts'
import { History } from './history-events.ts'
import { Limitation } from './limitations.ts'
import { AdoptedRule } from './tally-events.ts'
import { StakeChange, VoteState } from './voters.ts'

const CHUNKS = 'A chunk has at most 256 KiB of list entries as JSON, or one entry that is longer.'

const SnapshotProposal = Type.Object({
  proposal: ProposalState,
  messages: Type.Array(Message, {
    description: 'The messages that the chain executes if it passes.',
  }),
  round: Round,
  roundReason: Type.Optional(
    withDescription(Reason, 'Why `round` is only a lower bound; absent if the round is known.'),
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
      'The committed state of `stateHeight`: the height before the event’s. The first block of a chain has none before it. ' +
      'Its snapshot has its own state, without the proposals and votes in its events.',
    'x-order': 'Ordinal 0, before all other events of the height; `sub` is the chunk.',
  },
  Type.Object({
    ...chunkMembers,
    stateHeight: Type.Integer({ description: 'The height of the committed state.' }),
    proposals: Type.Array(SnapshotProposal, {
      description: 'Every proposal in the state, of any status.',
    }),
    votes: Type.Array(VoteState, { description: 'The votes on proposals in their voting period.' }),
    pools: Type.Array(PoolState, {
      description: 'Every validator of any status, by operator address.',
    }),
    params: nullable(GovParams, {
      description: 'In chunk 0; null in other chunks, and if the node cannot return them.',
      'x-reason': 'unavailable',
    }),
    ...createRuleMembers(' In chunk 0 only.'),
    bondedTokens: nullable(IntegerString, {
      description:
        'The bonded tokens, in base units. In chunk 0; null in other chunks, and if the node cannot return them.',
      'x-reason': 'unavailable',
    }),
    unavailable: Type.Array(
      Type.Object({
        what: Type.String({
          description:
            '`proposals`, `proposal <id>`, `proposals with later IDs`, `pools`, `parameters`, `bonded tokens`, `votes of proposal <id>`, or a part of them.',
        }),
        reason: Reason,
      }),
      {
        description:
          'Missing state: all of it in chunk 0. Another chunk names only the parts that it left out for its size.',
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
      'In full at each height at which a vote starts, restarts or closes. During a vote, changes are written ' +
      'at heights with events that move stake or change a validator. They are also written at the first block of every 30 seconds ' +
      '(10 minutes while more than 1,000 heights behind the tip). In full and empty if the node could not return the pools.',
    'x-state': STATE_AFTER,
    'x-order': 'Ordinal 524286, after all ABCI events; `sub` is 1 plus the chunk.',
  },
  Type.Object({
    ...chunkMembers,
    full: Type.Boolean({
      description: 'True: all pools, which replace all earlier ones. False: only changed pools.',
    }),
    pools: Type.Array(PoolState, {
      description: 'By operator address; empty, with the reason, if the node cannot return them.',
    }),
    bondedTokens: nullable(IntegerString, {
      description:
        'The base of the quorum, in base units: the bonded tokens, or those that the tally rule counts. The same in every chunk. ' +
        'Null if the node cannot return them.',
      'x-reason': 'unavailableReason',
    }),
    unavailableReason: nullable(Reason, {
      description: 'Why the pools or `bondedTokens` are missing; null if none is missing.',
    }),
  }),
)

export const ParamsObserved = createEventSchema(
  'rollcall.params.observed.v1',
  {
    title: 'Params observed',
    description: 'The parameters of x/gov from this height on.',
    'x-written':
      'At each height at which a proposal is submitted or a vote starts. Changes are also written ' +
      'when a vote restarts or closes. During a vote, they are also written at the first block of every 30 seconds ' +
      '(10 minutes while more than 1,000 heights behind the tip).',
    'x-state': STATE_AFTER,
    'x-order': 'Ordinal 524286, after all ABCI events; `sub` is 0.',
  },
  Type.Object({
    params: nullable(GovParams, {
      description: 'Null if the node cannot return them.',
      'x-reason': 'unavailableReason',
    }),
    ...createRuleMembers(''),
    unavailableReason: nullable(Reason, {
      description: 'Why `params` is null; null if it is not null.',
    }),
  }),
)

export const StakeChanged = createEventSchema(
  'rollcall.stake.changed.v1',
  {
    title: 'Stake changed',
    description:
      'The delegations of a voter with a ballot on an open proposal. They may be the same as before.',
    'x-written':
      'For each such voter with an address in the events of a transaction, begin block or end block that moved stake. ' +
      'Also for each such voter with delegations that a slashing changed. ' +
      'Also for voters whose delegations were not known, when the parameters are read again. ' +
      'Also for voters that the snapshot left to the heights after it, some at each height.',
    'x-state': STATE_AFTER,
    'x-order':
      'Ordinal 524286, after all ABCI events; `sub` from 256. By address, in three groups: moved stake, slashing, not known before. Those of the snapshot are in the first group.',
  },
  Type.Object({
    ...StakeChange.properties,
    others: Type.Optional(
      Type.Array(StakeChange, {
        description: 'More voters, if a height has more stake changes than its index can number.',
      }),
    ),
  }),
)

const EvidencePool = Type.Object({
  pool: PoolState,
  counted: Type.Boolean({
    description:
      'Whether the chain’s tally includes the pool: bonded, not jailed, within the maximum number.',
  }),
})

const EvidenceBallot = Type.Object({
  voter: Address,
  options: BallotOptions,
  delegations: Type.Array(Delegation, {
    description:
      'At the tally; also empty if they could not be read (`complete` is false then). ' +
      'Of a vote before the first indexed height, maybe only those to bonded pools: no other has power.',
  }),
})

export const TallyEvidence = createEventSchema(
  'rollcall.tally.evidence.v1',
  {
    title: 'Tally evidence',
    description: `All inputs of one tally, in chunks: pools first, then ballots. ${CHUNKS}`,
    'x-written': 'After each `proposal.closed` or `voting.restarted` of a round with a vote.',
    'x-state':
      'As of the tally, inside the end block: derived from the committed states of this height and the one before.',
    'x-order':
      'The ordinal of the event that ended the round; `sub` continues after it, one for each chunk.',
  },
  Type.Object({
    ...chunkMembers,
    proposalId: ProposalId,
    round: Round,
    ...createRuleMembers(' The same in every chunk.'),
    complete: Type.Boolean({
      description:
        'Whether the inputs are complete and agree with the chain’s state. The same in every chunk, unless one was too large.',
    }),
    incompleteReason: nullable(Reason, {
      description: 'The missing or different data; null if `complete` is true.',
    }),
    params: nullable(GovParams, {
      description: 'The parameters of the tally. In chunk 0; null in other chunks, and if unknown.',
      'x-reason': 'incompleteReason',
    }),
    bondedTokens: nullable(IntegerString, {
      description:
        'The bonded tokens at the tally, in base units. In chunk 0; null in other chunks, and if unknown.',
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
      'The marker of a height: all events of the height are before it, and the heights that it covers had no other events.',
    'x-written':
      'At each height with events, and once for at most 1,000 heights without events. Every append ends with a marker.',
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
      description: 'The latest height of the node at the append.',
    }),
    parserVersion: Type.Integer({
      minimum: 1,
      description: 'Increases with each change of the events that a block results in.',
    }),
    openSince: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'The height from which a reader must fold to have all open proposals. Null if none is open.',
    }),
    schemaHash: Type.Optional(
      Type.String({
        pattern: '^[0-9a-f]{64}$',
        description: 'The hash of the last `schema.observed`; absent if the log has none.',
      }),
    ),
    validatorsHash: Type.Optional(
      Type.String({
        pattern: '^[0-9A-F]{64}$',
        description: 'The hash of the last `validators.observed`; absent if the log has none.',
      }),
    ),
    limitations: Type.Optional(
      Type.Array(Limitation, {
        description: 'What cannot be read or verified of this chain; absent if nothing is known.',
      }),
    ),
    adoptedRule: Type.Optional(
      withDescription(
        AdoptedRule,
        'Absent if the rule of tallies is the one that the chain shows.',
      ),
    ),
    history: Type.Optional(
      withDescription(History, 'Absent if no proposal had ended at the snapshot, or if it is off.'),
    ),
  }),
)
