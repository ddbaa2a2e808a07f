// Finds who voted, deposited or submitted, by the rules of each SDK version. Null with the reason if unknown.
import type { AbciEvent, Block } from '../comet/blocks/block.ts'
import { canonicalAddress } from '../contract/address.ts'
import { attribute } from './attributes.ts'
import { findOwnership } from './own-event.ts'

/** One of the two is null. */
export type Actor = { name: string; reason: null } | { name: null; reason: string }

const known = (name: string): Actor => ({ name: canonicalAddress(name), reason: null })
const unknown = (reason: string): Actor => ({ name: null, reason })

/** One kind of event, and the messages of a transaction that cause it. */
export type ActorRules<InTx extends { actor: string }> = {
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
export const senderAfter = (events: readonly AbciEvent[], position: number): string | undefined => {
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

export const findActor = <InTx extends { actor: string }>(
  block: Block,
  position: number,
  rules: ActorRules<InTx>,
): Actor => {
  const event = block.events[position]!
  const name = attribute(event, rules.key) ?? senderAfter(block.events, position)
  return name === undefined ? actorInTx(block, event, rules) : known(name)
}
