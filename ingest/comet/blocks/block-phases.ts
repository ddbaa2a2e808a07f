// Splits the events of `finalize_block_events`, as they arrive, into those before and those after the transactions.
import type { AbciAttribute } from './block.ts'

type BlockEvent = { type: string; attributes: readonly AbciAttribute[] }

/** SDK 0.50+ appends `mode` to every block event except those of PreBlock, which come first. */
const readMode = ({ attributes }: BlockEvent): string | undefined => {
  const last = attributes.at(-1)
  if (last?.key !== 'mode') return undefined
  return last.value === 'BeginBlock' || last.value === 'EndBlock' ? last.value : undefined
}

/**
 * x/gov ends its periods and x/staking its unbondings only in their end blocks, in every SDK version. Outside of a transaction a vote is a
 * message of a proposal that passed.
 */
const END_BLOCK_TYPES: ReadonlySet<string> = new Set([
  'active_proposal',
  'inactive_proposal',
  'proposal_vote',
  'complete_unbonding',
  'complete_redelegation',
])

/** The events of the bank by which an account loses coins, with the key of that account. */
const SPENDER_KEYS: ReadonlyMap<string, string> = new Map([
  ['coin_spent', 'spender'],
  ['transfer', 'sender'],
  ['burn', 'burner'],
])

/** The account of x/gov: the first 20 bytes of SHA-256 of `gov`, in Bech32 without prefix and checksum. */
const GOV_ACCOUNT = /10d07y265gmmuvt4z0w9aw880jnsr700j[02-9ac-hj-np-z]{6}$/

/**
 * Outside of a transaction only the end block of x/gov spends the deposits. It does so before the messages of
 * a passed proposal and before `active_proposal`, so these messages belong to the end block too.
 */
const spendsDeposits = ({ type, attributes }: BlockEvent): boolean => {
  const spender = SPENDER_KEYS.get(type)
  return (
    spender !== undefined &&
    attributes.some(({ key, value }) => key === spender && GOV_ACCOUNT.test(value))
  )
}

const isOfEndBlock = (event: BlockEvent): boolean =>
  END_BLOCK_TYPES.has(event.type) || spendsDeposits(event)

/** What the phase of an event depends on, besides the events after it. */
export type SeenEvent = { index: number; isMarkedEnd: boolean; markedEndsBefore: number }

/**
 * Some nodes join both lists without `mode`: Sei always, and CometBFT 0.38 before 0.38.10 for earlier heights.
 * Then the end block begins at the first event that only an end block has.
 */
export class PhaseSplit {
  #count = 0
  #markedEnds = 0
  #hasMode = false
  #firstEnd: number | undefined

  /** Takes the events in order, and returns what `locate` needs. */
  add(event: BlockEvent): SeenEvent {
    const mode = readMode(event)
    this.#hasMode ||= mode !== undefined
    const index = this.#count++
    if (!this.#hasMode && isOfEndBlock(event)) this.#firstEnd ??= index
    const isMarkedEnd = mode === 'EndBlock'
    const seen = { index, isMarkedEnd, markedEndsBefore: this.#markedEnds }
    if (isMarkedEnd) this.#markedEnds++
    return seen
  }

  get beginCount(): number {
    return this.#hasMode ? this.#count - this.#markedEnds : (this.#firstEnd ?? this.#count)
  }

  get endCount(): number {
    return this.#count - this.beginCount
  }

  /** The phase of an event, and its index among the events of this phase; call it after the last `add`. */
  locate({ index, isMarkedEnd, markedEndsBefore }: SeenEvent): {
    phase: 'begin' | 'end'
    index: number
  } {
    if (this.#hasMode) {
      return isMarkedEnd
        ? { phase: 'end', index: markedEndsBefore }
        : { phase: 'begin', index: index - markedEndsBefore }
    }
    const { beginCount } = this
    return index < beginCount
      ? { phase: 'begin', index }
      : { phase: 'end', index: index - beginCount }
  }
}
