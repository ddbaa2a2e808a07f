// The events of x/gov: how each type looks in every version of the SDK, and what it says. Other modules use the same types for proposals
// of their own: their events have another shape.
import type { AbciEvent } from '../comet/blocks/block.ts'
import { canonicalAddress } from '../contract/address.ts'
import type { BlockFact, Outcome } from '../contract/governance/fact.ts'
import type { Actors } from './actors.ts'
import {
  attribute,
  findNext,
  hasAnyKey,
  idAttribute,
  parseCoins,
  textAttribute,
} from './attributes.ts'
import { parseVoteOptions } from './vote-options.ts'

/** Where an event is in the block, and who its block names. */
type At = { position: number; actors: Actors }
/** Never throws: invalid data becomes a reason. */
type Read = (event: AbciEvent, at: At) => BlockFact[] | string

type GovEvent = {
  /** The keys that x/gov always writes: one of these sets. */
  required: readonly (readonly string[])[]
  /** The other keys of any SDK version or known fork of x/gov. */
  optional: readonly string[]
  /** x/gov ends periods only in end blocks. */
  isEnd?: true
  read: Read
}

const NO_ID = 'it names no proposal'
/** The event that starts a vote, beside or instead of the act. The value is the ID of the proposal. */
const START = 'voting_period_start'

/** Empty without a start. */
const readStart: Read = (event) => {
  if (!hasAnyKey(event, [START])) return []
  const proposalId = idAttribute(event, START)
  return proposalId ? [{ kind: 'voting_started', proposalId }] : `${START} is not a proposal ID`
}

const submit: Read = (event, { position, actors }) => {
  const start = readStart(event, { position, actors })
  // SDK 0.45 emits a second event with the type of the content, with or without a vote.
  if (typeof start === 'string' || !hasAnyKey(event, ['proposal_id'])) return start
  const proposalId = idAttribute(event, 'proposal_id')
  if (!proposalId) return NO_ID
  const { name, reason } = actors.findProposer(position)
  return [{ kind: 'submitted', proposalId, proposer: name, proposerReason: reason }, ...start]
}

const deposit: Read = (event, { position, actors }) => {
  const start = readStart(event, { position, actors })
  if (typeof start === 'string') return start
  if (start.length > 0 && !hasAnyKey(event, ['proposal_id'])) return start
  const proposalId = idAttribute(event, 'proposal_id')
  if (!proposalId) return NO_ID
  const amount = parseCoins(textAttribute(event, 'amount') ?? '')
  if (!amount) return 'its amount cannot be decoded'
  const { name, reason } = actors.find('deposit', position)
  const deposited = { proposalId, depositor: name, depositorReason: reason, amount }
  return [{ kind: 'deposited', ...deposited }, ...start]
}

const vote: Read = (event, { position, actors }) => {
  const proposalId = idAttribute(event, 'proposal_id')
  if (!proposalId) return NO_ID
  const options = parseVoteOptions(attribute(event, 'option') ?? '')
  if (!options) return 'its option is in no known format'
  const { name, reason } = actors.find('vote', position)
  const cast = { proposalId, voter: name, voterReason: reason, options }
  const written = actors.findReason(position, name)
  return [{ kind: 'vote_cast', ...cast, ...(written ? { reason: written } : {}), counted: true }]
}

const OUTCOMES: ReadonlyMap<string, Outcome> = new Map([
  ['proposal_passed', 'passed'],
  ['proposal_rejected', 'rejected'],
  ['proposal_failed', 'failed'],
])

/** The vote continues under regular rules. */
const RESTARTS: ReadonlySet<string> = new Set([
  'expedited_proposal_rejected',
  'optimistic_proposal_rejected',
])

type Ending = { proposalId: string; result: string; log: string | null }

const readEnding = (event: AbciEvent): Ending | string => {
  const proposalId = idAttribute(event, 'proposal_id')
  const result = attribute(event, 'proposal_result')
  if (!proposalId) return NO_ID
  if (!result) return 'it names no result'
  return { proposalId, result, log: textAttribute(event, 'proposal_log') ?? null }
}

