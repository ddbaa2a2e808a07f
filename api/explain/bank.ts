// Explains messages of x/bank: transfers, and which denoms can be sent.
import {
  addressDetail,
  amountDetail,
  codeDetail,
  collectDetails,
  type Detail,
  textDetail,
} from './details.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { type Coin, getCoins, getList, getMember, getText } from './members.ts'
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

export const explainSend: Explainer = (message, at) => {
  const coins = getCoins(message, 'amount')
  const [from, to] = [getText(message, 'from_address'), getText(message, 'to_address')]
  if (coins.length === 0 || from === undefined || to === undefined) return undefined
  return {
    title: 'Transfer',
    summary: `Sends ${coinsText(coins, at.findUnit)} from one account to another.`,
    details: collectDetails(
      addressDetail('From', from),
      addressDetail('To', to),
      coins.flatMap((coin) => [
        amountDetail('Amount', coin, at.findUnit),
        shareDetail(from, coin, at),
      ]),
    ),
  }
}

const transferDetails = (
  party: unknown,
  { label, at }: { label: string; at: ExplainContext },
): Detail[] => {
  const address = getText(party, 'address')
  const coins = getCoins(party, 'coins')
  return collectDetails(
    address === undefined ? undefined : addressDetail(label, address),
    coins.map((coin) => amountDetail('Amount', coin, at.findUnit)),
  )
}

export const explainMultiSend: Explainer = (message, at) => {
  const [inputs, outputs] = [getList(message, 'inputs'), getList(message, 'outputs')]
  if (inputs.length === 0 || outputs.length === 0) return undefined
  const coins = inputs.flatMap((input) => getCoins(input, 'coins'))
  const accounts = outputs.length === 1 ? 'one account' : `${outputs.length} accounts`
  return {
    title: 'Transfers',
    summary: `Sends ${coinsText(coins, at.findUnit)} to ${accounts}.`,
    details: [
      ...inputs.flatMap((input) => transferDetails(input, { label: 'From', at })),
      ...outputs.flatMap((output) => transferDetails(output, { label: 'To', at })),
    ],
  }
}

const MAX_NAMED = 3

const listed = (denoms: readonly string[]): string => {
  const named = denoms.slice(0, MAX_NAMED).map(shortDenom).join(', ')
  return denoms.length <= MAX_NAMED ? named : `${named} and ${denoms.length - MAX_NAMED} more`
}

export const explainSetSendEnabled: Explainer = (message) => {
  const entries = getList(message, 'send_enabled').flatMap((entry) => {
    const denom = getText(entry, 'denom')
    return denom === undefined ? [] : [{ denom, enabled: getMember(entry, 'enabled') === true }]
  })
  const reset = getList(message, 'use_default_for').filter((denom) => typeof denom === 'string')
  if (entries.length === 0 && reset.length === 0) return undefined
  const filterDenoms = (isEnabled: boolean) =>
    entries.filter(({ enabled }) => enabled === isEnabled).map(({ denom }) => denom)
  const [enabled, disabled] = [filterDenoms(true), filterDenoms(false)]
  const effects = [
    enabled.length > 0 ? `allows transfers of ${listed(enabled)}` : '',
    disabled.length > 0 ? `forbids transfers of ${listed(disabled)}` : '',
    reset.length > 0 ? `resets to the default: ${listed(reset)}` : '',
  ].filter((effect) => effect !== '')
  const sentence = effects.join('; ')
  return {
    title: 'Transfer permissions',
    summary: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`,
    details: collectDetails(
      enabled.map((denom) => codeDetail('Transfers allowed', denom)),
      disabled.map((denom) => codeDetail('Transfers forbidden', denom)),
      reset.map((denom) => codeDetail('Default of the chain', denom)),
    ),
  }
}
