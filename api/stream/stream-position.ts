// Positions in the stream of changes and their event ids. Ids are valid at all instances, also after a restart or a rebuild.
import { toHeight } from '../../ingest/contract/envelope.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { hashScope } from '../resources/cursor.ts'

/**
 * The log position of a change and its proposal, because one event can change several proposals.
 * `proposalId` null is the position after all of these changes.
 */
export type StreamPosition = { position: bigint; proposalId: bigint | null }

export const comparePositions = (one: StreamPosition, other: StreamPosition): number => {
  if (one.position !== other.position) return one.position < other.position ? -1 : 1
  if (one.proposalId === other.proposalId) return 0
  if (one.proposalId === null) return 1
  return other.proposalId === null || one.proposalId < other.proposalId ? -1 : 1
}

/** The position after all served changes. */
export const getStreamEnd = ({ changedAt }: Snapshot): StreamPosition => ({
  position: changedAt,
  proposalId: null,
})

/** Event ids contain the chain, because positions of another chain are not valid. */
const hashChain = ({ chainId }: Snapshot): string => hashScope('stream', chainId)

export const formatEventId = (
  { position, proposalId }: StreamPosition,
  snapshot: Snapshot,
): string => [hashChain(snapshot), position, ...(proposalId === null ? [] : [proposalId])].join('.')

/** A server-sent event, from whose id a client can resume. */
export const encodeEvent = (
  name: string,
  position: StreamPosition,
  { snapshot, data }: { snapshot: Snapshot; data: object },
): Buffer =>
  Buffer.from(
    `event: ${name}\nid: ${formatEventId(position, snapshot)}\ndata: ${JSON.stringify(data)}\n\n`,
  )

const ID = /^([A-Za-z0-9_-]{8})\.([0-9]{1,20})(?:\.([0-9]{1,20}))?$/

/** Other instances can be ahead. A position further ahead than this is not valid. */
const MAX_HEIGHTS_AHEAD = 100

/** Returns undefined for an id that this stream did not issue. */
export const parseEventId = (id: string, snapshot: Snapshot): StreamPosition | undefined => {
  const [, chain, position = '', proposalId] = ID.exec(id) ?? []
  if (chain !== hashChain(snapshot)) return undefined
  const streamPosition = {
    position: BigInt(position),
    proposalId: proposalId === undefined ? null : BigInt(proposalId),
  }
  const isKnown = toHeight(streamPosition.position) <= snapshot.tip + MAX_HEIGHTS_AHEAD
  return isKnown ? streamPosition : undefined
}
