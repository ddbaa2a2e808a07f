// Sums the power of delegators who voted themselves, per pool: each delegation is priced and rounded as in x/gov's tally. A cache of the
// tally, so that a vote costs the same whatever the number of ballots.
import { mul } from '../../ingest/contract/decimal.ts'
import { priceShares, type Rate } from '../../ingest/contract/delegation.ts'
import type { OptionSums } from '../../ingest/contract/option-sums.ts'
import { addWeighted, type Weights, zeroSums } from '../../ingest/tally/option-sums.ts'

type Voting = { readonly weights: Weights }

const isSameRate = (one: Rate, other: Rate): boolean =>
  one.tokens * other.shares === other.tokens * one.shares

/**
 * Each delegation is rounded separately. So a pool with a new rate (it was slashed) is priced again,
 * delegation by delegation. At an unchanged rate, one delegation changes the sums only by its own part.
 */
export class DelegatorSums {
  readonly #parts = new Map<Voting, bigint>()
  #rate: Rate | undefined
  #shares = 0n
  #power = 0n
  #sums = zeroSums()

  /** All of them, in atto. */
  get shares(): bigint {
    return this.#shares
  }

  add(voting: Voting, shares: bigint): void {
    this.remove(voting)
    this.#parts.set(voting, shares)
    this.#addPart(voting, shares, 1n)
  }

  remove(voting: Voting): void {
    const shares = this.#parts.get(voting)
    if (shares === undefined) return
    this.#parts.delete(voting)
    this.#addPart(voting, shares, -1n)
  }

  /** Their power by option, in atto. */
  priceAt(rate: Rate): { votingPower: bigint; sums: OptionSums } {
    if (!this.#rate || !isSameRate(this.#rate, rate)) {
      this.#rate = { tokens: rate.tokens, shares: rate.shares }
      this.#shares = 0n
      this.#power = 0n
      this.#sums = zeroSums()
      for (const [voting, shares] of this.#parts) this.#addPart(voting, shares, 1n)
    }
    return { votingPower: this.#power, sums: { ...this.#sums } }
  }

  #addPart({ weights }: Voting, shares: bigint, sign: 1n | -1n): void {
    this.#shares += sign * shares
    if (!this.#rate) return
    const power = priceShares(shares, this.#rate)
    this.#power += sign * power
    addWeighted(this.#sums, weights, (weight) => sign * mul(power, weight))
  }
}
