// Explains a message of any type by its members, and messages that were not decoded.
import { quoted } from './cut.ts'
import { codeDetail, collectDetails, type Detail, textDetail } from './details.ts'
import type { Explainer } from './explainer.ts'
import { getInteger, getMember, getText, isObject } from './members.ts'
import { messageName, moduleName } from './names.ts'
import { sizeText, valueDetails } from './values.ts'

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

const getMembers = (message: object): [string, unknown][] =>
  Object.entries(message).filter(([name]) => !name.startsWith('@'))

/** The bytes, or their digest if they are too long for a page. */
const bytesDetails = (value: unknown): (Detail | undefined)[] => {
  if (typeof value === 'string' && BASE64.test(value)) {
    const size = Math.floor((value.replace(/=+$/, '').length * 3) / 4)
    return [textDetail('Size', sizeText(`${size}`)), codeDetail('Bytes in base64', value)]
  }
  const [sha256, size] = [getText(value, 'sha256'), getInteger(value, 'size')]
  return sha256 && size !== undefined
    ? [textDetail('Size', sizeText(size)), codeDetail('SHA-256', sha256)]
    : []
}

/** A message that ingest could not decode, with the reason and the bytes. */
export const explainUndecoded: Explainer = (message) => {
  const reason = getText(message, '@reason')
  if (!reason) return undefined
  const type = getText(message, '@type') ?? ''
  return {
    title: messageName(type),
    summary: `This message was not decoded: ${reason}.`,
    details: collectDetails(codeDetail('Type', type), ...bytesDetails(getMember(message, 'value'))),
  }
}

export const explainGeneric = (
  message: Parameters<Explainer>[0],
  at: Parameters<Explainer>[1],
): NonNullable<ReturnType<Explainer>> => {
  const type = getText(message, '@type') ?? ''
  const members = getMembers(message)
  const details = members.flatMap(([name, value]) => valueDetails(name, value, at.findUnit))
  const name = messageName(type)
  const module = type === '' ? '' : ` of the module ${moduleName(type)}`
  const fields = members.length === 0 ? ' without fields' : ''
  return { title: name, summary: `Executes ${quoted(name)}${module}${fields}.`, details }
}

const MAX_VISITS = 10_000

/** The number of fields that the schema lacks, including nested messages. */
const countUnknownFields = (message: unknown): bigint => {
  const stack: unknown[] = [message]
  let count = 0n
  for (let visits = 0; stack.length > 0 && visits < MAX_VISITS; visits++) {
    const part = stack.pop()
    if (typeof part !== 'object' || part === null) continue
    count += BigInt(getInteger(getMember(part, '@unknownFields'), 'count') ?? 0)
    const members = Object.values(part)
    for (const each of members.slice(0, MAX_VISITS))
      if (isObject(each) || Array.isArray(each)) stack.push(each)
  }
  return count
}

export const unknownFieldsDetail = (message: unknown): Detail | undefined => {
  const count = countUnknownFields(message)
  return count === 0n
    ? undefined
    : textDetail('Unknown fields', `${count}, not in the schema of the chain`)
}
