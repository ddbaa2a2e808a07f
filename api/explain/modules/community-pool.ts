// Explains payments from and to the community pool, once or as a share of its income.
import { defineExplainer, type Part } from '../explainer.ts'
import { getText } from '../members.ts'
import { address, amounts, coins, expiry, sentence, shown, text } from '../template.ts'
import { percentText } from '../values.ts'

const amount = amounts('Amount', 'amount')
const recipient = address('Recipient', 'recipient')

const percentage = shown('percentage', (share) => percentText(share) ?? share)
const end: Part = (message) => (getText(message, 'expiry') === undefined ? 'without' : 'until')

export const COMMUNITY_POOL_EXPLAINERS = [
  defineExplainer({
    types: [
      '/cosmos.distribution.v1beta1.MsgCommunityPoolSpend',
      '/cosmos.distribution.v1beta1.CommunityPoolSpendProposal',
      '/cosmos.protocolpool.v1.MsgCommunityPoolSpend',
    ],
    title: 'Community pool spend',
    required: ['recipient'],
    summary: sentence`Pays ${coins('amount')} from the community pool to one account.`,
    details: [amount, recipient],
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
    details: [recipient, text('Share of the pool income', percentage), expiry('expiry')],
  }),
  defineExplainer({
    types: ['/cosmos.protocolpool.v1.MsgCancelContinuousFund'],
    title: 'Canceled continuous fund',
    summary: sentence`Cancels a continuous fund. Its recipient gets no more payments.`,
    details: [recipient],
  }),
]
