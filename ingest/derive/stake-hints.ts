// Finds the accounts with possibly changed delegations after a block: a superset, later limited to relevant voters.
import type { AbciEvent, Block } from '../comet/blocks/block.ts'
import { canonicalAddress, isAddressLike } from '../contract/address.ts'

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

/** One tx, or one whole phase before or after the txs: its events belong together. */
const toGroupKey = (event: AbciEvent): string => `${event.phase}/${event.txIndex ?? ''}`

/**
 * Every address in the events of a tx (or phase) that moved stake. This includes senders, granters and
 * recipients of rewards, in every SDK version.
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
    for (const { value } of event.attributes) {
      const address = canonicalAddress(value)
      if (isAddressLike(address)) accounts.add(address)
    }
  }
  return accounts
}