const active: Read = (event) => {
  const ending = readEnding(event)
  if (typeof ending === 'string') return ending
  if (RESTARTS.has(ending.result)) return [{ kind: 'restarted', ...ending }]
  const outcome = OUTCOMES.get(ending.result) ?? 'unknown'
  return [{ kind: 'closed', ...ending, outcome, isTallied: true }]
}

const inactive: Read = (event) => {
  const ending = readEnding(event)
  if (typeof ending === 'string') return ending
  const { proposalId, result } = ending
  // SDK 0.50: the stored proposal cannot be decoded. The chain keeps it, as failed.
  return result === 'proposal_failed'
    ? [{ kind: 'closed', ...ending, outcome: 'failed', isTallied: false }]
    : [{ kind: 'dropped', proposalId, result }]
}

const cancel: Read = (event) => {
  const proposalId = idAttribute(event, 'proposal_id')
  const sender = canonicalAddress(attribute(event, 'sender') ?? '') || null
  return proposalId ? [{ kind: 'canceled', proposalId, sender }] : NO_ID
}

const ENDED = {
  required: [['proposal_id', 'proposal_result']],
  optional: ['proposal_log'],
  isEnd: true,
} as const

/** By type: the only list of the events of x/gov. */
const GOV_EVENTS: ReadonlyMap<string, GovEvent> = new Map<string, GovEvent>([
  [
    'submit_proposal',
    {
      required: [['proposal_id'], [START], ['proposal_type']],
      optional: ['proposal_messages', 'proposal_proposer'],
      read: submit,
    },
  ],
  [
    'proposal_deposit',
    {
      required: [['proposal_id', 'amount'], [START]],
      optional: ['depositor', 'txhash'],
      read: deposit,
    },
  ],
  [
    'proposal_vote',
    { required: [['proposal_id', 'option']], optional: ['voter', 'txhash'], read: vote },
  ],
  ['active_proposal', { ...ENDED, read: active }],
  ['inactive_proposal', { ...ENDED, read: inactive }],
  ['cancel_proposal', { required: [['proposal_id', 'sender']], optional: [], read: cancel }],
])

export function isGovType(type: string): boolean {
  return GOV_EVENTS.has(type)
}

/** Written by the SDK to events of every module. */
const MARK = /^(mode|(\w+_)?msg_index)$/

/** Contracts have event types of their own: their messages only follow an event of x/gov. */
const GOV_MODULES: ReadonlySet<string> = new Set(['governance', 'gov', 'wasm'])

const hasShape = ({ attributes }: AbciEvent, { required, optional }: GovEvent): boolean => {
  const keys = new Set(attributes.map(({ key }) => key))
  const known = new Set([...required.flat(), ...optional])
  const isKnown = (key: string) => known.has(key) || MARK.test(key)
  return required.some((all) => all.every((key) => keys.has(key))) && [...keys].every(isKnown)
}

/**
 * Directly after its event a module of SDK 0.46 and earlier names itself and the sender. The first event of a
 * message names a module too, but with its action.
 */
const isNamedByOtherModule = (events: readonly AbciEvent[], position: number): boolean => {
  const event = events[position]!
  const next = findNext(events, position)
  const module = next && attribute(next, 'module')
  if (!next || module === undefined || GOV_MODULES.has(module)) return false
  const isSameMessage = attribute(event, 'msg_index') === attribute(next, 'msg_index')
  return attribute(next, 'action') === undefined && isSameMessage
}

/** Not if another module has written it. */
export function isGovEvent(events: readonly AbciEvent[], position: number): boolean {
  const event = events[position]!
  const gov = GOV_EVENTS.get(event.type)
  if (!gov || (gov.isEnd && event.txIndex !== null)) return false
  return hasShape(event, gov) && !isNamedByOtherModule(events, position)
}

/** The facts of an event of x/gov. */
export function readGovEvent(event: AbciEvent, at: At): BlockFact[] {
  const facts = GOV_EVENTS.get(event.type)?.read(event, at) ?? []
  if (typeof facts !== 'string') return facts
  const { type: abciType, attributes } = event
  const proposalId = idAttribute(event, 'proposal_id') ?? idAttribute(event, START) ?? null
  return [
    {
      kind: 'undecodable',
      abciType,
      attributes: attributes.map(({ key, value }) => ({ key, value })),
      proposalId,
      reason: `${abciType}: ${facts}`,
    },
  ]
}
