// Values of messages as details, each with a label and a bounded text of one kind: coins in the display unit, shares as percent,
// durations in days and hours.
import { formatDecimal, toAtto } from '../../ingest/contract/decimal.ts'
import {
  type DetailValue,
  type ExplanationDetail,
  MAX_DETAIL_TEXT,
} from '../schemas/explanation.ts'
import { convertToUnit, type DisplayUnit, groupThousands } from '../words/display-unit.ts'
import { pluralize, splitDuration } from '../words/in-words.ts'
import { listLeaves } from '../words/leaves.ts'
import { cut } from '../words/shortened.ts'
import { type Coin, getOmittedBytes, isCoin, isDigits } from './members.ts'

/** Undefined if amounts are shown in base units. */
export type Unit = DisplayUnit | undefined

const MAX_NAME = 80
const MAX_LABEL = 200

/** A name from the chain or from a proposer, for a sentence. */
export function inQuotes(name: string): string {
  return `“${cut(name, MAX_NAME)}”`
}

export function withLabel(label: string, value: DetailValue): ExplanationDetail {
  return { label: cut(label, MAX_LABEL), value }
}

type TextKind = Exclude<DetailValue['kind'], 'amount'>

export function createDetail(kind: TextKind, label: string, text: string): ExplanationDetail {
  return withLabel(label, { kind, text: cut(text, MAX_DETAIL_TEXT) })
}

export const textDetail = createDetail.bind(undefined, 'text')
export const codeDetail = createDetail.bind(undefined, 'code')
export const addressDetail = createDetail.bind(undefined, 'address')

const LONGEST_WHOLE_DENOM = 28
const KEPT_START = 14
const KEPT_END = 8

function shortDenom(denom: string): string {
  const isWhole = denom.length <= LONGEST_WHOLE_DENOM
  return isWhole ? denom : `${denom.slice(0, KEPT_START)}…${denom.slice(-KEPT_END)}`
}

/** `1 000 ATOM`. Anyone can create a denom with a slash and any symbol, so the denom is shown as well. */
export function coinText({ denom, amount }: Coin, unit: Unit): string {
  const isInUnit = unit?.denom === denom
  const shown = groupThousands((isInUnit ? convertToUnit(amount, unit) : amount) ?? '')
  if (!isInUnit || shown === undefined)
    return `${groupThousands(amount) ?? amount} ${shortDenom(denom)}`
  return `${shown} ${unit.name}${denom.includes('/') ? ` (${shortDenom(denom)})` : ''}`
}

const MAX_COINS = 3

