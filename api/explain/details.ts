// Creates the details of an explanation. Each has a label and a bounded value of one kind.
import {
  type DetailValue,
  type Explanation,
  type ExplanationDetail,
  MAX_DETAIL_TEXT,
} from '../schemas/explanation.ts'
import { cut as cutText } from '../shortened.ts'
import { amountText, type UnitLookup } from './amounts.ts'
import type { Coin } from './members.ts'

export type Detail = ExplanationDetail

/** An explanation before it has the index and the type of its message. */
export type Explained = Omit<Explanation, 'message' | 'type'>

export const cut = (text: string, maxLength = MAX_DETAIL_TEXT): string => cutText(text, maxLength)

const MAX_NAME = 80

/** A name from the chain or from a proposer, for a sentence. */
export const quoted = (name: string): string => `“${cut(name, MAX_NAME)}”`

const MAX_DEPTH = 32

/**
 * `JSON.stringify` with an indentation of two, truncated. The work is bounded by `maxLength` and `MAX_DEPTH`,
 * whatever the size of the value.
 */
export const boundedJson = (value: unknown, maxLength = MAX_DETAIL_TEXT): string => {
  let json = ''
  const write = (part: unknown, indent: string): void => {
    if (json.length > maxLength) return
    if (typeof part === 'string') {
      json += JSON.stringify(part.slice(0, maxLength))
      return
    }
    if (typeof part !== 'object' || part === null) {
      json += JSON.stringify(part) ?? 'null'
      return
    }
    const isList = Array.isArray(part)
    const names = Object.keys(part)
    const [open, close] = isList ? '[]' : '{}'
    if (names.length === 0 || indent.length >= 2 * MAX_DEPTH) {
      json += names.length === 0 ? `${open}${close}` : '…'
      return
    }
    const inner = `${indent}  `
    json += open
    for (const [n, name] of names.entries()) {
      if (json.length > maxLength) return
      json += `${n > 0 ? ',' : ''}\n${inner}`
      if (!isList) json += `${JSON.stringify(name.slice(0, maxLength))}: `
      write((part as Record<string, unknown>)[name], inner)
    }
    json += `\n${indent}${close}`
  }
  write(value, '')
  return cut(json, maxLength)
}

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
