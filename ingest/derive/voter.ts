// Finds who cast a vote.
import { Value } from 'typebox/value'
import type { AbciEvent, Block } from '../comet/blocks/block.ts'
import { type ActorRules, findActor } from './actor.ts'
import { attribute, idAttribute } from './attributes.ts'
import { type TxVote, votesInTx } from './tx-messages.ts'
import { parseVoteOptions } from './vote-options.ts'

export type Voter = { voter: string; voterReason: null } | { voter: null; voterReason: string }

const isSameVote = (event: AbciEvent, vote: TxVote): boolean =>
  idAttribute(event, 'proposal_id') === vote.proposalId &&
  Value.Equal(parseVoteOptions(attribute(event, 'option') ?? ''), vote.options)

/** Events of SDK 0.47.0–0.47.4 do not name the voter. */
const RULES: ActorRules<TxVote> = {
  role: 'voter',
  act: 'vote',
  key: 'voter',
  isAct: ({ type }) => type === 'proposal_vote',
  inTx: votesInTx,
  isSame: isSameVote,
}

export const findVoter = (block: Block, position: number): Voter => {
  const { name, reason } = findActor(block, position, RULES)
  return name === null ? { voter: null, voterReason: reason } : { voter: name, voterReason: null }
}
