// Converts protobuf to the JSON of the node's REST API: proto names, every field, nested `Any` as `{ "@type", …fields }`.
import type { DescField, DescMessage } from '@bufbuild/protobuf'
import type { Message } from '../contract/facts.ts'
import { isJsonObject } from '../contract/json.ts'
import type { ChainSchema } from './chain-schema.ts'
import {
  getFieldType,
  getGogoOptions,
  getWireType,
  groupByNumber,
  invalid,
  isOverridden,
  joined,
  unpacked,
  type Values,
} from './field-values.ts'
import {
  absentScalar,
  base64,
  bytesJson,
  enumJson,
  type LongBytes,
  pointer,
  scalarJson,
  toText,
} from './scalar-json.ts'
import { isWellKnown, wellKnownJson, ZERO_TIMES } from './well-known.ts'
import { type Budget, readWireFields, type WireField } from './wire.ts'

export type AnyMessage = { typeUrl: string; value: Uint8Array }

/** The sender of an `Any` may write any type URL. */
export const MAX_TYPE_LENGTH = 1_000

/** Deeper than valid messages. A message with deeper nesting is kept as bytes. */
export const MAX_ANY_DEPTH = 16
const MAX_MESSAGE_DEPTH = 64
/** More fields than the longest JSON of a message can contain. */
const MAX_FIELDS = 200_000

type At = {
  schema: ChainSchema
  budget: Budget
  anyDepth: number
  depth: number
  path: string
  kept: LongBytes[]
  /** Shared by the whole decoding. */
  found: { isComplete: boolean }
}

const deeper = (at: At, member?: string | number): At => ({
  ...at,
  depth: at.depth + 1,
  path: member === undefined ? at.path : pointer(at.path, member),
})

const elementJson = (
  field: DescField,
  { value, wireType }: Pick<WireField, 'value' | 'wireType'>,
  at: At,
): unknown => {
  const type = getFieldType(field)
  if (wireType !== getWireType(type)) throw invalid(field, wireType)
  if (type === 'message') {
    return typeof value === 'bigint' || !field.message
      ? null
      : nestedJson(field.message, value, deeper(at))
  }
  if (type === 'enum') return field.enum ? enumJson(field.enum, value) : null
  return scalarJson({ field, type, value }, at)
}

const listJson = (field: DescField, values: Values, at: At): unknown[] =>
  values
    .flatMap((sent) => unpacked(field, sent, at.budget))
    .map((each, n) => elementJson(field, each, { ...at, path: pointer(at.path, n) }))

const mapJson = (field: DescField & { fieldKind: 'map' }, values: Values, at: At): unknown => {
  const entries = values.map(({ value, wireType }) => {
    if (typeof value === 'bigint') throw invalid(field, wireType)
    const sent = readWireFields(value, at.budget)
    const key = sent.findLast(({ no }) => no === 1)
    const name = key
      ? `${scalarJson({ field, type: field.mapKey, value: key.value }, at)}`
      : `${absentScalar(field, field.mapKey)}`
    const last = sent.findLast(({ no }) => no === 2)
    return [name, mapValueJson(field, last, deeper(at, name))] as const
  })
  return Object.fromEntries(entries)
}

const mapValueJson = (
  field: DescField & { fieldKind: 'map' },
  sent: WireField | undefined,
  at: At,
): unknown => {
  if (field.message) {
    const bytes = sent ? joined(field, [sent]) : new Uint8Array()
    return nestedJson(field.message, bytes, at)
  }
  if (field.enum) return enumJson(field.enum, sent?.value ?? 0n)
  const type = field.scalar
  if (type === undefined) return null
  if (!sent) return absentScalar(field, type)
  if (sent.wireType !== getWireType(type)) throw invalid(field, sent.wireType)
  return scalarJson({ field, type, value: sent.value }, at)
}

/** Undefined for a field that REST omits: an unset member of a `oneof`. */
const absentJson = (field: DescField, at: At): unknown => {
  if (field.fieldKind === 'list') return []
  if (field.fieldKind === 'map') return {}
  if (field.oneof) return undefined
  if (field.message) {
    if (getGogoOptions(field).isNullable) return null
    const { typeName } = field.message
    return ZERO_TIMES[typeName] ?? nestedJson(field.message, new Uint8Array(), deeper(at))
  }
  // An `optional` scalar is a pointer in Go.
  if (field.proto.proto3Optional) return null
  return field.enum
    ? enumJson(field.enum, 0n)
    : field.scalar
      ? absentScalar(field, field.scalar)
      : null
}

const fieldJson = (field: DescField, values: Values, from: At): unknown => {
  const at = { ...from, path: pointer(from.path, field.name) }
  const last = values.at(-1)
  if (!last) return absentJson(field, at)
  if (field.fieldKind === 'list') return listJson(field, values, at)
  if (field.fieldKind === 'map') return mapJson(field, values, at)
  if (field.message) return nestedJson(field.message, joined(field, values), deeper(at))
  return elementJson(field, last, at)
}

