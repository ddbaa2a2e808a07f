// Creates the envelopes for the events of one block, and splits long lists into several events.
import type { Block } from '../comet/blocks/block.ts'
import { toIndex } from '../contract/envelope.ts'
import type { EventOf, GovernanceEvent, GovernanceEventType } from '../contract/events.ts'

/** Limit of one chunk of a list, as JSON. */
const MAX_CHUNK_BYTES = 256 * 2 ** 10

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

/** In order; each part has at most `maxBytes` of JSON, or one longer item. At least one part. */
export const splitBySize = <Item>(
  items: readonly Item[],
  maxBytes: number = MAX_CHUNK_BYTES,
): Item[][] => {
  const parts: Item[][] = [[]]
  let bytes = 0
  for (const item of items) {
    const size = Buffer.byteLength(JSON.stringify(item)) + 1
    if (bytes > 0 && bytes + size > maxBytes) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)!.push(item)
    bytes += size
  }
  return parts
}
