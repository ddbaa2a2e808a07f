// Who cast a vote, by the rules of the era that wrote the event. Null with the reason, never a guess.
import type { AbciEvent, Block } from '../comet/block.ts'
import { attribute, idAttribute } from './attributes.ts'
import { type TxVote, votesInTx } from './tx-messages.ts'
import { parseVoteOptions } from './vote-options.ts'

export type Voter = { voter: string; voterReason: null } | { voter: null; voterReason: string }

const named = (voter: string): Voter => ({ voter, voterReason: null })
const unnamed = (voterReason: string): Voter => ({ voter: null, voterReason })

/** SDK 0.45 and 0.46 name the voter in a governance message right behind the vote. */
const senderBehind = (events: readonly AbciEvent[], position: number): string | undefined => {
  const next = events[position + 1]
  const current = events[position]
  if (next?.type !== 'message' || next.txIndex !== current?.txIndex) return undefined
  if (next.phase !== current.phase || attribute(next, 'module') !== 'governance') return undefined
  return attribute(next, 'sender')
}

const isSameVote = (event: AbciEvent, vote: TxVote): boolean =>
  idAttribute(event, 'proposal_id') === vote.proposalId &&
  JSON.stringify(parseVoteOptions(attribute(event, 'option') ?? '')) ===
    JSON.stringify(vote.options)

/** SDK 0.47.0–0.47.4 name no voter: one vote message for each vote event, in order, settles it. */
const voterInTx = (block: Block, event: AbciEvent, events: readonly AbciEvent[]): Voter => {
  const tx = event.txIndex === null ? undefined : block.txs[event.txIndex]
  if (!tx) return unnamed('the event names no voter and belongs to no transaction')
  const siblings = events.filter(
    (each) => each.type === 'proposal_vote' && each.txIndex === event.txIndex,
  )
  const votes = votesInTx(tx.bytes)
  const inStep =
    votes.length === siblings.length &&
    siblings.every((sibling, index) => isSameVote(sibling, votes[index]!))
  const vote = votes[siblings.indexOf(event)]
  if (inStep && vote && vote.voter !== '') return named(vote.voter)
  return unnamed(
    `the event names no voter, and the transaction’s ${votes.length} vote messages ` +
      `do not match its ${siblings.length} votes one by one`,
  )
}

export const voterOf = (block: Block, position: number): Voter => {
  const event = block.events[position]!
  const voter = attribute(event, 'voter') ?? senderBehind(block.events, position)
  return voter === undefined ? voterInTx(block, event, block.events) : named(voter)
}
