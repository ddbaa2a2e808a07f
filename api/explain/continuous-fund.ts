// Explains continuous funds of x/protocolpool: a part of what the pool receives goes to an account.
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
  const pool = getMember(at.findObservation(POOL)?.response, 'pool')
  const coins = Array.isArray(pool) ? pool.filter(isCoin) : []
  return {
    title: 'Continuous fund',
    summary: `Pays ${share} of what the community pool receives to one account, ${expiry === undefined ? 'without an end' : 'until a fixed time'}.`,
    details: collectDetails(
      addressDetail('Recipient', recipient),
      textDetail('Share of the income of the pool', share),
      expiry === undefined ? textDetail('Expires', 'Never') : timeDetail('Expires', expiry),
      coins.map((coin) => amountDetail('In the pool at the submission', coin, at.findUnit)),
    ),
  }
}

export const explainCancelContinuousFund: Explainer = (message) => {
  const recipient = getText(message, 'recipient')
  return {
    title: 'End of a continuous fund',
    summary: 'Ends the payments of a continuous fund to its account.',
    details: collectDetails(optional(addressDetail, 'Recipient', recipient)),
  }
}
