// The state before the first block of a log, and the marker of a height.
import { Type } from 'typebox'
import { createEventSchema } from './envelope.ts'
import { chunkMembers, PROPOSER_REASON, Round } from './event-members.ts'
import {
  GovParams,
  Message,
  nullable,
  optional,
  PoolState,
  ProposalState,
  Reason,
} from './facts.ts'
import { History } from './history-events.ts'
import { Limitation } from './limitations.ts'
import { AdoptedRule } from './round-events.ts'

const CHUNKS = 'A chunk has at most 256 KiB of list entries as JSON, or one entry that is longer.'

const SnapshotProposal = Type.Object({
  proposal: ProposalState,
  messages: Type.Array(Message, {
    description: 'The messages that the chain executes if it passes.',
  }),
  round: Round,
  roundReason: optional(Reason, 'Why `round` is only a lower bound; absent if the round is known.'),
  proposerReason: PROPOSER_REASON,
})

export const ChainSnapshot = createEventSchema(
  'rollcall.chain.snapshot.v1',
  {
    title: 'Chain snapshot',
    description:
      'All governance state before the first indexed block, in chunks: pools first, then proposals. ' +
      'A `round.read` of each open vote follows. ' +
      `Each list may be empty in any chunk. ${CHUNKS}`,
    'x-written': 'Once, at the first height of the log.',
    'x-state':
      'The committed state of `stateHeight`: the height before the event’s. The first block of a chain has none before it. ' +
      'Its snapshot has its own state, without the proposals in its events.',
    'x-order': 'Ordinal 0, before all other events of the height; `sub` is the chunk.',
  },
  Type.Object({
    ...chunkMembers,
    stateHeight: Type.Integer({ description: 'The height of the committed state.' }),
    proposals: Type.Array(SnapshotProposal, {
      description: 'Every proposal in the state, of any status.',
    }),
    pools: Type.Array(PoolState, {
      description: 'Every validator of any status, by operator address.',
    }),
    params: nullable(
      GovParams,
      'In chunk 0; null in other chunks, and if the node cannot return them.',
      'unavailable',
    ),
    unavailable: Type.Array(
      Type.Object({
        what: Type.String({
          description:
            '`proposals`, `proposal <id>`, `proposals with later IDs`, `pools`, `parameters`, or a part of them.',
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
    openSince: nullable(
      Type.Integer({ minimum: 0 }),
      'The height from which a reader must fold to have all open proposals. Null if none is open.',
    ),
    validatorsHash: optional(
      Type.String({ pattern: '^[0-9A-F]{64}$' }),
      'The hash of the last `validators.observed`; absent if the log has none.',
    ),
    limitations: optional(
      Type.Array(Limitation),
      'What cannot be read or verified of this chain; absent if nothing is known.',
    ),
    adoptedRule: optional(
      AdoptedRule,
      'Absent if the rule of tallies is the one that the chain shows.',
    ),
    history: optional(History, 'Absent if no proposal had ended at the snapshot, or if it is off.'),
  }),
)