const unknownJson = (unknown: Values) => ({
  count: unknown.length,
  bytes: base64(Buffer.concat(unknown.map(({ raw }) => raw))),
})

const membersJson = (desc: DescMessage, bytes: Uint8Array, at: At): Record<string, unknown> => {
  if (at.depth > MAX_MESSAGE_DEPTH) throw new RangeError('the messages are nested too deeply')
  at.budget.fields -= desc.fields.length
  if (at.budget.fields < 0) throw new RangeError('the message has more fields than are decoded')
  const sent = readWireFields(bytes, at.budget)
  const byNumber = groupByNumber(sent)
  const entries: [string, unknown][] = []
  for (const field of desc.fields) {
    const values = byNumber.get(field.number) ?? []
    byNumber.delete(field.number)
    if (values.length > 0 && isOverridden(field, sent)) continue
    const json = fieldJson(field, values, at)
    if (json !== undefined) entries.push([field.name, json])
  }
  const unknown = [...byNumber.values()].flat()
  if (unknown.length > 0) {
    at.found.isComplete = false
    entries.push(['@unknownFields', unknownJson(unknown)])
  }
  // No assignment: a field may be named `__proto__`.
  return Object.fromEntries(entries)
}

const nestedJson = (desc: DescMessage, bytes: Uint8Array, at: At): unknown => {
  if (desc.typeName === 'google.protobuf.Any') return anyFieldJson(bytes, at)
  const members = membersJson(desc, bytes, at)
  const wellKnown = wellKnownJson(desc.typeName, members)
  return wellKnown ? wellKnown.json : members
}

const anyFieldJson = (bytes: Uint8Array, at: At): Message => {
  const sent = readWireFields(bytes, at.budget)
  const url = sent.findLast(({ no }) => no === 1)
  const value = sent.findLast(({ no }) => no === 2)?.value
  const typeUrl = url ? toText(url.value) : ''
  return anyJson({ typeUrl, value: value instanceof Uint8Array ? value : new Uint8Array() }, at)
}

const withType = (typeUrl: string, members: Record<string, unknown>): Message => ({
  '@type': typeUrl,
  ...members,
})

/** The bytes, and the reason why they were not decoded. */
const undecodedJson = (
  { typeUrl, value }: AnyMessage,
  reason: string,
  at: Pick<At, 'path' | 'kept'>,
): Message =>
  withType(typeUrl.slice(0, MAX_TYPE_LENGTH), {
    value: bytesJson(value, { path: pointer(at.path, 'value'), kept: at.kept }),
    '@reason': reason,
  })

const anyJson = (message: AnyMessage, from: At): Message => {
  const { typeUrl, value } = message
  const at = { ...from, anyDepth: from.anyDepth + 1 }
  const desc = at.schema.messageType(typeUrl)
  if (!desc) {
    at.found.isComplete = false
    return undecodedJson(message, 'the schema of the chain does not have this type', at)
  }
  if (at.anyDepth > MAX_ANY_DEPTH) {
    return undecodedJson(message, `nested deeper than ${MAX_ANY_DEPTH} messages`, at)
  }
  const keptBefore = at.kept.length
  try {
    const json = nestedJson(desc, value, deeper(at))
    return withType(
      typeUrl,
      isJsonObject(json) && !isWellKnown(desc.typeName) ? json : { value: json },
    )
  } catch (error) {
    at.kept.length = keptBefore
    if (at.budget.fields < 0) throw error
    const why = error instanceof Error ? error.message : `${error}`
    return undecodedJson(message, `the bytes are not of this type: ${why}`, at)
  }
}

export type DecodedMessage = {
  json: Message
  kept: LongBytes[]
  /** False if a type or a field is not in the schema. */
  isComplete: boolean
}

const start = (schema: ChainSchema): At => ({
  schema,
  budget: { fields: MAX_FIELDS },
  anyDepth: 0,
  depth: 0,
  path: '',
  kept: [],
  found: { isComplete: true },
})

/** `{ "@type", value, "@reason" }` with the bytes of the message. */
export const undecodedAny = (message: AnyMessage, reason: string): DecodedMessage => {
  const kept: LongBytes[] = []
  return { json: undecodedJson(message, reason, { path: '', kept }), kept, isComplete: true }
}

/** `{ "@type", …fields }`; or its bytes with the reason if it cannot be decoded. Never throws. */
export const decodeAny = (schema: ChainSchema, message: AnyMessage): DecodedMessage => {
  const at = start(schema)
  try {
    const json = anyJson(message, at)
    return { json, kept: at.kept, isComplete: at.found.isComplete }
  } catch (error) {
    return undecodedAny(message, error instanceof Error ? error.message : `${error}`)
  }
}

/** Decodes a response of a known type. Throws if the bytes are not of this type. */
export const decodeResponse = (
  schema: ChainSchema,
  desc: DescMessage,
  bytes: Uint8Array,
): Record<string, unknown> => membersJson(desc, bytes, start(schema))
