// Finds the accounts and pools whose stake may have changed in a block: supersets, later limited to the voters that matter.
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

/** It unbonds shares that were redelegated from the slashed pool, and names none of their owners. */
export const SLASHING = 'slash'

const movesStake = ({ type }: AbciEvent): boolean => STAKING_EVENTS.has(type)

/** An operator may have any prefix, even that of accounts. */
const isOperator = (key: string, address: string): boolean =>
  key.includes('validator') || /valoper1/.test(address)

const addressesIn = (events: readonly AbciEvent[]) => {
  const operators = new Set<string>()
  const accounts = new Set<string>()
  for (const { attributes } of events) {
    for (const { key, value } of attributes) {
      const address = canonicalAddress(value)
      if (isAddressLike(address)) (isOperator(key, address) ? operators : accounts).add(address)
    }
  }
  return { operators, accounts }
}

/** One tx, or one whole phase before or after the txs: its events belong together. */
const toGroup = ({ phase, txIndex }: AbciEvent): string => `${phase}/${txIndex ?? ''}`

/**
 * Every address in the events of a tx (or phase) that moved stake. This includes senders, granters and
 * recipients of rewards, in every SDK version.
 */
export function accountsWithMovedStake(events: readonly AbciEvent[]): ReadonlySet<string> {
  const groups = new Set(events.filter(movesStake).map(toGroup))
  if (groups.size === 0) return groups
  const { operators, accounts } = addressesIn(events.filter((each) => groups.has(toGroup(each))))
  return new Set([...accounts, ...operators])
}

/** Stake that moved after a tally in its end block: the state of the height includes the change, the tally does not. */
export type StakeAfterTally = {
  /** Whether any stake moved, also if no event names its pool. */
  hasMoved: boolean
  /** Operators of the changed pools. */
  pools: ReadonlySet<string>
  /** Those of them that also changed in the same block before the tally. */
  poolsBefore: ReadonlySet<string>
  /** How many tokens came to each changed pool. */
  tokens: ReadonlyMap<string, bigint>
  /** Delegators who may have changed. */
  accounts: ReadonlySet<string>
}

const NOTHING_MOVED: StakeAfterTally = {
  hasMoved: false,
  pools: new Set(),
  poolsBefore: new Set(),
  tokens: new Map(),
  accounts: new Set(),
}

/** By event type and the attribute that names a pool: what its `amount` does to the tokens of the pool. */
const MOVED_TOKENS: Readonly<Record<string, Readonly<Record<string, bigint>>>> = {
  delegate: { validator: 1n },
  cancel_unbonding_delegation: { validator: 1n },
  unbond: { validator: -1n },
  redelegate: { source_validator: -1n, destination_validator: 1n },
}

const sumMovedTokens = (events: readonly AbciEvent[]): ReadonlyMap<string, bigint> => {
  const tokens = new Map<string, bigint>()
  for (const { type, attributes } of events) {
    const amount = attributes.find(({ key }) => key === 'amount')?.value ?? ''
    const moved = BigInt(/^\d+/.exec(amount)?.[0] ?? 0)
    for (const { key, value } of attributes) {
      const sign = MOVED_TOKENS[type]?.[key]
      if (sign === undefined) continue
      const pool = canonicalAddress(value)
      tokens.set(pool, (tokens.get(pool) ?? 0n) + sign * moved)
    }
  }
  return tokens
}

const ends = {
  marked: new WeakMap<Block, readonly AbciEvent[]>(),
  all: new WeakMap<Block, readonly AbciEvent[]>(),
}

/** Events of the end block if one of them moves stake. Once per block: many proposals may end in one with many events. */
function readEnd(block: Block, allEnd: boolean): readonly AbciEvent[] {
  const known = allEnd ? ends.all : ends.marked
  const events = known.get(block) ?? block.events.filter((event) => isEnd(event, allEnd))
  const relevant = events.some(movesStake) ? events : []
  known.set(block, relevant)
  return relevant
}

const isEnd = ({ phase }: AbciEvent, allEnd: boolean): boolean =>
  phase === 'end' || (allEnd && phase === 'begin')

/**
 * For each proposal an end block runs tally → refunds → the proposal's messages → `active_proposal`. So all
 * events after the previous close came after this proposal's tally: those of messages, and of modules with a later
 * end block. Babylon's x/epoching delegates there (babylonlabs-io/babylon, x/epoching/abci.go and app/app.go).
 * `closeOrdinal` is the ordinal of the ABCI event that ended the round. `allEnd`: nodes that join both lists of a block without `mode` do not
 * show where its end block begins: then every event outside of the transactions may be one of it.
 */
export function stakeAfterTally(
  block: Block,
  closeOrdinal: number,
  { allEnd = false } = {},
): StakeAfterTally {
  const end = readEnd(block, allEnd)
  const previous = end.findLast(
    ({ type, ordinal }) => type === 'active_proposal' && ordinal < closeOrdinal,
  )
  const after = end.filter(({ ordinal }) => ordinal > (previous?.ordinal ?? 0))
  const moved = after.filter(movesStake)
  if (moved.length === 0) return NOTHING_MOVED
  const named = addressesIn(moved)
  const isAfter = new Set(after)
  const movedEarlier = block.events.filter((event) => movesStake(event) && !isAfter.has(event))
  const poolsEarlier = addressesIn(movedEarlier).operators
  // An address that moved stake in a tx and only appears here, for example in a refund, moved it earlier.
  const movedBefore = accountsWithMovedStake(block.events.filter((event) => !isEnd(event, allEnd)))
  const mentioned = [...addressesIn(after).accounts].filter((address) => !movedBefore.has(address))
  return {
    hasMoved: true,
    pools: named.operators,
    poolsBefore: new Set([...named.operators].filter((pool) => poolsEarlier.has(pool))),
    tokens: sumMovedTokens(moved),
    accounts: new Set([...named.accounts, ...mentioned]),
  }
}
