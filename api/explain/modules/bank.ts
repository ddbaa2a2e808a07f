// Explains messages of x/bank: transfers, and which denoms can be sent.
import { coinShareText, coinsText, shortDenom } from '../amounts.ts'
import { amountDetail, codeDetail, textDetail } from '../details.ts'
import { defineExplainer, type Part, type ToDetails } from '../explainer.ts'
import { getCoins, getList, getMember, getText, getTexts } from '../members.ts'
import { notKnown } from '../observations.ts'
import { address, amounts, coins, count, each, sentence } from '../template.ts'

const BALANCE = '/cosmos.bank.v1beta1.Query/Balance'

/** Each coin, with its share of the balance of the sender. */
const amountsAndShares: ToDetails = (message, { findObservation, findUnit }) =>
  getCoins(message, 'amount').flatMap((coin) => {
    const request = { address: getText(message, 'from_address'), denom: coin.denom }
    const found = findObservation(BALANCE, request)
    const balance = getMember(found?.response, 'balance')
    const share = balance === undefined ? undefined : coinShareText(coin, [balance])
    const shown = share === undefined ? notKnown(found) : `${share} the balance at submission`
    return [
      amountDetail('Amount', coin, findUnit),
      textDetail('Share of the sender balance', shown),
    ]
  })

const coinsOfInputs: Part = (message, { findUnit }) => {
  const inputs = getList(message, 'inputs')
  const all = inputs.flatMap((input) => getCoins(input, 'coins'))
  return inputs.length === 0 ? undefined : coinsText(all, findUnit)
}

const denomsWith =
  (isEnabled: boolean) =>
  (message: unknown): readonly string[] =>
    getList(message, 'send_enabled')
      .filter((entry) => (getMember(entry, 'enabled') === true) === isEnabled)
      .flatMap((entry) => getText(entry, 'denom') ?? [])

const resetDenoms = (message: unknown): readonly string[] => getTexts(message, 'use_default_for')

const PERMISSIONS = [
  ['allows transfers of ', 'Transfers allowed', denomsWith(true)],
  ['forbids transfers of ', 'Transfers forbidden', denomsWith(false)],
  ['resets to the default: ', 'Default of the chain', resetDenoms],
] as const

const MAX_NAMED = 3

const listed = (denoms: readonly string[]): string => {
  const named = denoms.slice(0, MAX_NAMED).map(shortDenom).join(', ')
  return denoms.length <= MAX_NAMED ? named : `${named} and ${denoms.length - MAX_NAMED} more`
}

const permissions: Part = (message) => {
  const clauses = PERMISSIONS.flatMap(([verb, , get]) => {
    const denoms = get(message)
    return denoms.length === 0 ? [] : `${verb}${listed(denoms)}`
  })
  const text = clauses.join('; ')
  return text === '' ? undefined : `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

export const BANK_EXPLAINERS = [
  defineExplainer({
    types: ['/cosmos.bank.v1beta1.MsgSend'],
    title: 'Transfer',
    required: ['from_address', 'to_address'],
    summary: sentence`Sends ${coins('amount')} from one account to another.`,
    details: [address('From', 'from_address'), address('To', 'to_address'), amountsAndShares],
  }),
  defineExplainer({
    types: ['/cosmos.bank.v1beta1.MsgMultiSend'],
    title: 'Transfers',
    summary: sentence`Sends ${coinsOfInputs} to ${count('outputs', 'account')}.`,
    details: [
      each('inputs', address('From', 'address'), amounts('Amount', 'coins')),
      each('outputs', address('To', 'address'), amounts('Amount', 'coins')),
    ],
  }),
  defineExplainer({
    types: ['/cosmos.bank.v1beta1.MsgSetSendEnabled'],
    title: 'Transfer permissions',
    summary: sentence`${permissions}.`,
    details: PERMISSIONS.map(
      ([, label, get]): ToDetails =>
        (message) =>
          get(message).map((denom) => codeDetail(label, denom)),
    ),
  }),
]
