// Bounds of what others write into a proposal, for events and rows. A chain can allow more than its defaults, and a node can lie. Pure.
import type { ProposalState } from './facts.ts'

/** In bytes of UTF-8. The SDK limits a title and the metadata to 255 characters by default. */
export const MAX_TEXT_BYTES = 64 * 2 ** 10
/** The SDK limits a summary to 40 times the metadata: 10,200 characters by default, 408,000 on some chains. */
export const MAX_SUMMARY_BYTES = 512 * 2 ** 10

/** An answer lists the types of so many messages, and the number of all. */
export const MAX_LISTED_TYPES = 20
/** Limit of all further types together. A chain has some hundred types of some 40 bytes. */
const MAX_FURTHER_TYPES_BYTES = 32 * 2 ** 10

/** At most `maxBytes` before the "…", without half a character. */
export const boundText = (text: string, maxBytes: number): string => {
  if (text.length <= maxBytes / 3 || Buffer.byteLength(text) <= maxBytes) return text
  const kept = Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes).toString()
  return `${kept.replace(/\uFFFD+$/, '')}…`
}

/** Without a visible character. */
export const isBlank = (text: string): boolean => /^[\s\p{Cc}\p{Cf}\p{Cs}]*$/u.test(text)

type MessageTypes = Pick<ProposalState, 'messageTypes' | 'messageCount' | 'furtherMessageTypes'>

/** The first types, the number of messages, and each other type once. Types of a log of an earlier version are all listed. */
export const boundMessageTypes = (types: MessageTypes): Required<MessageTypes> => {
  const messageTypes = types.messageTypes.slice(0, MAX_LISTED_TYPES)
  const listed = new Set(messageTypes)
  const others = [...types.messageTypes, ...(types.furtherMessageTypes ?? [])]
  let left = MAX_FURTHER_TYPES_BYTES
  const furtherMessageTypes = [...new Set(others)].filter((type) => {
    if (listed.has(type)) return false
    left -= Buffer.byteLength(type)
    return left >= 0
  })
  const messageCount = types.messageCount ?? types.messageTypes.length
  return { messageTypes, messageCount, furtherMessageTypes }
}
