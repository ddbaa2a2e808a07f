// Positions in the stream of changes and their event ids. Ids are valid at all instances, also after a restart or a rebuild.
import { toHeight } from '../../ingest/contract/envelope.ts'
import type { Snapshot } from '../read/snapshot.ts'
import { hashScope } from '../resources/list.ts'

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

/** The event ids of one kind of stream. An id of another kind, or of another chain, is not valid. */
export type StreamIds = {
  scope: string
  /** The position after all served changes. */
  getEnd(snapshot: Snapshot): StreamPosition
  /** Further ahead than another instance can be. */
  isInvented(position: bigint, snapshot: Snapshot): boolean
}

const MAX_HEIGHTS_AHEAD = 100
const MAX_MS_AHEAD = 600_000

/** Positions in the log. */
export const PROPOSAL_IDS: StreamIds = {
  scope: 'stream',
  getEnd: ({ changedAt }) => ({ position: changedAt, proposalId: null }),
  isInvented: (position, { tip }) => toHeight(position) > tip + MAX_HEIGHTS_AHEAD,
}

/** Block times, because the last day of a vote begins between two events. A vote has an odd position: it comes second. */
export const toAccountPosition = (timeMs: number, isVote: boolean): bigint =>
  BigInt(timeMs) * 2n + (isVote ? 1n : 0n)
export const toTimeMs = (position: bigint): number => Number(position / 2n)

export const ACCOUNT_IDS: StreamIds = {
  scope: 'stream of accounts',
  getEnd: ({ timeMs }) => ({ position: toAccountPosition(timeMs, true), proposalId: null }),
  isInvented: (position, { timeMs }) => toTimeMs(position) > timeMs + MAX_MS_AHEAD,
}

const hashChain = ({ scope }: StreamIds, { chainId }: Snapshot): string => hashScope(scope, chainId)

/** A server-sent event, from whose id a client can resume. */
export const encodeEvent = (
  name: string,
  { position, proposalId }: StreamPosition,
  { ids, snapshot, data }: { ids: StreamIds; snapshot: Snapshot; data: object },
): Buffer => {
  const parts = [hashChain(ids, snapshot), position, ...(proposalId === null ? [] : [proposalId])]
  return Buffer.from(`event: ${name}\nid: ${parts.join('.')}\ndata: ${JSON.stringify(data)}\n\n`)
}

const ID = /^([A-Za-z0-9_-]{8})\.([0-9]{1,20})(?:\.([0-9]{1,20}))?$/

/** Returns undefined for an id that this stream did not issue. */
export const parseEventId = (
  id: string,
  ids: StreamIds,
  snapshot: Snapshot,
): StreamPosition | undefined => {
  const [, chain, text = '', proposalId] = ID.exec(id) ?? []
  if (chain !== hashChain(ids, snapshot)) return undefined
  const position = BigInt(text)
  if (ids.isInvented(position, snapshot)) return undefined
  return { position, proposalId: proposalId === undefined ? null : BigInt(proposalId) }
}
