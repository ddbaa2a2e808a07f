// Finds who voted, deposited or submitted, by the rules of each SDK version: many events name no account. Null with the reason if unknown.
import { Value } from 'typebox/value'
import type { AbciEvent, Block } from '../comet/blocks/block.ts'
import { canonicalAddress } from '../contract/address.ts'
import type { VoteReason } from '../contract/facts.ts'
import {
  attribute,
  findNext,
  hasAnyKey,
  idAttribute,
  parseCoins,
  textAttribute,
} from './attributes.ts'
import { type DecodedTx, decodeTx, type TxMessage } from './tx-messages.ts'
import { parseVoteOptions } from './vote-options.ts'

/** One of the two is null. */
export type Actor = { name: string; reason: null } | { name: null; reason: string }

const known = (name: string): Actor => ({ name: canonicalAddress(name), reason: null })
const unknown = (reason: string): Actor => ({ name: null, reason })

type Act = TxMessage['act']

/** The term for reasons, and the attribute that names the actor, if the SDK version has one. */
const ROLES: Readonly<Record<Act, { role: string; key: string }>> = {
  vote: { role: 'voter', key: 'voter' },
  deposit: { role: 'depositor', key: 'depositor' },
  submission: { role: 'proposer', key: 'proposal_proposer' },
}

/** Each such event belongs to one message. The other events of these types report the start of voting. */
const findAct = (event: AbciEvent): Act | undefined => {
  if (event.type === 'proposal_vote') return 'vote'
  if (!hasAnyKey(event, ['proposal_id'])) return undefined
  if (event.type === 'proposal_deposit') return 'deposit'
  return event.type === 'submit_proposal' ? 'submission' : undefined
}

/** SDK 0.45 and 0.46 name the signer in a governance message directly after the event, at any nesting. */
const senderAfter = (events: readonly AbciEvent[], position: number): string | undefined => {
  const next = findNext(events, position)
  return next && attribute(next, 'module') === 'governance' ? attribute(next, 'sender') : undefined
}

const isSame = (event: AbciEvent, message: TxMessage): boolean => {
  const proposalId = idAttribute(event, 'proposal_id')
  switch (message.act) {
    case 'vote': {
      const options = parseVoteOptions(attribute(event, 'option') ?? '')
      return proposalId === message.proposalId && Value.Equal(options, message.options)
    }
    case 'deposit': {
      const amount = parseCoins(textAttribute(event, 'amount') ?? '')
      const isOwn = message.proposalId === null || message.proposalId === proposalId
      return isOwn && Value.Equal(amount, message.amount)
    }
    case 'submission':
      // A submission does not contain the ID of its proposal.
      return true
  }
}

/** The events and messages of one act in one transaction, in execution order. */
type Acts = {
  events: Map<AbciEvent, number>
  messages?: readonly TxMessage[]
  /** Each event has its own message, in the same order. */
  isInStep?: boolean
}

const MESSAGE_MARKS = ['msg_index', 'authz_msg_index'] as const

const readMarks = ({ attributes }: AbciEvent) =>
  MESSAGE_MARKS.map((mark) => attributes.filter(({ key }) => key === mark))

/** The position of the submission's first deposit, which the same message made; undefined if there is none. */
const firstDeposit = (events: readonly AbciEvent[], position: number): number | undefined => {
  const submission = events[position]!
  for (let at = position + 1; at < events.length; at++) {
    const event = events[at]!
    const isSameTx = event.txIndex === submission.txIndex && event.phase === submission.phase
    const act = findAct(event)
    // Each message of a transaction begins with its action.
    if (!isSameTx || act === 'submission' || attribute(event, 'action')) return undefined
    if (act !== 'deposit') continue
    const isOwn =
      attribute(event, 'proposal_id') === attribute(submission, 'proposal_id') &&
      Value.Equal(readMarks(event), readMarks(submission))
    return isOwn ? at : undefined
  }
  return undefined
}

