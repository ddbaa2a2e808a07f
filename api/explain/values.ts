// Formats values without a known meaning: shares as percent, durations in days and hours, coins in display units.
import { formatDecimal, toAtto } from '../../ingest/contract/decimal.ts'
import { isJsonObject } from '../../ingest/contract/json.ts'
import { groupThousands } from '../display-unit.ts'
import { pluralize, splitDuration } from '../in-words.ts'
import { amountText, type UnitLookup } from './amounts.ts'
import {
  addressDetail,
  amountDetail,
  boundedJson,
  codeDetail,
  type Detail,
  httpsAddress,
  isTime,
  jsonDetail,
  linkDetail,
  textDetail,
  timeDetail,
} from './details.ts'
import { type Coin, getInteger, getText, isCoin, isDigits } from './members.ts'

const DECIMAL = /^[0-9]{1,2}\.[0-9]{1,18}$/
/** Names of parameters that are shares of 1. */
const SHARE =
  /quorum|threshold|ratio|rate|tax|fraction|commission|inflation|bonded|reward|percent|share|min_signed/i

/** `0.334` → `33.4 %`, exact. Undefined if it is not a decimal from 0 to 1. */
export const percentText = (decimal: unknown): string | undefined => {
  if (typeof decimal !== 'string' || !DECIMAL.test(decimal)) return undefined
  const atto = toAtto(decimal)
  return atto === undefined || atto > 10n ** 18n ? undefined : `${formatDecimal(atto * 100n)} %`
}

const DURATION = /^([0-9]{1,12})(\.[0-9]{1,9})?s$/

/** `172800s` → `2 days`, exact. Undefined if it is not a duration. */
export const durationText = (duration: unknown): string | undefined => {
  if (typeof duration !== 'string') return undefined
  const [, whole, fraction = ''] = DURATION.exec(duration) ?? []
  if (whole === undefined) return undefined
  const units = splitDuration(Number(whole)).map(({ unit, count }) =>
    unit === 'second'
      ? { unit, count: `${count}${fraction.replace(/\.?0+$/, '')}` }
      : { unit, count: `${count}` },
  )
  const shown = units.filter(({ count }) => count !== '0')
  const parts = shown.length > 0 ? shown : units.slice(-1)
  return parts.map(({ unit, count }) => pluralize(count, unit)).join(' ')
}

const readableText = (name: string, text: string): string => {
  if (text === '') return '(empty)'
  const share = SHARE.test(name) ? percentText(text) : undefined
  return share ?? durationText(text) ?? (isDigits(text) ? groupThousands(text) : undefined) ?? text
}

const isCoins = (value: unknown): value is Coin[] =>
  Array.isArray(value) && value.length > 0 && value.every(isCoin)

/** Formats a value of the parameter `name`. A value without a known format is JSON. */
export const readable = (name: string, value: unknown, findUnit: UnitLookup): string => {
  if (typeof value === 'string') return readableText(name, value)
  if (isCoin(value)) return amountText(value, findUnit)
  if (isCoins(value)) return value.map((coin) => amountText(coin, findUnit)).join(', ')
  return boundedJson(value)
}

const MAX_DEPTH = 6
/** One more than the maximum of an explanation, so that the caller detects more values. */
const MAX_LEAVES = 101
const BECH32 = /^[a-z][a-z0-9]{0,30}1[02-9ac-hj-np-z]{38,90}$/
/** Without a space it is an identifier, not prose. */
const IDENTIFIER = /^\S+$/

/** Long bytes that are left out of the message. */
export const omittedBytes = (value: unknown): { sha256: string; size: string } | undefined => {
  const [sha256, size] = [getText(value, 'sha256'), getInteger(value, 'size')]
  return sha256 !== undefined && size !== undefined ? { sha256, size } : undefined
}

export const sizeText = (size: string): string => `${groupThousands(size) ?? size} bytes`

const textLeaf = (label: string, text: string, findUnit: UnitLookup): Detail => {
  if (BECH32.test(text)) return addressDetail(label, text)
  if (isTime(text)) return timeDetail(label, text)
  if (httpsAddress(text) !== undefined) return linkDetail(label, text)
  const shown = readable(label, text, findUnit)
  const isPlain = shown !== text || isDigits(text) || !IDENTIFIER.test(text)
  return isPlain ? textDetail(label, shown) : codeDetail(label, text)
}

const leafDetail = (label: string, value: unknown, findUnit: UnitLookup): Detail => {
  if (isCoin(value)) return amountDetail(label, value, findUnit)
  if (typeof value === 'string') return textLeaf(label, value, findUnit)
  const bytes = omittedBytes(value)
  if (bytes) return codeDetail(label, `${sizeText(bytes.size)}, SHA-256 ${bytes.sha256}`)
  return typeof value === 'object' && value !== null
    ? jsonDetail(label, value)
    : textDetail(label, JSON.stringify(value) ?? 'null')
}

/** A label is the path to the leaf: `plan › height`. */
export const valueDetails = (label: string, value: unknown, findUnit: UnitLookup): Detail[] => {
  const details: Detail[] = []
  const visit = (part: unknown, path: string, depth: number): void => {
    if (details.length >= MAX_LEAVES) return
    const isNested = (isJsonObject(part) || Array.isArray(part)) && depth < MAX_DEPTH
    const isLeaf = !isNested || isCoin(part) || omittedBytes(part) !== undefined
    const members = isLeaf ? [] : Object.entries(part)
    if (members.length === 0) return void details.push(leafDetail(path, part, findUnit))
    const isList = Array.isArray(part)
    for (const [key, each] of members) {
      if (details.length >= MAX_LEAVES) return
      const isAlone = isList && members.length === 1
      const name = isList ? `${Number(key) + 1}` : key
      visit(each, isAlone ? path : [path, name].filter(Boolean).join(' › '), depth + 1)
    }
  }
  visit(value, label, 0)
  return details
}
