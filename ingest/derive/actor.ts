// Finds who voted, deposited or submitted, by the rules of each SDK version: many events name no account. Null with the reason if unknown.
import { Value } from 'typebox/value'
import type { AbciEvent, Block } from '../comet/blocks/block.ts'
import { canonicalAddress } from '../contract/address.ts'
import { attribute, hasAnyKey, idAttribute, parseCoins, textAttribute } from './attributes.ts'
import { findOwnership } from './own-event.ts'
import {
  depositsInTx,
  proposersInTx,
  type TxDeposit,
  type TxVote,
  votesInTx,
} from './tx-messages.ts'
import { parseVoteOptions } from './vote-options.ts'

/** One of the two is null. */
type Actor = { name: string; reason: null } | { name: null; reason: string }

const known = (name: string): Actor => ({ name: canonicalAddress(name), reason: null })
const unknown = (reason: string): Actor => ({ name: null, reason })

/** One kind of event, and the messages of a transaction that cause it. */
type ActorRules<InTx extends { actor: string }> = {
  /** Terms for reasons: `voter`, `vote`. */
  role: string
  act: string
  /** The attribute that names the actor, if the SDK version has one. */
  key: string
  /** Whether an event is of this kind: each such event belongs to one message. */
  isAct(event: AbciEvent): boolean
  /** Messages of this kind, in execution order, without messages of contracts and groups. */
  inTx(txBytes: Uint8Array): readonly InTx[]
  isSame(event: AbciEvent, message: InTx): boolean
}

/** SDK 0.45 and 0.46 name the signer in a governance message directly after the event, at any nesting. */
const senderAfter = (events: readonly AbciEvent[], position: number): string | undefined => {
  const next = events[position + 1]
  const current = events[position]
  if (next?.type !== 'message' || next.ordinal - 1 !== current?.ordinal) return undefined
  if (next.txIndex !== current.txIndex || next.phase !== current.phase) return undefined
  if (attribute(next, 'module') !== 'governance') return undefined
  return attribute(next, 'sender')
}

/** The events and messages of one kind in one transaction, in execution order. */
type ActsOfTx = {
  /** Index of each event among the events of its kind. */
  indexes: ReadonlyMap<AbciEvent, number>
  messages: readonly { actor: string }[]
  /** Each event has its own message, in the same order. */
  isInStep: boolean
}
type ActsOfBlock = ReadonlyMap<number, ActsOfTx>

/** Computed once per block and kind: a transaction may have any number of messages, a block any number of events. */
const actsByRules = new WeakMap<object, WeakMap<Block, ActsOfBlock>>()

const readActs = <InTx extends { actor: string }>(
  block: Block,
  { isAct, inTx, isSame }: ActorRules<InTx>,
): ActsOfBlock => {
  const eventsByTx = new Map<number, AbciEvent[]>()
  for (const [position, event] of block.events.entries()) {
    if (event.txIndex === null || !isAct(event)) continue
    if (findOwnership(block.events, position) !== 'own') continue
    const siblings = eventsByTx.get(event.txIndex)
    if (siblings) siblings.push(event)
    else eventsByTx.set(event.txIndex, [event])
  }
  const acts = new Map<number, ActsOfTx>()
  for (const [txIndex, events] of eventsByTx) {
    const tx = block.txs[txIndex]
    if (!tx) continue
    const messages = inTx(tx.bytes)
    acts.set(txIndex, {
      indexes: new Map(events.map((event, index) => [event, index])),
      messages,
      isInStep:
        messages.length === events.length &&
        events.every((event, index) => isSame(event, messages[index]!)),
    })
  }
  return acts
}

const getActs = <InTx extends { actor: string }>(
  block: Block,
  rules: ActorRules<InTx>,
): ActsOfBlock => {
  const byBlock = actsByRules.get(rules) ?? new WeakMap<Block, ActsOfBlock>()
  actsByRules.set(rules, byBlock)
  const acts = byBlock.get(block) ?? readActs(block, rules)
  byBlock.set(block, acts)
  return acts
}

/**
 * Some events of SDK 0.47.0 to 0.50.5 do not name the actor. Each message of a successful transaction emits
 * one event: if there are as many messages as events, they match one by one. Additional events come from
 * contracts or similar modules.
 */
