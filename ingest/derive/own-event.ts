// Decides whether an ABCI event is one of x/gov: other modules use the same type names for proposals of their own.
import type { AbciEvent } from '../comet/blocks/block.ts'
import { attribute } from './attributes.ts'

type Shape = {
  /** The keys that x/gov always writes: one of these sets. */
  required: readonly (readonly string[])[]
  /** The other keys of any SDK version or known fork of x/gov. */
  optional: readonly string[]
}

/** The event that starts a vote, beside or instead of the act. */
const START = 'voting_period_start'

const ENDED: Shape = { required: [['proposal_id', 'proposal_result']], optional: ['proposal_log'] }

const SHAPES: ReadonlyMap<string, Shape> = new Map([
  [
    'submit_proposal',
    {
      required: [['proposal_id'], [START], ['proposal_type']],
      optional: ['proposal_messages', 'proposal_proposer'],
    },
  ],
  [
    'proposal_deposit',
    { required: [['proposal_id', 'amount'], [START]], optional: ['depositor', 'txhash'] },
  ],
  ['proposal_vote', { required: [['proposal_id', 'option']], optional: ['voter', 'txhash'] }],
  ['active_proposal', ENDED],
  ['inactive_proposal', ENDED],
  ['cancel_proposal', { required: [['proposal_id', 'sender']], optional: [] }],
])

/** The types of the events of x/gov. */
export const GOV_EVENTS: ReadonlySet<string> = new Set(SHAPES.keys())

/** Written by the SDK to events of every module. */
const MARK = /^(mode|(\w+_)?msg_index)$/

/** Contracts have event types of their own: their messages only follow an event of x/gov. */
const GOV_MODULES: ReadonlySet<string> = new Set(['governance', 'gov', 'wasm'])

const hasShape = ({ attributes }: AbciEvent, { required, optional }: Shape): boolean => {
  const keys = new Set(attributes.map(({ key }) => key))
  const known = new Set([...required.flat(), ...optional])
  const isKnown = (key: string) => known.has(key) || MARK.test(key)
  return required.some((all) => all.every((key) => keys.has(key))) && [...keys].every(isKnown)
}

const hasSameIndex = (left: AbciEvent, right: AbciEvent): boolean =>
  attribute(left, 'msg_index') === attribute(right, 'msg_index')

/**
 * Directly after its event a module of SDK 0.46 and earlier names itself and the sender. The first event of a
 * message names a module too, but with its action.
 */
const isNamedByOtherModule = (events: readonly AbciEvent[], position: number): boolean => {
  const event = events[position]!
  const next = events[position + 1]
  if (next?.type !== 'message' || next.ordinal !== event.ordinal + 1) return false
  if (next.txIndex !== event.txIndex || next.phase !== event.phase) return false
  const module = attribute(next, 'module')
  if (module === undefined || GOV_MODULES.has(module)) return false
  return attribute(next, 'action') === undefined && hasSameIndex(event, next)
}

const ENDS: ReadonlySet<string> = new Set(['active_proposal', 'inactive_proposal'])

export type Ownership = 'own' | 'foreign' | 'other_type'

/** `foreign`: an event of another module with the type of an event of x/gov. */
export const findOwnership = (events: readonly AbciEvent[], position: number): Ownership => {
  const event = events[position]!
  const shape = SHAPES.get(event.type)
  if (!shape) return 'other_type'
  // x/gov ends periods only in end blocks.
  if (ENDS.has(event.type) && event.txIndex !== null) return 'foreign'
  const isOwn = hasShape(event, shape) && !isNamedByOtherModule(events, position)
  return isOwn ? 'own' : 'foreign'
}
