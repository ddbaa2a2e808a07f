// Places in the stream of changes, and their names as event ids: any instance understands them, also after a restart or a rebuild.
import { toHeight } from '../../ingest/contract/envelope.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { hashScope } from '../resources/cursor.ts'

/**
 * Where a change stands: its position in the log, and its proposal, for one event may change several.
 * `proposalId` null: after all that changed at this position.
 */
export type StreamPosition = { position: bigint; proposalId: bigint | null }

export const comparePositions = (one: StreamPosition, other: StreamPosition): number => {
  if (one.position !== other.position) return one.position < other.position ? -1 : 1
  if (one.proposalId === other.proposalId) return 0
  if (one.proposalId === null) return 1
  return other.proposalId === null || one.proposalId < other.proposalId ? -1 : 1
}

/** After everything that is served. */
export const getStreamEnd = ({ changedAt }: Snapshot): StreamPosition => ({
  position: changedAt,
  proposalId: null,
})

/** The chain is part of the name: another chain's positions mean nothing here. */
const hashChain = ({ chainId }: Snapshot): string => hashScope('stream', chainId)

export const formatEventId = (
  { position, proposalId }: StreamPosition,
  snapshot: Snapshot,
): string => [hashChain(snapshot), position, ...(proposalId === null ? [] : [proposalId])].join('.')

const ID = /^([A-Za-z0-9_-]{8})\.([0-9]{1,20})(?:\.([0-9]{1,20}))?$/

/** Instances are not equally far; what is further than this beyond the tip was never served by any. */
const MAX_HEIGHTS_AHEAD = 100

/** Undefined for what this stream never gave out: then nobody can say what was missed. */
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
