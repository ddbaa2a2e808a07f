// An `Any` as readable JSON: decoded where its type is known, base64 where not. Nothing in it is dropped silently.
// The JSON is bounded, for a message of 1 MB can decode to 60 MB: beyond the bound it is base64, then a digest.
import { hash } from 'node:crypto'
import type { Message } from '../contract/facts.ts'
import { decodeBounded } from './bounded-decode.ts'
import { messageCodecs } from './message-types.ts'

export type AnyMessage = { typeUrl: string; value: Uint8Array }

/** Longest JSON of one message, in bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 2 ** 20
/** Longest JSON of all messages of one proposal, digests not counted. */
export const MAX_MESSAGES_BYTES = 4 * 2 ** 20

/** A type URL of an `Any` is whatever its sender wrote. */
const MAX_TYPE_LENGTH = 1_000

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

type Opening = {
  depth: number
  /** The bytes of a message around this one go along already: they hold this one's too. */
  isKept: boolean
}

const openNested = (value: unknown, at: Opening): unknown => {
  if (Array.isArray(value)) return value.map((item) => openNested(item, at))
  if (typeof value !== 'object' || value === null) return value
  if (isAnyJson(value)) {
    const nested = { typeUrl: value.typeUrl, value: Buffer.from(value.value, 'base64') }
    return open(nested, { ...at, depth: at.depth + 1 })
  }
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, openNested(item, at)]))
}

const open = (message: AnyMessage, { depth, isKept }: Opening): Message => {
  const codec = messageCodecs.get(message.typeUrl)
  if (!codec || depth > MAX_DEPTH) return asBytes(message)
  try {
    const decoded = decodeBounded(codec, message.value)
    // A newer version of the type has fields that ours does not: then the bytes go along, once.
    const isWhole = codec.encode(decoded).finish().length === message.value.length
    const at = { depth, isKept: isKept || !isWhole }
    const fields = openNested(codec.toJSON(decoded), at) as Record<string, unknown>
    return messageOf(
      message.typeUrl,
      isWhole || isKept ? fields : { ...fields, '@bytes': base64(message.value) },
    )
  } catch {
    return asBytes(message)
  }
}

const bytesOf = (message: Message): number => Buffer.byteLength(JSON.stringify(message))

const asDigest = ({ typeUrl, value }: AnyMessage, maxBytes: number): Message =>
  messageOf(typeUrl.slice(0, MAX_TYPE_LENGTH), {
    sha256: hash('sha256', value, 'hex'),
    size: value.length,
    reason: `left out: it is longer than ${maxBytes} bytes as JSON`,
  })

const forms = [(message: AnyMessage) => open(message, { depth: 0, isKept: false }), asBytes]

/** The most readable form that fits, with its size; undefined where none does. */
const fitting = (
  message: AnyMessage,
  maxBytes: number,
): { message: Message; bytes: number } | undefined => {
  // Every form is longer than the bytes it stands for.
  if (message.value.length + message.typeUrl.length > maxBytes) return undefined
  for (const form of forms) {
    const read = form(message)
    const bytes = bytesOf(read)
    if (bytes <= maxBytes) return { message: read, bytes }
  }
  return undefined
}

/**
 * `{ '@type', …fields }`, nested messages too; or `{ '@type', value }` with the bytes in base64; or, where
 * that is too long as well, `{ '@type', sha256, size, reason }`.
 */
export const readMessage = (message: AnyMessage): Message =>
  fitting(message, MAX_MESSAGE_BYTES)?.message ?? asDigest(message, MAX_MESSAGE_BYTES)

/** All messages of one proposal, in order. */
export const readMessages = (messages: readonly AnyMessage[]): Message[] => {
  let left = MAX_MESSAGES_BYTES
  return messages.map((message) => {
    const maxBytes = Math.min(left, MAX_MESSAGE_BYTES)
    const found = fitting(message, maxBytes)
    left -= found?.bytes ?? 0
    return found?.message ?? asDigest(message, maxBytes)
  })
}

export type LegacyText = { title: string; summary: string }

const isAny = (value: object): value is AnyMessage =>
  'typeUrl' in value && 'value' in value && value.value instanceof Uint8Array

const textOf = (value: unknown): LegacyText | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  if (isAny(value)) return textOf(decodedOf(value))
  const { title, description } = value as Record<string, unknown>
  return typeof title === 'string' && typeof description === 'string'
    ? { title, summary: description }
    : undefined
}

const decodedOf = ({ typeUrl, value }: AnyMessage): Record<string, unknown> | undefined => {
  const codec = messageCodecs.get(typeUrl)
  if (!codec) return undefined
  try {
    return decodeBounded(codec, value) as Record<string, unknown>
  } catch {
    return undefined
  }
}

/**
 * Title and description of the legacy content: SDK 0.46 and older keep them nowhere else. From the bytes,
 * because the JSON of a message may be left out.
 */
export const legacyText = (messages: readonly AnyMessage[]): LegacyText => {
  for (const message of messages) {
    const decoded = decodedOf(message)
    const text = textOf(decoded?.['content'] ?? decoded)
    if (text) return text
  }
  return { title: '', summary: '' }
}
