// Explains a message of any type by its members, and says so where a message was not decoded.
import { quoted } from './cut.ts'
import { codeDetail, type Detail, detailsOf, textDetail } from './details.ts'
import type { Explainer } from './explainer.ts'
import { isObject, memberOf, textOf, wholeOf } from './members.ts'
import { messageName, moduleName } from './names.ts'
import { sizeText, valueDetails } from './values.ts'

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

const membersOf = (message: object): [string, unknown][] =>
  Object.entries(message).filter(([name]) => !name.startsWith('@'))

/** A message that is left as bytes, or as the digest of its bytes. */
export const explainUndecoded: Explainer = (message) => {
  const names = membersOf(message).map(([name]) => name)
  const type = textOf(message, '@type') ?? ''
  const title = messageName(type)
  const value = memberOf(message, 'value')
  if (names.length === 1 && typeof value === 'string' && BASE64.test(value)) {
    const size = Math.floor((value.replace(/=+$/, '').length * 3) / 4)
    return {
      title,
      summary: 'This message was not decoded: only its bytes are known.',
      details: detailsOf(
        codeDetail('Type', type),
        textDetail('Size', sizeText(`${size}`)),
        codeDetail('Bytes in base64', value),
      ),
    }
  }
  const [sha256, size] = [textOf(message, 'sha256'), wholeOf(message, 'size')]
  const reason = textOf(message, 'reason')
  if (names.length !== 3 || !sha256 || size === undefined || !reason) return undefined
  return {
    title,
    summary: `This message was not decoded: ${reason}.`,
    details: detailsOf(
      codeDetail('Type', type),
      textDetail('Size', sizeText(size)),
      codeDetail('SHA-256', sha256),
    ),
  }
}

export const explainGeneric = (
  message: Parameters<Explainer>[0],
  at: Parameters<Explainer>[1],
): NonNullable<ReturnType<Explainer>> => {
  const type = textOf(message, '@type') ?? ''
  const members = membersOf(message)
  const details = members.flatMap(([name, value]) => valueDetails(name, value, at.unitOf))
  const name = messageName(type)
  const module = type === '' ? '' : ` of the module ${moduleName(type)}`
  const fields = members.length === 0 ? ' without fields' : ''
  return { title: name, summary: `Executes ${quoted(name)}${module}${fields}.`, details }
}

const MAX_VISITS = 10_000

/** How many fields the schema of the chain does not have, in the message and in all that is inside it. */
const countUnknownFields = (message: unknown): bigint => {
  const stack: unknown[] = [message]
  let count = 0n
  for (let visits = 0; stack.length > 0 && visits < MAX_VISITS; visits++) {
    const part = stack.pop()
    if (typeof part !== 'object' || part === null) continue
    count += BigInt(wholeOf(memberOf(part, '@unknownFields'), 'count') ?? 0)
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
    : textDetail('Unknown fields', `${count}: the schema of the chain does not name them`)
}
