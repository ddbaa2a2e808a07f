// Explains continuous funds of x/protocolpool, which pay a share of the income of the pool to an account.
import {
  addressDetail,
  amountDetail,
  collectDetails,
  optional,
  textDetail,
  timeDetail,
} from './details.ts'
import type { Explainer } from './explainer.ts'
import { getMember, getText, isCoin } from './members.ts'
import { percentText } from './readable.ts'

const POOL = '/cosmos.protocolpool.v1.Query/CommunityPool'

export const explainContinuousFund: Explainer = (message, at) => {
  const recipient = getText(message, 'recipient')
  const percentage = getText(message, 'percentage')
  if (recipient === undefined || percentage === undefined) return undefined
  const share = percentText(percentage) ?? percentage
  const expiry = getText(message, 'expiry')
  const end = expiry === undefined ? 'without an end date' : 'until an end date'
  const pool = getMember(at.findObservation(POOL)?.response, 'pool')
  const coins = Array.isArray(pool) ? pool.filter(isCoin) : []
  return {
    title: 'Continuous fund',
    summary: `Pays ${share} of the income of the community pool to one account, ${end}.`,
    details: collectDetails(
      addressDetail('Recipient', recipient),
      textDetail('Share of the pool income', share),
      expiry === undefined ? textDetail('Expires', 'Never') : timeDetail('Expires', expiry),
      coins.map((coin) => amountDetail('Pool balance at submission', coin, at.findUnit)),
    ),
  }
}

export const explainCancelContinuousFund: Explainer = (message) => {
  const recipient = getText(message, 'recipient')
  return {
    title: 'Canceled continuous fund',
    summary: 'Cancels a continuous fund. Its recipient gets no more payments.',
    details: collectDetails(optional(addressDetail, 'Recipient', recipient)),
  }
}
