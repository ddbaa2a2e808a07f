// Explains payments from and to the community pool, with their share of the pool.
import {
  addressDetail,
  amountDetail,
  collectDetails,
  type Detail,
  optional,
  textDetail,
} from './details.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { type Coin, getCoins, getMember, getText } from './members.ts'
import { missingReason, type ObservationLookup } from './observations.ts'
import { coinShareText } from './shares.ts'
import { coinsText, shortDenom } from './units.ts'

const DISTRIBUTION_POOL = '/cosmos.distribution.v1beta1.Query/CommunityPool'
const PROTOCOL_POOL = '/cosmos.protocolpool.v1.Query/CommunityPool'

type Pool = { coins: readonly unknown[]; reason: null } | { coins: null; reason: string }

const readPool = (findObservation: ObservationLookup, query: string): Pool => {
  const found = findObservation(query)
  const coins = getMember(found?.response, 'pool')
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
    const share = coinShareText(coin, all)
    const label =
      coins.length === 1
        ? 'Share of the pool'
        : `Share of the pool (${at.findUnit(coin.denom)?.name ?? shortDenom(coin.denom)})`
    return share === undefined ? [] : [textDetail(label, `${share} the balance at submission`)]
  })
}

const explainSpend =
  (query: string): Explainer =>
  (message, at) => {
    const coins = getCoins(message, 'amount')
    const recipient = getText(message, 'recipient')
    if (coins.length === 0 || recipient === undefined) return undefined
    const pool = readPool(at.findObservation, query)
    const [first, ...others] = coins
    const share =
      pool.coins && first && others.length === 0 ? coinShareText(first, pool.coins) : undefined
    const part = share === undefined ? '' : `: ${share} the pool balance at submission`
    return {
      title: 'Community pool spend',
      summary: `Pays ${coinsText(coins, at.findUnit)} from the community pool to one account${part}.`,
      details: collectDetails(
        coins.map((coin) => amountDetail('Amount', coin, at.findUnit)),
        addressDetail('Recipient', recipient),
        shareDetails(coins, pool, at),
      ),
    }
  }

/** The message of x/distribution, and the legacy `CommunityPoolSpendProposal`. */
export const explainDistributionSpend = explainSpend(DISTRIBUTION_POOL)

export const explainProtocolPoolSpend = explainSpend(PROTOCOL_POOL)

export const explainFundPool: Explainer = (message, at) => {
  const coins = getCoins(message, 'amount')
  if (coins.length === 0) return undefined
  return {
    title: 'Community pool funding',
    summary: `Pays ${coinsText(coins, at.findUnit)} into the community pool.`,
    details: collectDetails(
      coins.map((coin) => amountDetail('Amount', coin, at.findUnit)),
      optional(addressDetail, 'Depositor', getText(message, 'depositor')),
    ),
  }
}
