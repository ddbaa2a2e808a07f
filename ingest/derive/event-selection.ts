// Selects the ABCI events that a reader of this folder or a tally rule uses. All others are dropped while a block is received, so a reader of
// another event or attribute must add it here.
import type { EventSelection } from '../comet/event-collector.ts'
import { canonicalAddress, isAddressLike } from '../contract/address.ts'
import { RULE_MODULES } from '../tally-rules/modules.ts'
import { GOV_EVENTS } from './own-event.ts'
import { isUnjailing, POOL_EVENTS, STAKING_EVENTS } from './stake-hints.ts'

/** The attributes that `actor.ts`, `depositor.ts` and `own-event.ts` read in events beside a governance event. */
const NAMED_KEYS: ReadonlySet<string> = new Set(['action', 'module', 'msg_index', 'sender'])

export const eventSelection: EventSelection = {
  isRead: (event) =>
    GOV_EVENTS.has(event.type) ||
    POOL_EVENTS.has(event.type) ||
    isUnjailing(event) ||
    RULE_MODULES.some((rule) => rule.readsEvent?.(event)),
  opensGroup: (type) => GOV_EVENTS.has(type) || STAKING_EVENTS.has(type),
  isNamed: ({ key, value }) => NAMED_KEYS.has(key) || isAddressLike(canonicalAddress(value)),
}
