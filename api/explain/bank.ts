// Explains messages of x/bank: transfers, and which denoms can be sent.
import {
  addressDetail,
  amountDetail,
  codeDetail,
  type Detail,
  detailsOf,
  textDetail,
} from './details.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { type Coin, coinsOf, listOf, memberOf, textOf } from './members.ts'
import { missingReason } from './observations.ts'
import { shareOfCoins } from './shares.ts'
import { coinsText, shortDenom } from './units.ts'

const BALANCE = '/cosmos.bank.v1beta1.Query/Balance'

const shareDetail = (from: string, coin: Coin, { observe }: ExplainContext): Detail => {
  const found = observe(BALANCE, { address: from, denom: coin.denom })
  const balance = memberOf(found?.response, 'balance')
  const label = 'Share of the balance of the sender'
  const share = balance === undefined ? undefined : shareOfCoins(coin, [balance])
  return share === undefined
    ? textDetail(label, `Not known: ${missingReason(found)}`)
    : textDetail(label, `${share} what it had at the submission`)
}

export const explainSend: Explainer = (message, at) => {
  const coins = coinsOf(message, 'amount')
  const [from, to] = [textOf(message, 'from_address'), textOf(message, 'to_address')]
  if (coins.length === 0 || from === undefined || to === undefined) return undefined
  return {
    title: 'Transfer',
    summary: `Sends ${coinsText(coins, at.unitOf)} from one account to another.`,
    details: detailsOf(
      addressDetail('From', from),
      addressDetail('To', to),
      coins.flatMap((coin) => [
        amountDetail('Amount', coin, at.unitOf),
        shareDetail(from, coin, at),
      ]),
    ),
  }
}

const transferDetails = (
  party: unknown,
  { label, at }: { label: string; at: ExplainContext },
): Detail[] => {
  const address = textOf(party, 'address')
  const coins = coinsOf(party, 'coins')
  return detailsOf(
    address === undefined ? undefined : addressDetail(label, address),
    coins.map((coin) => amountDetail('Amount', coin, at.unitOf)),
  )
}

export const explainMultiSend: Explainer = (message, at) => {
  const [inputs, outputs] = [listOf(message, 'inputs'), listOf(message, 'outputs')]
  if (inputs.length === 0 || outputs.length === 0) return undefined
  const coins = inputs.flatMap((input) => coinsOf(input, 'coins'))
  const accounts = outputs.length === 1 ? 'one account' : `${outputs.length} accounts`
  return {
    title: 'Transfers',
    summary: `Sends ${coinsText(coins, at.unitOf)} to ${accounts}.`,
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
  const entries = listOf(message, 'send_enabled').flatMap((entry) => {
    const denom = textOf(entry, 'denom')
    return denom === undefined ? [] : [{ denom, enabled: memberOf(entry, 'enabled') === true }]
  })
  const reset = listOf(message, 'use_default_for').filter((denom) => typeof denom === 'string')
  if (entries.length === 0 && reset.length === 0) return undefined
  const denomsThat = (isEnabled: boolean) =>
    entries.filter(({ enabled }) => enabled === isEnabled).map(({ denom }) => denom)
  const [enabled, disabled] = [denomsThat(true), denomsThat(false)]
  const effects = [
    enabled.length > 0 ? `allows transfers of ${listed(enabled)}` : '',
    disabled.length > 0 ? `forbids transfers of ${listed(disabled)}` : '',
    reset.length > 0 ? `applies the default to ${listed(reset)}` : '',
  ].filter((effect) => effect !== '')
  const sentence = effects.join('; ')
  return {
    title: 'Permission of transfers',
    summary: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`,
    details: detailsOf(
      enabled.map((denom) => codeDetail('Transfers allowed', denom)),
      disabled.map((denom) => codeDetail('Transfers forbidden', denom)),
      reset.map((denom) => codeDetail('Default of the chain', denom)),
    ),
  }
}
