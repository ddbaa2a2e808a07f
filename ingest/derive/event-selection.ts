// Selects the ABCI events that a reader of this folder or a tally rule uses. All others are dropped while a block is received, so a reader of
// another event or attribute must add it here.
import type { EventSelection } from '../comet/blocks/event-collector.ts'
import { canonicalAddress, isAddressLike } from '../contract/address.ts'
import { GOV_EVENTS } from './own-event.ts'
import { STAKING_EVENTS } from './stake-hints.ts'

/** The attributes that `actor.ts`, `depositor.ts` and `own-event.ts` read in events beside a governance event. */
const NAMED_KEYS: ReadonlySet<string> = new Set(['action', 'module', 'msg_index', 'sender'])

/** `findMentions` reads these events of other modules. Contracts number the proposals of their own organizations. */
const mentionsProposal: EventSelection['isRead'] = ({ type, attributes }) =>
  !type.startsWith('wasm') && attributes.some(({ key }) => key === 'proposal_id')

/** Ends of `proposal`, which is in each type of x/gov, and of the key `proposal_id` as base64. A short text is found sooner. */
const ABOUT_PROPOSALS = ['posal', Buffer.from('proposal_id').toString('base64').slice(-7)]

const toBytes = (texts: readonly string[]): Buffer[] => texts.map((text) => Buffer.from(text))

export const eventSelection: EventSelection = {
  needles: {
    past: toBytes(ABOUT_PROPOSALS),
    live: toBytes([...ABOUT_PROPOSALS, ...[...STAKING_EVENTS].map((type) => `"${type}"`)]),
  },
  isRead: (event) =>
    GOV_EVENTS.has(event.type) || STAKING_EVENTS.has(event.type) || mentionsProposal(event),
  opensGroup: (type) => GOV_EVENTS.has(type) || STAKING_EVENTS.has(type),
  isNamed: ({ key, value }) => NAMED_KEYS.has(key) || isAddressLike(canonicalAddress(value)),
}
