// Explains a message of any type by its members, and messages that were not decoded.
import type { JsonObject } from '../../ingest/contract/json.ts'
import { plainReason } from '../in-words.ts'
import { codeDetail, type Detail, type Explained, quoted, textDetail } from './details.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { getInteger, getMember, getText, visitNested } from './members.ts'
import { messageName, moduleName } from './names.ts'
import { omittedBytes, sizeText, valueDetails } from './values.ts'

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The bytes, or their digest if they are too long for a page. */
const bytesDetails = (value: unknown): Detail[] => {
  if (typeof value === 'string' && BASE64.test(value)) {
    const size = Math.floor((value.replace(/=+$/, '').length * 3) / 4)
    return [textDetail('Size', sizeText(`${size}`)), codeDetail('Bytes in base64', value)]
  }
  const omitted = omittedBytes(value)
  return omitted
    ? [textDetail('Size', sizeText(omitted.size)), codeDetail('SHA-256', omitted.sha256)]
    : []
}

/** A message that ingest could not decode, with the reason and the bytes. */
export const explainUndecoded: Explainer = (message) => {
  const reason = getText(message, '@reason')
  if (!reason) return undefined
  const type = getText(message, '@type') ?? ''
  return {
    title: messageName(type),
    summary: `This message was not decoded: ${plainReason(reason)}.`,
    details: [codeDetail('Type', type), ...bytesDetails(getMember(message, 'value'))],
  }
}

export const explainGeneric = (message: JsonObject, { findUnit }: ExplainContext): Explained => {
  const type = getText(message, '@type') ?? ''
  const members = Object.entries(message).filter(([name]) => !name.startsWith('@'))
  const details = members.flatMap(([name, value]) => valueDetails(name, value, findUnit))
  const name = messageName(type)
  const module = type === '' ? '' : ` of the module ${moduleName(type)}`
  const fields = members.length === 0 ? ' without fields' : ''
  return { title: name, summary: `Executes ${quoted(name)}${module}${fields}.`, details }
}

/** The fields that the schema lacks, including nested messages. */
export const unknownFieldsDetail = (message: unknown): Detail | undefined => {
  let count = 0n
  for (const part of visitNested(message)) {
    count += BigInt(getInteger(getMember(part, '@unknownFields'), 'count') ?? 0)
  }
  return count === 0n
    ? undefined
    : textDetail('Unknown fields', `${count}, not in the schema of the chain`)
}
