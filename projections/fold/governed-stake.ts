// The stake of one pool that governors vote with: all that its owners left to them, less what the owners vote with themselves.
import { addressKey } from '../../ingest/contract/address.ts'
import { mul } from '../../ingest/contract/decimal.ts'
import type { Delegation } from '../../ingest/contract/delegation.ts'
import { priceShares, type Rate } from '../../ingest/contract/delegation.ts'
import { addWeighted, type Weights, zeroSums } from '../../ingest/tally/option-sums.ts'
import { GOVERNOR } from '../../ingest/tally/tally.ts'
import type { Priced } from './delegator-sums.ts'

/** The ballot of a voter. */
export type Voting = { readonly voter: string; readonly weights: Weights }
type Part = { delegation: Delegation; shares: bigint }

export class GovernedStake {
  /** In shares (atto), by the key of the governor. */
  readonly #voted = new Map<string, bigint>()
  readonly #left = new Map<Voting, bigint>()
  readonly #parts = new Map<Voting, Part[]>()

  add(ballot: Voting, part: Part): void {
    const parts = this.#parts.get(ballot) ?? []
    parts.push(part)
    this.#parts.set(ballot, parts)
    this.#change(ballot, part, 1n)
  }

  remove(ballot: Voting): void {
    for (const part of this.#parts.get(ballot) ?? []) this.#change(ballot, part, -1n)
    this.#parts.delete(ballot)
    this.#left.delete(ballot)
  }

  /** What each governor votes with, in atto. */
  *powersAt(rate: Rate): Generator<{ ballot: Voting; power: bigint }> {
    for (const [ballot, shares] of this.#left) {
      const rest = shares - (this.#voted.get(addressKey(ballot.voter)) ?? 0n)
      yield { ballot, power: priceShares(rest, rate) }
    }
  }

  priceAt(rate: Rate): Priced {
    const priced = { votingPower: 0n, sums: zeroSums() }
    for (const { ballot, power } of this.powersAt(rate)) {
      const { weights } = ballot
      priced.votingPower += power
      addWeighted(priced.sums, weights, (weight) => mul(power, weight))
    }
    return priced
  }

  #change(ballot: Voting, { delegation, shares }: Part, sign: 1n | -1n): void {
    if (delegation.source === GOVERNOR) {
      this.#left.set(ballot, (this.#left.get(ballot) ?? 0n) + sign * shares)
    } else if (delegation.heir !== undefined) {
      const key = addressKey(delegation.heir)
      this.#voted.set(key, (this.#voted.get(key) ?? 0n) + sign * shares)
    }
  }
}
