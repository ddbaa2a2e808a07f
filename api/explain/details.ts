// Creates the details of an explanation. Each has a label and a bounded value of one kind.
import {
  type DetailValue,
  type ExplanationDetail,
  MAX_DETAIL_TEXT,
} from '../schemas/explanation.ts'
import { boundedJson, cut } from './cut.ts'
import { type Coin, getCoins, getText, getTexts } from './members.ts'
import { amountText, type UnitLookup } from './units.ts'

export type Detail = ExplanationDetail

const MAX_LABEL = 200

export const createDetail = (label: string, value: DetailValue): Detail => ({
  label: cut(label, MAX_LABEL),
  value,
})

export const textDetail = (label: string, text: string): Detail =>
  createDetail(label, { kind: 'text', text: cut(text) })

export const codeDetail = (label: string, text: string): Detail =>
  createDetail(label, { kind: 'code', text: cut(text) })

export const addressDetail = (label: string, address: string): Detail =>
  createDetail(label, { kind: 'address', text: cut(address) })

export const jsonDetail = (label: string, value: unknown): Detail =>
  createDetail(label, { kind: 'json', text: boundedJson(value) })

export const amountDetail = (label: string, coin: Coin, findUnit: UnitLookup): Detail =>
  createDetail(label, {
    kind: 'amount',
    denom: coin.denom,
    amount: coin.amount,
    text: cut(amountText(coin, findUnit)),
  })

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

export const isTime = (text: string): boolean => TIME.test(text) && !Number.isNaN(Date.parse(text))

/** A text that is not a time stays a text. */
export const timeDetail = (label: string, time: string): Detail =>
  isTime(time) ? createDetail(label, { kind: 'time', text: time }) : textDetail(label, time)

/** The canonical URL; undefined if it is not https, has a user name, or is too long. */
export const httpsAddress = (text: string): string | undefined => {
  if (text.length > MAX_DETAIL_TEXT || !/^https:\/\/\S+$/i.test(text)) return undefined
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return undefined
  return url.href.length > MAX_DETAIL_TEXT ? undefined : url.href
}

/** A text that is not an https address stays a text. */
export const linkDetail = (label: string, text: string): Detail => {
  const address = httpsAddress(text)
  return address === undefined
    ? textDetail(label, text)
    : createDetail(label, { kind: 'link', text: address })
}

/** The detail of an optional text. */
export const optional = (
  make: (label: string, text: string) => Detail,
  label: string,
  text: string | undefined,
): Detail | undefined => (text === undefined ? undefined : make(label, text))

type MemberDetail = (message: unknown) => Detail | undefined

const createMemberDetail =
  (make: (label: string, text: string) => Detail) =>
  (label: string, name: string): MemberDetail =>
  (message) =>
    optional(make, label, getText(message, name))

/** The details of a member with a text, if the message has it. */
export const textMember = createMemberDetail(textDetail)
export const codeMember = createMemberDetail(codeDetail)
export const addressMember = createMemberDetail(addressDetail)

/** The details of a member with coins. */
export const coinsMember =
  (label: string, name: string) =>
  (message: unknown, { findUnit }: { findUnit: UnitLookup }): Detail[] =>
    getCoins(message, name).map((coin) => amountDetail(label, coin, findUnit))

/** The details of a member with a list of addresses. */
export const addressesMember =
  (label: string, name: string) =>
  (message: unknown): Detail[] =>
    getTexts(message, name).map((address) => addressDetail(label, address))

/** When an authorization or a fund ends. */
export const expiryDetail = (expiry: string | undefined): Detail =>
  expiry === undefined ? textDetail('Expires', 'Never') : timeDetail('Expires', expiry)
