// Explains messages of x/bank: transfers, and which denoms can be sent.
import { coinsText, shortDenom } from '../amounts.ts'
import { codeDetail } from '../details.ts'
import { defineExplainer, type Part, type ToDetails } from '../explainer.ts'
import { getCoins, getList, getMember, getText, getTexts } from '../members.ts'
import { address, amounts, coins, count, each, sentence } from '../template.ts'

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
    details: [
      address('From', 'from_address'),
      address('To', 'to_address'),
      amounts('Amount', 'amount'),
    ],
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
