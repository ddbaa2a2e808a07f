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

/** The votes of one transaction: its events, and its messages in the order they run. */
type VotesOfTx = {
  /** Place of each vote event among those of its transaction. */
  places: ReadonlyMap<AbciEvent, number>
  messages: readonly TxVote[]
  /** Each event has its own message: same proposal, same options, in the same order. */
  inStep: boolean
}

/** Read once per block: a transaction may hold any number of votes, and a block any number of events. */
const votesByTx = new WeakMap<Block, ReadonlyMap<number, VotesOfTx>>()

const readVotes = (bytes: Uint8Array, events: readonly AbciEvent[]): VotesOfTx => {
  const messages = votesInTx(bytes)
  return {
    places: new Map(events.map((event, place) => [event, place])),
    messages,
    inStep:
      messages.length === events.length &&
      events.every((event, place) => isSameVote(event, messages[place]!)),
  }
}

const votesOf = (block: Block): ReadonlyMap<number, VotesOfTx> => {
  const known = votesByTx.get(block)
  if (known) return known
  const events = new Map<number, AbciEvent[]>()
  for (const event of block.events) {
    const { type, txIndex } = event
    if (type !== 'proposal_vote' || txIndex === null) continue
    const siblings = events.get(txIndex)
    if (siblings) siblings.push(event)
    else events.set(txIndex, [event])
  }
  const votes = new Map<number, VotesOfTx>()
  for (const [txIndex, siblings] of events) {
    const tx = block.txs[txIndex]
    if (tx) votes.set(txIndex, readVotes(tx.bytes, siblings))
  }
  votesByTx.set(block, votes)
  return votes
}

/** SDK 0.47.0–0.47.4 name no voter: one vote message for each vote event, in order, settles it. */
const voterInTx = (block: Block, event: AbciEvent): Voter => {
  const votes = event.txIndex === null ? undefined : votesOf(block).get(event.txIndex)
  if (!votes) return unnamed('the event names no voter and belongs to no transaction')
  const { places, messages, inStep } = votes
  const message = messages[places.get(event) ?? -1]
  if (inStep && message && message.voter !== '') return named(message.voter)
  return unnamed(
    `the event names no voter, and the transaction’s ${messages.length} vote messages ` +
      `do not match its ${places.size} votes one by one`,
  )
}

export const voterOf = (block: Block, position: number): Voter => {
  const event = block.events[position]!
  const voter = attribute(event, 'voter') ?? senderBehind(block.events, position)
  return voter === undefined ? voterInTx(block, event) : named(voter)
}
