// Which accounts may have other delegations after a block: a superset, to be met with the voters that matter.
import { isAddressLike } from '../chain/address.ts'
import type { AbciEvent, Block } from '../comet/block.ts'

/** Events of a delegation that changed its shares. Some name no delegator (`redelegate`). */
export const STAKING_EVENTS: ReadonlySet<string> = new Set([
  'delegate',
  'unbond',
  'redelegate',
  'cancel_unbonding_delegation',
  'create_validator',
  'tokenize_shares',
  'redeem_shares',
  'transfer_tokenize_share_record',
])

/** One tx, or one whole phase around the txs: what happens together. */
const toGroupKey = (event: AbciEvent): string => `${event.phase}/${event.txIndex ?? ''}`

/**
 * Every address that stands anywhere in the events of a tx (or phase) which moved stake. Whoever
 * sent, granted or earned rewards by it is among them, whatever the SDK's era names where.
 */
export const accountsWithMovedStake = (block: Block): ReadonlySet<string> => {
  const groups = new Set<string>()
  for (const event of block.events) {
    if (STAKING_EVENTS.has(event.type)) groups.add(toGroupKey(event))
  }
  const accounts = new Set<string>()
  if (groups.size === 0) return accounts
  for (const event of block.events) {
    if (!groups.has(toGroupKey(event))) continue
    for (const { value } of event.attributes) if (isAddressLike(value)) accounts.add(value)
  }
  return accounts
}

/** Events of a pool itself: its tokens, or the name it is shown by. */
const POOL_EVENTS: ReadonlySet<string> = new Set([...STAKING_EVENTS, 'slash', 'edit_validator'])

const isUnjailing = ({ type, attributes }: AbciEvent): boolean =>
  type === 'message' &&
  attributes.some(({ key, value }) => key === 'action' && /(MsgUnjail|^unjail)$/.test(value))

/**
 * A pool's tokens, shares, status, jailing or moniker may be different after this block. Whatever moves the
 * power of a bonded pool without an event that says so (a nested unjailing, a new maximum of bonded
 * pools) is among the block's validator updates.
 */
export const changesPools = (block: Block): boolean =>
  block.changesValidators ||
  block.events.some((event) => POOL_EVENTS.has(event.type) || isUnjailing(event))

/** A slashing may unbond redelegated shares in other pools too, and no event names them or whose they were. */
export const hasSlashing = ({ events }: Block): boolean =>
  events.some(({ type }) => type === 'slash')
