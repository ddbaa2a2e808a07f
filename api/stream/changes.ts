// Creates server-sent events for the changes after a position, from the watermarks in memory and one query.
import { LRUCache } from 'lru-cache'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { toHeight } from '../../ingest/contract/envelope.ts'
import type { Account } from '../read/queries/account-changes.ts'
import { getKnownRound } from '../read/queries/proposal.ts'
import { type ProposalInfoRow, readProposalInfo } from '../read/queries/records.ts'
import type { Snapshot, Watermark } from '../read/snapshot.ts'
import {
  comparePositions,
  encodeEvent,
  PROPOSAL_IDS,
  type StreamIds,
  type StreamPosition,
} from './stream-position.ts'

/** A frame with `proposalId` null is for all listeners. */
export type Frame = { position: StreamPosition; proposalId: string | null; bytes: Buffer }

/** What a listener receives of the frames of all. */
export type Filter<Each extends Frame> = {
  /** Undefined if the frame is not for the listener. */
  select(frame: Each): Buffer | undefined
  /** By key. Empty if it listens to proposals. */
  accounts: ReadonlyMap<string, Account>
}

export type Changes<Each extends Frame = Frame> = {
  ids: StreamIds
  /** In order. Rejects if the store is unavailable. */
  after(
    position: StreamPosition,
    snapshot: Snapshot,
    filters: readonly Filter<Each>[],
  ): Promise<readonly Each[]>
  /** For a client that cannot resume. */
  reset(reason: string, snapshot: Snapshot): Each
}

/** With more changes, it is faster to read the list again. */
const MAX_CHANGES = 1_000
const MAX_KNOWN = 2 * MAX_CHANGES

type Change = { proposalId: string; watermark: Watermark; position: StreamPosition }

const findChangesAfter = (after: StreamPosition, { watermarks }: Snapshot): Change[] => {
  const changes: Change[] = []
  for (const [proposalId, watermark] of watermarks) {
    const position = { position: watermark.position, proposalId: BigInt(proposalId) }
    if (comparePositions(position, after) > 0) changes.push({ proposalId, watermark, position })
  }
  return changes.sort((one, other) => comparePositions(one.position, other.position))
}

export function createReset(
  ids: StreamIds,
  { reason, list }: { reason: string; list: string },
  snapshot: Snapshot,
): Frame {
  const position = ids.getEnd(snapshot)
  const data = { reason, links: { list } }
  const bytes = encodeEvent('reset', position, { ids, snapshot, data })
  return { position, proposalId: null, bytes }
}

export const createChanges = (store: Store, baseUrl: string): Changes => {
  const known = new LRUCache<string, Frame>({ max: MAX_KNOWN })

  const toKey = ({ generation }: Snapshot, { proposalId, watermark }: Change): string =>
    `${generation}/${proposalId}/${watermark.position}`

  const createFrame = (
    { proposalId, watermark, position }: Change,
    row: ProposalInfoRow,
    snapshot: Snapshot,
  ) => {
    const data = {
      proposalId,
      status: row.status,
      round: getKnownRound(row),
      final: watermark.final,
      updatedAt: { height: toHeight(watermark.position) },
      links: { self: `${baseUrl}/api/proposals/${proposalId}` },
    }
    return {
      position,
      proposalId,
      bytes: encodeEvent('proposal', position, { ids: PROPOSAL_IDS, snapshot, data }),
    }
  }
  const readUnknown = async (snapshot: Snapshot, changes: readonly Change[]): Promise<void> => {
    const unknown = changes.filter((change) => !known.has(toKey(snapshot, change)))
    const ids = unknown.map(({ proposalId }) => proposalId)
    const rows = await readProposalInfo({ store, snapshot }, ids)
    const byId = new Map(rows.map((row) => [row.proposalId, row]))
    for (const change of unknown) {
      const row = byId.get(change.proposalId)
      // The row belongs to a commit in progress. Its watermark will report the change.
      if (!row || row.version > change.watermark.position) continue
      known.set(toKey(snapshot, change), createFrame(change, row, snapshot))
    }
  }
  const reset = (reason: string, snapshot: Snapshot): Frame =>
    createReset(PROPOSAL_IDS, { reason, list: `${baseUrl}/api/proposals` }, snapshot)
  return {
    ids: PROPOSAL_IDS,
    reset,
    after: async (position, snapshot) => {
      const changes = findChangesAfter(position, snapshot)
      if (changes.length === 0) return []
      if (changes.length > MAX_CHANGES) {
        return [reset(`more than ${MAX_CHANGES} proposals have changed`, snapshot)]
      }
      await readUnknown(snapshot, changes)
      return changes
        .map((change) => known.get(toKey(snapshot, change)))
        .filter((frame) => frame !== undefined)
    },
  }
}
