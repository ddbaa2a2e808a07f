// Converts a value without a known meaning to details, one for each leaf of lists and objects.
import { isJsonObject } from '../../ingest/contract/json.ts'
import { groupThousands } from '../display-unit.ts'
import {
  addressDetail,
  amountDetail,
  codeDetail,
  type Detail,
  httpsAddress,
  isTime,
  jsonDetail,
  linkDetail,
  textDetail,
  timeDetail,
} from './details.ts'
import { getInteger, getText, isCoin, isDigits } from './members.ts'
import { readable } from './readable.ts'
import type { UnitLookup } from './units.ts'

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
