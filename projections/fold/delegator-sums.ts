// Sums the power of delegators who voted themselves, per pool: each delegation is priced and rounded as in x/gov's tally.
import { mul, quo } from '../../ingest/contract/decimal.ts'
import {
  addWeighted,
  type OptionSums,
  type Weights,
  zeroSums,
} from '../../ingest/tally/option-sums.ts'

/** The price of one share: `tokens` base units for `shares` (atto). */
export type Price = { tokens: bigint; shares: bigint }

type Voting = { readonly weights: Weights }

/** The power of `shares`, in atto: the product is exact, the quotient is rounded half-even. */
export const computePower = (shares: bigint, price: Price): bigint =>
  quo(shares * price.tokens, price.shares)

const isSameRate = (one: Price, other: Price): boolean =>
  one.tokens * other.shares === other.tokens * one.shares

/**
 * Each delegation is rounded separately. So a pool with a new rate (it was slashed) is priced again,
 * delegation by delegation. At an unchanged rate, one delegation changes the sums only by its own part.
 */
export class DelegatorSums {
  readonly #shares = new Map<Voting, bigint>()
  #rate: Price | undefined
  #totalShares = 0n
  #power = 0n
  #sums = zeroSums()

  /** Delegators of this pool with their own ballot. */
  get ballots(): number {
    return this.#shares.size
  }

  /** Their shares in this pool, in atto. */
  get shares(): bigint {
    return this.#totalShares
  }

  add(voting: Voting, shares: bigint): void {
    const earlier = this.#shares.get(voting) ?? 0n
    this.remove(voting)
    this.#shares.set(voting, earlier + shares)
    this.#totalShares += earlier + shares
    this.#addPart(voting, earlier + shares, 1n)
  }

  remove(voting: Voting): void {
    const shares = this.#shares.get(voting)
    if (shares === undefined) return
    this.#shares.delete(voting)
    this.#totalShares -= shares
    this.#addPart(voting, shares, -1n)
  }

  /** Their power by option, in atto. */
  priceAt(price: Price): { votingPower: bigint; sums: OptionSums } {
    if (!this.#rate || !isSameRate(this.#rate, price)) this.#priceAll(price)
    return { votingPower: this.#power, sums: { ...this.#sums } }
  }

  #priceAll(price: Price): void {
    this.#rate = { tokens: price.tokens, shares: price.shares }
    this.#power = 0n
    this.#sums = zeroSums()
    for (const [voting, shares] of this.#shares) this.#addPart(voting, shares, 1n)
  }

  #addPart({ weights }: Voting, shares: bigint, sign: 1n | -1n): void {
    if (!this.#rate) return
    const power = computePower(shares, this.#rate)
    this.#power += sign * power
    addWeighted(this.#sums, weights, (weight) => sign * mul(power, weight))
  }
}
