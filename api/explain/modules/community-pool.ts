// Explains payments from and to the community pool, once or as a share of its income.
import { coinShareText, shortDenom } from '../amounts.ts'
import { textDetail } from '../details.ts'
import { defineExplainer, type ExplainContext, type Part, type ToDetails } from '../explainer.ts'
import { getCoins, getMember, getText } from '../members.ts'
import { notKnown } from '../observations.ts'
import { address, amounts, coins, expiry, optional, sentence, shown, text } from '../template.ts'
import { percentText } from '../values.ts'

const DISTRIBUTION_POOL = '/cosmos.distribution.v1beta1.Query/CommunityPool'
const PROTOCOL_POOL = '/cosmos.protocolpool.v1.Query/CommunityPool'
const PROTOCOL_SPEND = '/cosmos.protocolpool.v1.MsgCommunityPoolSpend'

const amount = amounts('Amount', 'amount')
const recipient = address('Recipient', 'recipient')
const poolBalance = amounts('Pool balance at submission', 'pool')

/** The balance of the pool that the message spends from. */
const findPool = (message: unknown, { findObservation }: ExplainContext) =>
  findObservation(getText(message, '@type') === PROTOCOL_SPEND ? PROTOCOL_POOL : DISTRIBUTION_POOL)

/** Undefined for several coins. */
const shareOfPool: Part = (message, at) => {
  const [coin, ...others] = getCoins(message, 'amount')
  const pool = getMember(findPool(message, at)?.response, 'pool')
  return coin && others.length === 0 ? coinShareText(coin, pool) : undefined
}

const ofPool = optional`: ${shareOfPool} the pool balance at submission`

const sharesOfPool: ToDetails = (message, at) => {
  const found = findPool(message, at)
  const pool = getMember(found?.response, 'pool')
  const label = 'Share of the pool'
  if (!Array.isArray(pool)) return textDetail(label, notKnown(found))
  const spent = getCoins(message, 'amount')
  return spent.flatMap((coin) => {
    const share = coinShareText(coin, pool)
    const unit = at.findUnit(coin.denom)?.name ?? shortDenom(coin.denom)
    const full = spent.length === 1 ? label : `${label} (${unit})`
    return share === undefined ? [] : textDetail(full, `${share} the balance at submission`)
  })
}

const percentage = shown('percentage', (share) => percentText(share) ?? share)
const end: Part = (message) => (getText(message, 'expiry') === undefined ? 'without' : 'until')

export const COMMUNITY_POOL_EXPLAINERS = [
  defineExplainer({
    types: [
      '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
      '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
      PROTOCOL_SPEND,
    ],
    title: 'Community pool spend',
    required: ['recipient'],
    summary: sentence`Pays ${coins('amount')} from the community pool to one account${ofPool}.`,
    details: [amount, recipient, sharesOfPool],
  }),
  defineExplainer({
    types: [
      '/cosmos.distribution.v1beta1.MsgFundCommunityPool',
      '/cosmos.protocolpool.v1.MsgFundCommunityPool',
    ],
    title: 'Community pool funding',
    summary: sentence`Pays ${coins('amount')} into the community pool.`,
    details: [amount, address('Depositor', 'depositor')],
  }),
  defineExplainer({
    types: ['/cosmos.protocolpool.v1.MsgCreateContinuousFund'],
    title: 'Continuous fund',
    required: ['recipient'],
    summary: sentence`Pays ${percentage} of the income of the community pool to one account, ${end} an end date.`,
    details: [
      recipient,
      text('Share of the pool income', percentage),
      expiry('expiry'),
      (_, at) => poolBalance(at.findObservation(PROTOCOL_POOL)?.response, at),
    ],
  }),
  defineExplainer({
    types: ['/cosmos.protocolpool.v1.MsgCancelContinuousFund'],
    title: 'Canceled continuous fund',
    summary: sentence`Cancels a continuous fund. Its recipient gets no more payments.`,
    details: [recipient],
  }),
]