/** `1 000 ATOM and 5 OSMO`, for a sentence. */
export function coinsText(coins: readonly Coin[], unit: Unit): string {
  const texts = coins.slice(0, MAX_COINS).map((coin) => coinText(coin, unit))
  const others = coins.length - texts.length
  const parts = others > 0 ? [...texts, `${others} more`] : texts
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

export function coinDetail(label: string, coin: Coin, unit: Unit): ExplanationDetail {
  const { denom, amount } = coin
  const text = cut(coinText(coin, unit), MAX_DETAIL_TEXT)
  return withLabel(label, { kind: 'amount', denom, amount, text })
}

const MAX_JSON_DEPTH = 32

/**
 * `JSON.stringify` with an indentation of two, truncated. The work is bounded by the longest text and `MAX_JSON_DEPTH`,
 * whatever the size of the value.
 */
function boundedJson(value: unknown): string {
  let json = ''
  const isFull = () => json.length > MAX_DETAIL_TEXT
  const write = (part: unknown, indent: string): void => {
    if (isFull()) return
    if (typeof part !== 'object' || part === null) {
      const bounded = typeof part === 'string' ? part.slice(0, MAX_DETAIL_TEXT) : part
      json += JSON.stringify(bounded) ?? 'null'
      return
    }
    const isList = Array.isArray(part)
    const names = Object.keys(part)
    const [open, close] = isList ? '[]' : '{}'
    if (names.length === 0 || indent.length >= 2 * MAX_JSON_DEPTH) {
      json += names.length === 0 ? `${open}${close}` : '…'
      return
    }
    const inner = `${indent}  `
    json += open
    for (const [n, name] of names.entries()) {
      if (isFull()) return
      json += `${n > 0 ? ',' : ''}\n${inner}`
      if (!isList) json += `${JSON.stringify(name.slice(0, MAX_DETAIL_TEXT))}: `
      write((part as Record<string, unknown>)[name], inner)
    }
    json += `\n${indent}${close}`
  }
  write(value, '')
  return cut(json, MAX_DETAIL_TEXT)
}

export function jsonDetail(label: string, value: unknown): ExplanationDetail {
  return createDetail('json', label, boundedJson(value))
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z$/

const isTime = (text: string): boolean => TIME.test(text) && !Number.isNaN(Date.parse(text))

/** A text that is not a time stays a text. */
export function timeDetail(label: string, time: string): ExplanationDetail {
  return createDetail(isTime(time) ? 'time' : 'text', label, time)
}

/** The canonical URL; undefined if it is not https, has a user name, or is too long. */
export function httpsAddress(text: string): string | undefined {
  if (text.length > MAX_DETAIL_TEXT || !/^https:\/\/\S+$/i.test(text)) return undefined
  if (!URL.canParse(text)) return undefined
  const { href, username, password } = new URL(text)
  return username === '' && password === '' && href.length <= MAX_DETAIL_TEXT ? href : undefined
}

/** A text that is not an https address stays a text. */
export function linkDetail(label: string, text: string): ExplanationDetail {
  const address = httpsAddress(text)
  return createDetail(address === undefined ? 'text' : 'link', label, address ?? text)
}

/** `0.334` → `33.4 %`, exact. Undefined if it is not a decimal from 0 to 1. */
export function percentText(decimal: string): string | undefined {
  const atto = /^[0-9]{1,2}\.[0-9]{1,18}$/.test(decimal) ? toAtto(decimal) : undefined
  return atto === undefined || atto > 10n ** 18n ? undefined : `${formatDecimal(atto * 100n)} %`
}

const DURATION = /^([0-9]{1,12})(\.[0-9]{1,9})?s$/

/** `172800s` → `2 days`, exact. Undefined if it is not a duration. */
function durationText(duration: string): string | undefined {
  const [, whole, fraction = ''] = DURATION.exec(duration) ?? []
  if (whole === undefined) return undefined
  const units = splitDuration(Number(whole)).map(({ unit, count }) => ({
    unit,
    count: unit === 'second' ? `${count}${fraction.replace(/\.?0+$/, '')}` : `${count}`,
  }))
  const shown = units.filter(({ count }) => count !== '0')
  const parts = shown.length > 0 ? shown : units.slice(-1)
  return parts.map(({ unit, count }) => pluralize(count, unit)).join(' ')
}

export function sizeText(size: string): string {
  return `${groupThousands(size) ?? size} bytes`
}

/** Names of parameters that are shares of 1. */
const SHARE =
  /quorum|threshold|ratio|rate|tax|fraction|commission|inflation|bonded|reward|percent|share|min_signed/i

const readableText = (name: string, text: string): string => {
  if (text === '') return '(empty)'
  const share = SHARE.test(name) ? percentText(text) : undefined
  return share ?? durationText(text) ?? (isDigits(text) ? groupThousands(text) : undefined) ?? text
}

/** Formats a value of the parameter `name`. A value without a known format is JSON. */
export function readable(name: string, value: unknown, unit: Unit): string {
  if (typeof value === 'string') return readableText(name, value)
  const coins = Array.isArray(value) ? value : [value]
  if (coins.length === 0 || !coins.every(isCoin)) return boundedJson(value)
  return coins.map((coin) => coinText(coin, unit)).join(', ')
}

/** One more than the maximum of an explanation, so that the caller detects more values. */
const MAX_LEAVES = 101
const BECH32 = /^[a-z][a-z0-9]{0,30}1[02-9ac-hj-np-z]{38,90}$/

/** Without a space it is an identifier, not prose. */
const isIdentifier = (text: string): boolean => !isDigits(text) && /^\S+$/.test(text)

const textLeaf = (label: string, text: string, unit: Unit): ExplanationDetail => {
  if (BECH32.test(text)) return addressDetail(label, text)
  if (isTime(text)) return createDetail('time', label, text)
  if (httpsAddress(text) !== undefined) return linkDetail(label, text)
  const shown = readable(label, text, unit)
  return createDetail(shown === text && isIdentifier(text) ? 'code' : 'text', label, shown)
}

const leafDetail = (label: string, value: unknown, unit: Unit): ExplanationDetail => {
  if (isCoin(value)) return coinDetail(label, value, unit)
  if (typeof value === 'string') return textLeaf(label, value, unit)
  const bytes = getOmittedBytes(value)
  if (bytes) return codeDetail(label, `${sizeText(bytes.size)}, SHA-256 ${bytes.sha256}`)
  return typeof value === 'object' && value !== null
    ? jsonDetail(label, value)
    : textDetail(label, JSON.stringify(value) ?? 'null')
}

/** Of a value without a known meaning. A label is the path to the leaf: `plan › height`. */
export function valueDetails(label: string, value: unknown, unit: Unit): ExplanationDetail[] {
  const isLeaf = (part: object) => isCoin(part) || getOmittedBytes(part) !== undefined
  return listLeaves(value, { isLeaf, max: MAX_LEAVES, omitsAlone: true }).map((leaf) =>
    leafDetail([label, ...leaf.path].filter(Boolean).join(' › '), leaf.value, unit),
  )
}
