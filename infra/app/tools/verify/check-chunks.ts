// Checks lists in several events of a height: every chunk must be there, once and in order. Pure.
import { toOrdinal } from '../../../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'

type Chunked = Extract<GovernanceEvent, { data: { chunk: number } }>

export type ChunkCheck = {
  /** The problem with the position of this event in its list, if any. */
  add(event: GovernanceEvent): string | undefined
  /** The problems with the lists of the height that ends. Resets the check. */
  end(): string[]
}

const isChunked = (event: GovernanceEvent): event is Chunked => 'chunk' in event.data

/** A height may have several readings, and several long fields of messages. */
const toListName = ({ type, data, index }: Chunked): string => {
  if (!('proposalId' in data)) return type
  const part = 'round' in data ? `round ${data.round}` : `message ${data.message}${data.path}`
  const place = 'final' in data ? `, ordinal ${toOrdinal(index)}` : ''
  return `${type} of proposal ${data.proposalId}, ${part}${place}`
}

export const createChunkCheck = (): ChunkCheck => {
  const lists = new Map<string, { next: number; chunks: number }>()
  return {
    add: (event) => {
      if (!isChunked(event)) return undefined
      const name = toListName(event)
      const { chunk, chunks } = event.data
      const list = lists.get(name) ?? { next: 0, chunks }
      lists.set(name, { next: chunk + 1, chunks: list.chunks })
      if (chunks !== list.chunks) return `${name}: one chunk has ${list.chunks}, another ${chunks}`
      if (chunk === list.next && chunk < chunks) return undefined
      return `${name}: chunk ${chunk} where ${list.next} of ${chunks} is due`
    },
    end: () => {
      const problems = [...lists]
        .filter(([, { next, chunks }]) => next < chunks)
        .map(([name, { next, chunks }]) => `${name}: ends after chunk ${next - 1} of ${chunks}`)
      lists.clear()
      return problems
    },
  }
}
