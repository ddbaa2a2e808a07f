// Finds stake that moved after a tally in its end block: the state of the height includes the change, the tally does not.
import type { AbciEvent, Block } from '../comet/blocks/block.ts'
import { canonicalAddress, isAddressLike } from '../contract/address.ts'
import { accountsWithMovedStake, STAKING_EVENTS } from './stake-hints.ts'

/** Empty in nearly every block. */
export type StakeAfterTally = {
  /** Whether any stake moved, also if no event names its pool. */
  hasMoved: boolean
  /** Operators of the changed pools. */
  pools: ReadonlySet<string>
  /** Delegators who may have changed. */
  accounts: ReadonlySet<string>
}

/** An operator may have any prefix, even that of accounts. */
const isOperator = (key: string, address: string): boolean =>
  key.includes('validator') || /valoper1/.test(address)

const isEnd = ({ type }: AbciEvent): boolean => type === 'active_proposal'

type EndPhase = { inEnd: readonly AbciEvent[]; closes: readonly number[]; movesStake: boolean }

/** Computed once per block: many proposals may end in one block with many events. */
const endPhases = new WeakMap<Block, EndPhase>()

const getEndPhase = (block: Block): EndPhase => {
  const known = endPhases.get(block)
  if (known) return known
  const inEnd = block.events.filter(({ phase }) => phase === 'end')
  const closes = inEnd.filter(isEnd).map(({ ordinal }) => ordinal)
  const found = { inEnd, closes, movesStake: inEnd.some(({ type }) => STAKING_EVENTS.has(type)) }
  endPhases.set(block, found)
  return found
}

/**
 * For each proposal an end block runs tally → refunds → the proposal's messages → `active_proposal`. So all
 * events after the previous close came after this proposal's tally: those of messages, and of modules with a later
 * end block. Babylon's x/epoching delegates there (babylonlabs-io/babylon, x/epoching/abci.go and app/app.go).
 */
const eventsAfterTally = (
  { inEnd, closes }: EndPhase,
  closeOrdinal: number,
): readonly AbciEvent[] => {
  const from = closes.findLast((ordinal) => ordinal < closeOrdinal) ?? 0
  return inEnd.filter(({ ordinal }) => ordinal > from)
}

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

/** `closeOrdinal` is the ordinal of the ABCI event that ended the round. */
export const stakeAfterTally = (block: Block, closeOrdinal: number): StakeAfterTally => {
  const endPhase = getEndPhase(block)
  const after = endPhase.movesStake ? eventsAfterTally(endPhase, closeOrdinal) : []
  const staking = after.filter(({ type }) => STAKING_EVENTS.has(type))
  if (staking.length === 0) return { hasMoved: false, pools: new Set(), accounts: new Set() }
  const named = addressesIn(staking)
  // An address that moved stake in a tx and only appears here, for example in a refund, moved it earlier.
  const events = block.events.filter(({ phase }) => phase !== 'end')
  const movedBefore = accountsWithMovedStake({ ...block, events })
  const mentioned = [...addressesIn(after).accounts].filter((address) => !movedBefore.has(address))
  const accounts = new Set([...named.accounts, ...mentioned])
  return { hasMoved: true, pools: named.operators, accounts }
}
