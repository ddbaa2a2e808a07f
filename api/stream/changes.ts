// What changed after a place, as server-sent events: from the watermarks in memory, and one question for what they do not tell.
import { LRUCache } from 'lru-cache'
import type { Store } from '../../infra/clickhouse/client.ts'
import { heightOfPosition } from '../../ingest/contract/envelope.ts'
import { knownRound } from '../read/queries/proposal-rows.ts'
import { type AboutRow, readAbout } from '../read/queries/records.ts'
import type { Snapshot, Watermark } from '../read/snapshot.ts'
import { compare, endOf, idOf, type Place } from './place.ts'

/** `proposalId` null: of concern to whoever listens to any. */
export type Frame = { place: Place; proposalId: string | null; bytes: Buffer }

export type Changes = {
  /** In order. Rejects where the store cannot be asked. */
  after(place: Place, snapshot: Snapshot): Promise<readonly Frame[]>
  /** For whoever cannot be told what was missed. */
  reset(reason: string, snapshot: Snapshot): Frame
}

/** More than these at once, and reading the list anew is the shorter way. */
const MAX_CHANGES = 1_000
const MAX_KNOWN = 2 * MAX_CHANGES

type Change = { proposalId: string; watermark: Watermark; place: Place }

const changesAfter = (after: Place, { watermarks }: Snapshot): Change[] => {
  const changes: Change[] = []
  for (const [proposalId, watermark] of watermarks) {
    const place = { position: watermark.position, proposalId: BigInt(proposalId) }
    if (compare(place, after) > 0) changes.push({ proposalId, watermark, place })
  }
  return changes.sort((one, other) => compare(one.place, other.place))
}

const bytesOf = (event: string, id: string, data: object): Buffer =>
  Buffer.from(`event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`)

export const createChanges = (store: Store, baseUrl: string): Changes => {
  const known = new LRUCache<string, Frame>({ max: MAX_KNOWN })

  const keyOf = ({ generation }: Snapshot, { proposalId, watermark }: Change): string =>
    `${generation}/${proposalId}/${watermark.position}`

  const frameOf = ({ proposalId, watermark, place }: Change, row: AboutRow, snapshot: Snapshot) => {
    const data = {
      ...{ proposalId, status: row.status, round: knownRound(row), final: watermark.final },
      updatedAt: { height: heightOfPosition(watermark.position) },
      links: { self: `${baseUrl}/api/proposals/${proposalId}` },
    }
    return { place, proposalId, bytes: bytesOf('proposal', idOf(place, snapshot), data) }
  }
  const readUnknown = async (snapshot: Snapshot, changes: readonly Change[]): Promise<void> => {
    const unknown = changes.filter((change) => !known.has(keyOf(snapshot, change)))
    const ids = unknown.map(({ proposalId }) => proposalId)
    const rows = await readAbout({ store, snapshot }, ids)
    const byId = new Map(rows.map((row) => [row.proposal_id, row]))
    for (const change of unknown) {
      const row = byId.get(change.proposalId)
      // A row of a commit that is still being written: that commit's own watermark will tell of it.
      if (!row || BigInt(row.version) > change.watermark.position) continue
      known.set(keyOf(snapshot, change), frameOf(change, row, snapshot))
    }
  }
  const reset = (reason: string, snapshot: Snapshot): Frame => {
    const place = endOf(snapshot)
    const data = { reason, links: { list: `${baseUrl}/api/proposals` } }
    return { place, proposalId: null, bytes: bytesOf('reset', idOf(place, snapshot), data) }
  }
  return {
    reset,
    after: async (place, snapshot) => {
      const changes = changesAfter(place, snapshot)
      if (changes.length === 0) return []
      if (changes.length > MAX_CHANGES) {
        return [reset(`more than ${MAX_CHANGES} proposals changed since`, snapshot)]
      }
      await readUnknown(snapshot, changes)
      return changes
        .map((change) => known.get(keyOf(snapshot, change)))
        .filter((frame) => frame !== undefined)
    },
  }
}
