// An `Any` as readable JSON: decoded where its type is known, base64 where not. Nothing in it is dropped silently.
import type { Message } from '../contract/facts.ts'
import { messageCodecs } from './message-types.ts'

type AnyMessage = { typeUrl: string; value: Uint8Array }

/** Deeper than any real nesting: a message that goes on is kept as bytes. */
const MAX_DEPTH = 16

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')

const messageOf = (typeUrl: string, fields: Record<string, unknown>): Message => ({
  '@type': typeUrl,
  ...fields,
})
const asBytes = ({ typeUrl, value }: AnyMessage): Message =>
  messageOf(typeUrl, { value: base64(value) })

const isAnyJson = (value: object): value is { typeUrl: string; value: string } =>
  Object.keys(value).length === 2 &&
  'typeUrl' in value &&
  'value' in value &&
  typeof value.typeUrl === 'string' &&
  typeof value.value === 'string'

const openNested = (value: unknown, depth: number): unknown => {
  if (Array.isArray(value)) return value.map((item) => openNested(item, depth))
  if (typeof value !== 'object' || value === null) return value
  if (isAnyJson(value)) {
    return open({ typeUrl: value.typeUrl, value: Buffer.from(value.value, 'base64') }, depth + 1)
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, openNested(item, depth)]),
  )
}

const open = (message: AnyMessage, depth: number): Message => {
  const codec = messageCodecs.get(message.typeUrl)
  if (!codec || depth > MAX_DEPTH) return asBytes(message)
  try {
    const decoded = codec.decode(message.value)
    const fields = openNested(codec.toJSON(decoded), depth) as Record<string, unknown>
    // A newer version of the type has fields that ours does not: then the bytes go along.
    const whole = codec.encode(decoded).finish().length === message.value.length
    return messageOf(
      message.typeUrl,
      whole ? fields : { ...fields, '@bytes': base64(message.value) },
    )
  } catch {
    return asBytes(message)
  }
}

/** `{ '@type', …fields }`, nested messages too, or `{ '@type', value }` with the bytes in base64. */
export const readMessage = (message: AnyMessage): Message => open(message, 0)
