// Decodes the messages of one proposal to JSON, with limits: a message of 1 MB can decode to 60 MB.
import type { Message } from '../contract/facts.ts'
import type { ChainSchema } from './chain-schema.ts'
import { type AnyMessage, type DecodedMessage, decodeAny, undecodedAny } from './message-json.ts'
import type { LongBytes } from './scalar-json.ts'

/** Limit of the JSON of one message, in bytes of UTF-8. */
export const MAX_MESSAGE_BYTES = 2 ** 20
/** Limit of the JSON of all messages of one proposal, without those that are left out. */
export const MAX_MESSAGES_BYTES = 4 * 2 ** 20
/** Limit of the long fields of one proposal that are kept. Further fields have only a digest. */
const MAX_KEPT_BYTES = 32 * 2 ** 20

export type KeptBytes = LongBytes & {
  /** Index of the message in the proposal. */
  message: number
}

export type DecodedMessages = {
  messages: Message[]
  kept: KeptBytes[]
  /** False if a type or a field is not in the schema. */
  isComplete: boolean
}

const bytesOf = (message: Message): number => Buffer.byteLength(JSON.stringify(message))

/** The decoded message if its JSON has at most `maxBytes`; otherwise its bytes and the reason. */
const decodeWithin = (
  schema: ChainSchema,
  message: AnyMessage,
  maxBytes: number,
): DecodedMessage & { bytes: number } => {
  const decoded = decodeAny(schema, message)
  const bytes = bytesOf(decoded.json)
  if (bytes <= maxBytes) return { ...decoded, bytes }
  const reason = `left out: it is longer than ${maxBytes} bytes as JSON`
  return { ...undecodedAny(message, reason), isComplete: decoded.isComplete, bytes: 0 }
}

const withinKeptBytes = (all: readonly KeptBytes[]): KeptBytes[] => {
  let left = MAX_KEPT_BYTES
  return all.filter(({ bytes }) => {
    if (bytes.length > left) return false
    left -= bytes.length
    return true
  })
}

/** In order. */
export const decodeMessages = (
  schema: ChainSchema,
  messages: readonly AnyMessage[],
): DecodedMessages => {
  let left = MAX_MESSAGES_BYTES
  const decoded = messages.map((message) => {
    const each = decodeWithin(schema, message, Math.min(left, MAX_MESSAGE_BYTES))
    left -= each.bytes
    return each
  })
  const kept = decoded.flatMap((each, message) =>
    each.kept.map((longBytes) => ({ ...longBytes, message })),
  )
  return {
    messages: decoded.map(({ json }) => json),
    kept: withinKeptBytes(kept),
    isComplete: decoded.every(({ isComplete }) => isComplete),
  }
}
