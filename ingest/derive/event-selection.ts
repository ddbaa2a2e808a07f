// Selects the ABCI events that a reader of this folder uses. All others are dropped while a block is received, so a reader of
// another event or attribute must add it here.
import type { EventSelection } from '../comet/blocks/event-collector.ts'
import { isGovType } from './gov-events.ts'
import { SLASHING, STAKING_EVENTS } from './moved-stake.ts'

/** The attributes that `actors.ts` and `gov-events.ts` read in events beside a governance event. */
const NAMED_KEYS: ReadonlySet<string> = new Set(['action', 'module', 'msg_index', 'sender'])

/** In small or in capital letters: only the readers of kept events decide what is an address. */
const mayBeAddress = (text: string): boolean =>
  text.length >= 39 && text.length <= 256 && /1[02-9ac-hj-np-z]{38,}$/i.test(text)

/** `findMentions` reads these events of other modules. Contracts number the proposals of their own organizations. */
const mentionsProposal: EventSelection['isRead'] = ({ type, attributes }) =>
  !type.startsWith('wasm') && attributes.some(({ key }) => key === 'proposal_id')

/** Ends of `proposal`, which is in each type of x/gov, and of the key `proposal_id` as base64. A short text is found sooner. */
const ABOUT_PROPOSALS = ['posal', Buffer.from('proposal_id').toString('base64').slice(-7)]

const toBytes = (texts: readonly string[]): Buffer[] => texts.map((text) => Buffer.from(text))

const opensGroup = (type: string): boolean => isGovType(type) || STAKING_EVENTS.has(type)

export const eventSelection: EventSelection = {
  needles: {
    past: toBytes(ABOUT_PROPOSALS),
    live: toBytes([
      ...ABOUT_PROPOSALS,
      ...[...STAKING_EVENTS, SLASHING].map((type) => `"${type}"`),
    ]),
  },
  isRead: (event) => opensGroup(event.type) || event.type === SLASHING || mentionsProposal(event),
  opensGroup,
  needsTxs: (event) => isGovType(event.type) || mentionsProposal(event),
  isNamed: ({ key, value }) => NAMED_KEYS.has(key) || mayBeAddress(value),
}
