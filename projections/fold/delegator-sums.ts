// Sums the power of delegators who voted themselves, per pool: each delegation is priced and rounded as in x/gov's tally.
import { mul } from '../../ingest/contract/decimal.ts'
import {
  countShares,
  type Holding,
  priceHolding,
  type Rate,
} from '../../ingest/contract/delegation.ts'
import type { OptionSums } from '../../ingest/contract/option-sums.ts'
import { addWeighted, type Weights, zeroSums } from '../../ingest/tally/option-sums.ts'

type Voting = { readonly weights: Weights }

const isSameRate = (one: Rate, other: Rate): boolean =>
  one.tokens * other.shares === other.tokens * one.shares

/** In atto. */
export type Priced = { votingPower: bigint; sums: OptionSums }

/**
 * Each delegation is rounded separately. So a pool with a new rate (it was slashed) is priced again,
 * delegation by delegation. At an unchanged rate, one delegation changes the sums only by its own part.
 */
export class DelegatorSums {
  readonly #shares = new Map<Voting, bigint>()
  /** Stake that other modules hold for delegators: priced at each call. */
  readonly #modules = new Map<Voting, Holding[]>()
  #rate: Rate | undefined
  /** Delegators without a delegation in x/staking. */
  #onlyInModules = 0
  #totalShares = 0n
  #power = 0n
  #sums = zeroSums()

  /** Delegators of this pool with their own ballot. */
  get ballots(): number {
    return this.#shares.size + this.#onlyInModules
  }

  /** Before the stake of the same delegator in modules. */
  add(voting: Voting, shares: bigint): void {
    const earlier = this.#shares.get(voting) ?? 0n
    this.remove(voting)
    this.#shares.set(voting, earlier + shares)
    this.#totalShares += earlier + shares
    this.#addPart(voting, earlier + shares, 1n)
  }

  addInModule(voting: Voting, holding: Holding): void {
    const holdings = this.#modules.get(voting) ?? []
    if (holdings.length === 0 && !this.#shares.has(voting)) this.#onlyInModules += 1
    holdings.push(holding)
    this.#modules.set(voting, holdings)
  }

  remove(voting: Voting): void {
    const shares = this.#shares.get(voting)
    if (shares !== undefined) {
      this.#shares.delete(voting)
      this.#totalShares -= shares
      this.#addPart(voting, shares, -1n)
    } else if (this.#modules.has(voting)) this.#onlyInModules -= 1
    this.#modules.delete(voting)
  }

  /** Their power by option, and their shares in this pool, in atto. `counts`: whether the tally counts the pool. */
  priceAt(rate: Rate, counts: boolean): Priced & { shares: bigint } {
    const isPriced = this.#rate !== undefined && isSameRate(this.#rate, rate)
    if (counts && !isPriced) this.#priceAll(rate)
    const priced = {
      votingPower: counts ? this.#power : 0n,
      sums: counts ? { ...this.#sums } : zeroSums(),
      shares: this.#totalShares,
    }
    for (const [voting, holdings] of this.#modules) {
      for (const holding of holdings) {
        const power = priceHolding(holding, rate, counts)
        priced.votingPower += power
        priced.shares += countShares(holding, rate)
        addWeighted(priced.sums, voting.weights, (weight) => mul(power, weight))
      }
    }
    return priced
  }

  #priceAll(rate: Rate): void {
    this.#rate = { tokens: rate.tokens, shares: rate.shares }
    this.#power = 0n
    this.#sums = zeroSums()
    for (const [voting, shares] of this.#shares) this.#addPart(voting, shares, 1n)
  }

  #addPart({ weights }: Voting, shares: bigint, sign: 1n | -1n): void {
    if (!this.#rate) return
    const power = priceHolding({ shares }, this.#rate, true)
    this.#power += sign * power
    addWeighted(this.#sums, weights, (weight) => sign * mul(power, weight))
  }
}
