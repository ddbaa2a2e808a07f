// What changed after a place, as server-sent events: from the watermarks in memory, and one question for what they do not tell.
import { LRUCache } from 'lru-cache'
import type { Store } from '../../infra/clickhouse/client.ts'
import { heightOfPosition } from '../../ingest/contract/envelope.ts'
import { type AboutRow, readAbout } from '../queries/list-records.ts'
import { knownRound } from '../queries/proposal-rows.ts'
import type { Served, Watermark } from '../served/served.ts'
import { compare, endOf, idOf, type Place } from './place.ts'

/** `proposalId` null: of concern to whoever listens to any. */
export type Frame = { place: Place; proposalId: string | null; bytes: Buffer }

export type Changes = {
  /** In order. Rejects where the store cannot be asked. */
  after(place: Place, served: Served): Promise<readonly Frame[]>
  /** For whoever cannot be told what was missed. */
  reset(reason: string, served: Served): Frame
}

/** More than these at once, and reading the list anew is the shorter way. */
const MAX_CHANGES = 1_000
const MAX_KNOWN = 2 * MAX_CHANGES

type Change = { proposalId: string; watermark: Watermark; place: Place }

const changesAfter = (after: Place, { watermarks }: Served): Change[] => {
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

  const keyOf = ({ generation }: Served, { proposalId, watermark }: Change): string =>
    `${generation}/${proposalId}/${watermark.position}`

  const frameOf = ({ proposalId, watermark, place }: Change, row: AboutRow, served: Served) => {
    const data = {
      ...{ proposalId, status: row.status, round: knownRound(row), final: watermark.final },
      updatedAt: { height: heightOfPosition(watermark.position) },
      links: { self: `${baseUrl}/api/proposals/${proposalId}` },
    }
    return { place, proposalId, bytes: bytesOf('proposal', idOf(place, served), data) }
  }
  const readUnknown = async (served: Served, changes: readonly Change[]): Promise<void> => {
    const unknown = changes.filter((change) => !known.has(keyOf(served, change)))
    const ids = unknown.map(({ proposalId }) => proposalId)
    const rows = await readAbout({ store, served }, ids)
    const byId = new Map(rows.map((row) => [row.proposal_id, row]))
    for (const change of unknown) {
      const row = byId.get(change.proposalId)
      // A row of a commit that is still being written: that commit's own watermark will tell of it.
      if (!row || BigInt(row.version) > change.watermark.position) continue
      known.set(keyOf(served, change), frameOf(change, row, served))
    }
  }
  const reset = (reason: string, served: Served): Frame => {
    const place = endOf(served)
    const data = { reason, links: { list: `${baseUrl}/api/proposals` } }
    return { place, proposalId: null, bytes: bytesOf('reset', idOf(place, served), data) }
  }
  return {
    reset,
    after: async (place, served) => {
      const changes = changesAfter(place, served)
      if (changes.length === 0) return []
      if (changes.length > MAX_CHANGES) {
        return [reset(`more than ${MAX_CHANGES} proposals changed since`, served)]
      }
      await readUnknown(served, changes)
      return changes
        .map((change) => known.get(keyOf(served, change)))
        .filter((frame) => frame !== undefined)
    },
  }
}