const actorInTx = <InTx extends { actor: string }>(
  block: Block,
  event: AbciEvent,
  rules: ActorRules<InTx>,
): Actor => {
  const { role, act } = rules
  const acts = event.txIndex === null ? undefined : getActs(block, rules).get(event.txIndex)
  if (!acts) return unknown(`the event names no ${role} and belongs to no transaction`)
  const { indexes, messages, isInStep } = acts
  const message = messages[indexes.get(event) ?? -1]
  if (isInStep && message && message.actor !== '') return known(message.actor)
  return unknown(
    `the event names no ${role}, and the transaction’s ${messages.length} ${act} messages ` +
      `do not match its ${indexes.size} ${act}s one by one`,
  )
}

const findActor = <InTx extends { actor: string }>(
  block: Block,
  position: number,
  rules: ActorRules<InTx>,
): Actor => {
  const event = block.events[position]!
  const name = attribute(event, rules.key) ?? senderAfter(block.events, position)
  return name === undefined ? actorInTx(block, event, rules) : known(name)
}

/** The other event of this type reports the start of voting. */
const isDeposit = (event: AbciEvent): boolean =>
  event.type === 'proposal_deposit' && hasAnyKey(event, ['proposal_id'])

const isSubmission = (event: AbciEvent): boolean =>
  event.type === 'submit_proposal' && hasAnyKey(event, ['proposal_id'])

/** A submission does not contain the ID of its proposal. */
const isSameDeposit = (event: AbciEvent, { proposalId, amount }: TxDeposit): boolean =>
  (proposalId === null || idAttribute(event, 'proposal_id') === proposalId) &&
  Value.Equal(parseCoins(textAttribute(event, 'amount') ?? ''), amount)

const DEPOSITS: ActorRules<TxDeposit> = {
  role: 'depositor',
  act: 'deposit',
  key: 'depositor',
  isAct: isDeposit,
  inTx: depositsInTx,
  isSame: isSameDeposit,
}

const SUBMISSIONS: ActorRules<{ actor: string }> = {
  role: 'proposer',
  act: 'submission',
  key: 'proposal_proposer',
  isAct: isSubmission,
  inTx: proposersInTx,
  isSame: () => true,
}

export const findDepositor = (block: Block, position: number): Actor =>
  findActor(block, position, DEPOSITS)

const MESSAGE_MARKS = ['msg_index', 'authz_msg_index'] as const

const readMarks = ({ attributes }: AbciEvent) =>
  MESSAGE_MARKS.map((mark) => attributes.filter(({ key }) => key === mark))

/** The index of the submission's first deposit, which the same message made; undefined if there is none. */
const firstDeposit = ({ events }: Block, position: number): number | undefined => {
  const submission = events[position]!
  for (let at = position + 1; at < events.length; at++) {
    const event = events[at]!
    const isSameTx = event.txIndex === submission.txIndex && event.phase === submission.phase
    // Each message of a transaction begins with its action.
    if (!isSameTx || isSubmission(event) || attribute(event, 'action')) return undefined
    if (!isDeposit(event)) continue
    const isOwn =
      attribute(event, 'proposal_id') === attribute(submission, 'proposal_id') &&
      Value.Equal(readMarks(event), readMarks(submission))
    return isOwn ? at : undefined
  }
  return undefined
}

/** Each submission includes the proposer's first deposit: SDK 0.45 and 0.46 name the signer after that event. */
export const findProposer = (block: Block, position: number): Actor => {
  const proposer = findActor(block, position, SUBMISSIONS)
  if (proposer.name !== null) return proposer
  const deposit = firstDeposit(block, position)
  if (deposit === undefined) return proposer
  const { name } = findDepositor(block, deposit)
  return name === null ? proposer : { name, reason: null }
}

export type Voter = { voter: string; voterReason: null } | { voter: null; voterReason: string }

const isSameVote = (event: AbciEvent, vote: TxVote): boolean =>
  idAttribute(event, 'proposal_id') === vote.proposalId &&
  Value.Equal(parseVoteOptions(attribute(event, 'option') ?? ''), vote.options)

/** Events of SDK 0.47.0–0.47.4 do not name the voter. */
const VOTES: ActorRules<TxVote> = {
  role: 'voter',
  act: 'vote',
  key: 'voter',
  isAct: ({ type }) => type === 'proposal_vote',
  inTx: votesInTx,
  isSame: isSameVote,
}

export const findVoter = (block: Block, position: number): Voter => {
  const { name, reason } = findActor(block, position, VOTES)
  return name === null ? { voter: null, voterReason: reason } : { voter: name, voterReason: null }
}
