// Explains messages of x/bank: transfers, and which denoms can be sent.
import {
  addressMember,
  amountDetail,
  codeDetail,
  coinsMember,
  type Detail,
  textDetail,
} from './details.ts'
import { defineExplainer, type ExplainContext, type Explainer } from './explainer.ts'
import {
  type Coin,
  getCoins,
  getFilledList,
  getList,
  getMember,
  getSomeCoins,
  getText,
  getTexts,
} from './members.ts'
import { missingReason } from './observations.ts'
import { coinShareText } from './shares.ts'
import { coinsText, shortDenom } from './units.ts'

const BALANCE = '/cosmos.bank.v1beta1.Query/Balance'

const shareDetail = (from: string, coin: Coin, { findObservation }: ExplainContext): Detail => {
  const found = findObservation(BALANCE, { address: from, denom: coin.denom })
  const balance = getMember(found?.response, 'balance')
  const label = 'Share of the sender balance'
  const share = balance === undefined ? undefined : coinShareText(coin, [balance])
  return share === undefined
    ? textDetail(label, `Not known: ${missingReason(found)}`)
    : textDetail(label, `${share} the balance at submission`)
}

const partyDetails = (label: string, parties: readonly unknown[], at: ExplainContext): Detail[] => {
  const address = addressMember(label, 'address')
  const amounts = coinsMember('Amount', 'coins')
  return parties.flatMap((party) => [address(party) ?? [], amounts(party, at)].flat())
}

const MAX_NAMED = 3

const listed = (denoms: readonly string[]): string => {
  const named = denoms.slice(0, MAX_NAMED).map(shortDenom).join(', ')
  return denoms.length <= MAX_NAMED ? named : `${named} and ${denoms.length - MAX_NAMED} more`
}

const explainSetSendEnabled: Explainer = (message) => {
  const filterDenoms = (isEnabled: boolean): string[] =>
    getList(message, 'send_enabled')
      .filter((entry) => (getMember(entry, 'enabled') === true) === isEnabled)
      .flatMap((entry) => getText(entry, 'denom') ?? [])
  const effects = [
    ['allows transfers of ', 'Transfers allowed', filterDenoms(true)],
    ['forbids transfers of ', 'Transfers forbidden', filterDenoms(false)],
    ['resets to the default: ', 'Default of the chain', getTexts(message, 'use_default_for')],
  ] as const
  const known = effects.filter(([, , denoms]) => denoms.length > 0)
  if (known.length === 0) return undefined
  const sentence = known.map(([verb, , denoms]) => `${verb}${listed(denoms)}`).join('; ')
  return {
    title: 'Transfer permissions',
    summary: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`,
    details: known.flatMap(([, label, denoms]) => denoms.map((each) => codeDetail(label, each))),
  }
}

export const BANK_EXPLAINERS = [
  defineExplainer({
    types: ['/cosmos.bank.v1beta1.MsgSend'],
    title: 'Transfer',
    required: { amount: getSomeCoins, from_address: getText, to_address: getText },
    summary: ({ amount }, { findUnit }) =>
      `Sends ${coinsText(amount, findUnit)} from one account to another.`,
    details: [
      addressMember('From', 'from_address'),
      addressMember('To', 'to_address'),
      ({ amount, from_address: from }, at) =>
        amount.flatMap((coin) => [
          amountDetail('Amount', coin, at.findUnit),
          shareDetail(from, coin, at),
        ]),
    ],
  }),
  defineExplainer({
    types: ['/cosmos.bank.v1beta1.MsgMultiSend'],
    title: 'Transfers',
    required: { inputs: getFilledList, outputs: getFilledList },
    summary: ({ inputs, outputs }, { findUnit }) => {
      const coins = inputs.flatMap((input) => getCoins(input, 'coins'))
      const accounts = outputs.length === 1 ? 'one account' : `${outputs.length} accounts`
      return `Sends ${coinsText(coins, findUnit)} to ${accounts}.`
    },
    details: [
      ({ inputs }, at) => partyDetails('From', inputs, at),
      ({ outputs }, at) => partyDetails('To', outputs, at),
    ],
  }),
  { types: ['/cosmos.bank.v1beta1.MsgSetSendEnabled'], explain: explainSetSendEnabled },
]
