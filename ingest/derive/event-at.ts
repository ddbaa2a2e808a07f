// Creates the envelopes for the events of one block, and splits long lists and long bytes into several events.
import type { Block } from '../comet/blocks/block.ts'
import { toIndex } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent, GovernanceEventType } from '../contract/events.ts'

/** Limit of one chunk of a list, as JSON. */
const MAX_CHUNK_BYTES = 256 * 2 ** 10

/** 512 KiB of base64. */
const MAX_BASE64_CHUNK_BYTES = 384 * 2 ** 10

export type At = { ordinal: number; sub: number }
export type BlockReference = Pick<Block, 'chainId' | 'height' | 'time'>

export const eventAt = <Type extends GovernanceEventType>(
  { chainId, height, time }: BlockReference,
  { ordinal, sub }: At,
  { type, data, subject }: { type: Type; data: EventOf<Type>['data']; subject?: string },
): EventOf<Type> => {
  const index = toIndex(ordinal, sub)
  return {
    specversion: '1.0',
    id: `${chainId}/${height}/${index}`,
    source: `/chains/${chainId}`,
    ...(subject === undefined ? {} : { subject }),
    type,
    time,
    datacontenttype: 'application/json',
    height,
    index,
    data,
  } as EventOf<Type>
}

/** By index. */
export const inOrder = (events: readonly GovernanceEvent[]): GovernanceEvent[] =>
  events.toSorted((one, other) => one.index - other.index)

export const proposalSubject = (proposalId: string): string => `proposals/${proposalId}`

/** Chunks of several lists, one list after the other. Each chunk has at most 256 KiB of items as JSON, or one that is longer. */
export function splitLists<Lists extends Record<string, readonly unknown[]>>(
  lists: Lists,
): { [Name in keyof Lists]: Lists[Name][number][] }[] {
  const names = Object.keys(lists)
  const begin = () => Object.fromEntries(names.map((name): [string, unknown[]] => [name, []]))
  const chunks = [begin()]
  let bytes = 0
  for (const name of names) {
    for (const item of lists[name] ?? []) {
      const size = Buffer.byteLength(JSON.stringify(item)) + 1
      if (bytes > 0 && bytes + size > MAX_CHUNK_BYTES) {
        chunks.push(begin())
        bytes = 0
      }
      chunks.at(-1)?.[name]?.push(item)
      bytes += size
    }
  }
  // Each chunk has all lists, with items of the same list.
  return chunks as { [Name in keyof Lists]: Lists[Name][number][] }[]
}

/** Parts of base64, at least one; each can be decoded alone. */
export function base64Chunks(bytes: Uint8Array): string[] {
  const most = MAX_BASE64_CHUNK_BYTES
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = Math.max(1, Math.ceil(buffer.length / most))
  return Array.from({ length: count }, (_, chunk) =>
    buffer.subarray(chunk * most, (chunk + 1) * most).toString('base64'),
  )
}
