// Explains payments from and to the community pool, once or as a share of its income.
import { addressMember, coinsMember, type Detail, expiryDetail, textDetail } from './details.ts'
import { defineExplainer, type ExplainContext } from './explainer.ts'
import { type Coin, getMember, getSomeCoins, getText } from './members.ts'
import { missingReason } from './observations.ts'
import { percentText } from './readable.ts'
import { coinShareText } from './shares.ts'
import { coinsText, shortDenom } from './units.ts'

const DISTRIBUTION_POOL = '/cosmos.distribution.v1beta1.Query/CommunityPool'
const PROTOCOL_POOL = '/cosmos.protocolpool.v1.Query/CommunityPool'

const amounts = coinsMember('Amount', 'amount')
const recipient = addressMember('Recipient', 'recipient')
const poolBalance = coinsMember('Pool balance at submission', 'pool')

const shareDetails = (coins: readonly Coin[], query: string, at: ExplainContext): Detail[] => {
  const found = at.findObservation(query)
  const pool = getMember(found?.response, 'pool')
  if (!Array.isArray(pool)) {
    return [textDetail('Share of the pool', `Not known: ${missingReason(found)}`)]
  }
  return coins.flatMap((coin) => {
    const share = coinShareText(coin, pool)
    const label =
      coins.length === 1
        ? 'Share of the pool'
        : `Share of the pool (${at.findUnit(coin.denom)?.name ?? shortDenom(coin.denom)})`
    return share === undefined ? [] : textDetail(label, `${share} the balance at submission`)
  })
}

const defineSpend = (types: readonly string[], query: string) =>
  defineExplainer({
    types,
    title: 'Community pool spend',
    required: { amount: getSomeCoins, recipient: getText },
    summary: ({ amount }, { findUnit, findObservation }) => {
      const pool = getMember(findObservation(query)?.response, 'pool')
      const [first, ...others] = amount
      const share = first && others.length === 0 ? coinShareText(first, pool) : undefined
      const part = share === undefined ? '' : `: ${share} the pool balance at submission`
      return `Pays ${coinsText(amount, findUnit)} from the community pool to one account${part}.`
    },
    details: [amounts, recipient, ({ amount }, at) => shareDetails(amount, query, at)],
  })

const incomeShare = (percentage: string): string => percentText(percentage) ?? percentage

export const COMMUNITY_POOL_EXPLAINERS = [
  defineSpend(
    [
      '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
      '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
    ],
    DISTRIBUTION_POOL,
  ),
  defineSpend(['/cosmos.protocolpool.v1.MsgCommunityPoolSpend'], PROTOCOL_POOL),
  defineExplainer({
    types: [
      '/cosmos.distribution.v1beta1.MsgFundCommunityPool',
      '/cosmos.protocolpool.v1.MsgFundCommunityPool',
    ],
    title: 'Community pool funding',
    required: { amount: getSomeCoins },
    summary: ({ amount }, { findUnit }) =>
      `Pays ${coinsText(amount, findUnit)} into the community pool.`,
    details: [amounts, addressMember('Depositor', 'depositor')],
  }),
  defineExplainer({
    types: ['/cosmos.protocolpool.v1.MsgCreateContinuousFund'],
    title: 'Continuous fund',
    required: { recipient: getText, percentage: getText },
    summary: (message) => {
      const income = `${incomeShare(message.percentage)} of the income of the community pool`
      const hasEnd = getText(message, 'expiry') !== undefined
      return `Pays ${income} to one account, ${hasEnd ? 'until' : 'without'} an end date.`
    },
    details: [
      recipient,
      ({ percentage }) => textDetail('Share of the pool income', incomeShare(percentage)),
      (message) => expiryDetail(getText(message, 'expiry')),
      (_, at) => poolBalance(at.findObservation(PROTOCOL_POOL)?.response, at),
    ],
  }),
  defineExplainer({
    types: ['/cosmos.protocolpool.v1.MsgCancelContinuousFund'],
    title: 'Canceled continuous fund',
    required: {},
    summary: () => 'Cancels a continuous fund. Its recipient gets no more payments.',
    details: [recipient],
  }),
]
