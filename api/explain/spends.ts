// Explains payments out of the community pool, with the part of the pool that they take.
import {
  addressDetail,
  amountDetail,
  type Detail,
  detailsOf,
  optional,
  textDetail,
} from './details.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { type Coin, coinsOf, memberOf, textOf } from './members.ts'
import { missingReason, type Observe } from './observations.ts'
import { shareOfCoins } from './shares.ts'
import { coinsText, shortDenom } from './units.ts'

const DISTRIBUTION_POOL = '/cosmos.distribution.v1beta1.Query/CommunityPool'
const PROTOCOL_POOL = '/cosmos.protocolpool.v1.Query/CommunityPool'

type Pool = { coins: readonly unknown[]; reason: null } | { coins: null; reason: string }

const readPool = (observe: Observe, query: string): Pool => {
  const found = observe(query)
  const coins = memberOf(found?.response, 'pool')
  return Array.isArray(coins)
    ? { coins, reason: null }
    : { coins: null, reason: missingReason(found) }
}

const shareDetails = (coins: readonly Coin[], pool: Pool, at: ExplainContext): Detail[] => {
  if (pool.coins === null) {
    return [textDetail('Share of the pool', `Not known: ${pool.reason}`)]
  }
  const all = pool.coins
  return coins.flatMap((coin) => {
    const share = shareOfCoins(coin, all)
    const label =
      coins.length === 1
        ? 'Share of the pool'
        : `Share of the pool (${at.unitOf(coin.denom)?.name ?? shortDenom(coin.denom)})`
    return share === undefined ? [] : [textDetail(label, `${share} what it had at the submission`)]
  })
}

const explainSpend =
  (query: string): Explainer =>
  (message, at) => {
    const coins = coinsOf(message, 'amount')
    const recipient = textOf(message, 'recipient')
    if (coins.length === 0 || recipient === undefined) return undefined
    const pool = readPool(at.observe, query)
    const [first, ...others] = coins
    const share =
      pool.coins && first && others.length === 0 ? shareOfCoins(first, pool.coins) : undefined
    const part = share === undefined ? '' : `: ${share} what the pool had at the submission`
    return {
      title: 'Community pool spend',
      summary: `Pays ${coinsText(coins, at.unitOf)} from the community pool to one account${part}.`,
      details: detailsOf(
        coins.map((coin) => amountDetail('Amount', coin, at.unitOf)),
        addressDetail('Recipient', recipient),
        shareDetails(coins, pool, at),
      ),
    }
  }

/** Of x/distribution, and the legacy `CommunityPoolSpendProposal`. */
export const explainDistributionSpend = explainSpend(DISTRIBUTION_POOL)

export const explainProtocolPoolSpend = explainSpend(PROTOCOL_POOL)

export const explainFundPool: Explainer = (message, at) => {
  const coins = coinsOf(message, 'amount')
  if (coins.length === 0) return undefined
  return {
    title: 'Payment into the community pool',
    summary: `Pays ${coinsText(coins, at.unitOf)} into the community pool.`,
    details: detailsOf(
      coins.map((coin) => amountDetail('Amount', coin, at.unitOf)),
      optional(addressDetail, 'Depositor', textOf(message, 'depositor')),
    ),
  }
}
