// Finds stake that a proposal's own messages moved: the state of its height includes the change, its tally does not.
import { isAddressLike } from '../chain/address.ts'
import type { AbciEvent, Block } from '../comet/block.ts'
import { accountsWithMovedStake, STAKING_EVENTS } from './stake-hints.ts'

/** Both empty in nearly every block. */
export type StakeAfterTally = {
  /** Operators of the changed pools. */
  pools: ReadonlySet<string>
  /** Delegators who may have changed. */
  accounts: ReadonlySet<string>
}

const OPERATOR = /^[a-z0-9]+valoper1/

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
 * events after the previous close came after this proposal's tally, up to the last close of the block.
 */
const eventsAfterTally = (
  { inEnd, closes }: EndPhase,
  closeOrdinal: number,
): readonly AbciEvent[] => {
  const from = closes.findLast((ordinal) => ordinal < closeOrdinal) ?? 0
  const to = closes.at(-1) ?? 0
  return inEnd.filter(({ ordinal }) => ordinal > from && ordinal < to)
}

const addressesIn = (events: readonly AbciEvent[]): string[] =>
  events.flatMap(({ attributes }) =>
    attributes.map(({ value }) => value).filter((value) => isAddressLike(value)),
  )

/** `closeOrdinal` is the ordinal of the ABCI event that ended the round. */
export const stakeAfterTally = (block: Block, closeOrdinal: number): StakeAfterTally => {
  const endPhase = getEndPhase(block)
  const after = endPhase.movesStake ? eventsAfterTally(endPhase, closeOrdinal) : []
  const staking = after.filter(({ type }) => STAKING_EVENTS.has(type))
  if (staking.length === 0) return { pools: new Set(), accounts: new Set() }
  const named = new Set(addressesIn(staking))
  // An address that moved stake in a tx and only appears here, for example in a refund, moved it earlier.
  const events = block.events.filter(({ phase }) => phase !== 'end')
  const movedBefore = accountsWithMovedStake({ ...block, events })
  const mentioned = addressesIn(after).filter((address) => !movedBefore.has(address))
  const all = [...named, ...mentioned]
  return {
    pools: new Set([...named].filter((address) => OPERATOR.test(address))),
    accounts: new Set(all.filter((address) => !OPERATOR.test(address))),
  }
}