export type Actors = {
  find(act: Act, position: number): Actor
  findProposer(position: number): Actor
  /** What is written beside the vote of this account; undefined if nothing is. */
  findReason(position: number, voter: string | null): VoteReason | undefined
}

/** `own`: the positions of the events of x/gov. A transaction may have any number of messages: each is decoded at most once. */
export function createActors({ events, txs }: Block, own: readonly number[]): Actors {
  const acts = new Map<string, Acts>()
  const decoded = new Map<number, DecodedTx>()
  for (const position of own) {
    const event = events[position]!
    const key = `${findAct(event)}/${event.txIndex}`
    const siblings = acts.get(key)?.events ?? new Map<AbciEvent, number>()
    siblings.set(event, siblings.size)
    acts.set(key, { events: siblings })
  }
  const readTx = (txIndex: number): DecodedTx => {
    const tx = decoded.get(txIndex) ?? decodeTx(txs[txIndex]?.bytes ?? new Uint8Array())
    decoded.set(txIndex, tx)
    return tx
  }
  /** The messages of an act in its transaction, and that of this event if they match one by one. */
  const pair = (group: Acts, event: AbciEvent, act: Act) => {
    group.messages ??= readTx(event.txIndex ?? -1).messages.filter((each) => each.act === act)
    const { events: siblings, messages: all } = group
    group.isInStep ??=
      all.length === siblings.size &&
      [...siblings].every(([sibling, index]) => isSame(sibling, all[index]!))
    return { all, own: group.isInStep ? all[siblings.get(event) ?? -1] : undefined }
  }
  /**
   * Some events of SDK 0.47.0 to 0.50.5 do not name the actor. Each message of a successful transaction emits
   * one event: if there are as many messages as events, they match one by one. Additional events come from
   * contracts or similar modules.
   */
  const findInTx = (act: Act, event: AbciEvent): Actor => {
    const { role } = ROLES[act]
    const { txIndex } = event
    const group = acts.get(`${act}/${txIndex}`)
    if (txIndex === null || !group) {
      return unknown(`the event names no ${role} and belongs to no transaction`)
    }
    const { all, own } = pair(group, event, act)
    if (own && own.actor !== '') return known(own.actor)
    return unknown(
      `the event names no ${role}, and the transaction’s ${all.length} ${act} messages ` +
        `do not match its ${group.events.size} ${act}s one by one`,
    )
  }
  const find: Actors['find'] = (act, position) => {
    const event = events[position]!
    const name = attribute(event, ROLES[act].key) ?? senderAfter(events, position)
    return name === undefined ? findInTx(act, event) : known(name)
  }
  /** Beside a vote of a contract, votes of one account may be in any order: then their metadata count if they are equal. */
  const findMetadata = (event: AbciEvent, group: Acts, voter: string | null): string => {
    const { all, own } = pair(group, event, 'vote')
    // One that matches in step is known to be the same.
    const same = own ? [own] : all.filter((each) => isSame(event, each))
    const candidates = same.flatMap((each) =>
      each.act === 'vote' && canonicalAddress(each.actor) === voter ? [each.metadata] : [],
    )
    return new Set(candidates).size === 1 ? (candidates[0] ?? '') : ''
  }
  const findReason: Actors['findReason'] = (position, voter) => {
    const event = events[position]!
    const group = acts.get(`vote/${event.txIndex}`)
    if (event.txIndex === null || !group) return undefined
    const metadata = findMetadata(event, group, voter)
    const { memo } = readTx(event.txIndex)
    if (metadata === '' && memo === '') return undefined
    return { ...(metadata === '' ? {} : { metadata }), ...(memo === '' ? {} : { memo }) }
  }
  return {
    find,
    findReason,
    /** Each submission includes the proposer's first deposit: SDK 0.45 and 0.46 name the signer after that event. */
    findProposer: (position) => {
      const proposer = find('submission', position)
      const deposit = proposer.name === null ? firstDeposit(events, position) : undefined
      const depositor = deposit === undefined ? undefined : find('deposit', deposit)
      return depositor && depositor.name !== null ? depositor : proposer
    },
  }
}
