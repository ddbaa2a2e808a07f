// Reads the events of one proposal in order as stored JSON, and their number.
import { toHeight, toPosition } from '../../../ingest/contract/envelope.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { createInnerQuery, generationVersion, type Query } from '../query.ts'
import type { Snapshot } from '../snapshot.ts'
import { type StoreReads, selectRows } from './as-of.ts'
import { requireWatermark } from './known-proposal.ts'

/** The events of a proposal have all of its texts and messages. */
export const formatEventsPath = (proposalId: string): string =>
  `/api/proposals/${proposalId}/events`

/** Heights are committed as a whole, so all events up to the height of the snapshot are present. */
export const getEventsEnd = (snapshot: Snapshot, proposalId: string): string => {
  const watermark = requireWatermark(snapshot, proposalId)
  const height = watermark.final ? toHeight(watermark.position) : snapshot.height
  return toPosition({ height: height + 1, index: 0 }).toString()
}

/** `size` is that of the stored JSON. */
export type StoredEvent = { position: string; event: string; size: number }

/** Positions `from` ≤ position < `before`. */
export type EventSpan = { proposalId: string; from: string; before: string }
export type EventLimits = { limit: number; maxBytes: number }

const WITHIN = `proposal_id = {id:UInt64}
  AND position >= {from:UInt64} AND position < {before:UInt64}`

const createParams = ({ proposalId, from, before }: EventSpan) => ({ id: proposalId, from, before })

/** A redelivery after a crash repeats few rows, which are merged soon. With more repeats, a page is only shorter. */
const REPEATS = 2

/** The positions of up to `limit` events, and whether more events follow. */
const readPositions = async (
  reads: StoreReads,
  span: EventSpan,
  limit: number,
): Promise<{ positions: string[]; hasMore: boolean }> => {
  const most = REPEATS * limit + 1
  const rows = await selectRows<{ position: string }>(
    reads,
    `SELECT position FROM ${reads.snapshot.database}.${TABLES.events.name} WHERE ${WITHIN}
     ORDER BY proposal_id, position LIMIT {most:UInt64}`,
    { ...createParams(span), most },
  )
  const positions = [...new Set(rows.map(({ position }) => position))]
  const hasMore = positions.length > limit || rows.length === most
  return { positions: positions.slice(0, limit), hasMore }
}

/** The event without the members of its data. */
const ENVELOPE = `concat('{', arrayStringConcat(
  arrayMap(
    member -> concat(toJSONString(member.1), ':', member.2),
    arrayFilter(member -> member.1 != 'data', JSONExtractKeysAndValuesRaw(event))
  ), ','), ',"data":{}}')`

/**
 * Returns at most `limit` events and `maxBytes` bytes, but at least one event, because events can be large. An event of more
 * than `maxBytes` is read without its data. Repeated rows are equal, so they are skipped without FINAL.
 */
export const readEvents = async (
  reads: StoreReads,
  span: EventSpan,
  { limit, maxBytes }: EventLimits,
): Promise<{ events: StoredEvent[]; hasMore: boolean }> => {
  const { positions, hasMore } = await readPositions(reads, span, limit)
  const last = positions.at(-1)
  if (last === undefined) return { events: [], hasMore: false }
  const before = (BigInt(last) + 1n).toString()
  const rows = await selectRows<{ position: string; text: string; size: string }>(
    reads,
    `SELECT position, if(size > {maxBytes:UInt64}, ${ENVELOPE}, event) AS text, size FROM (
       SELECT position, event, length(event) AS size, sum(size) OVER (ORDER BY position) - size AS bytes
       FROM (
         SELECT position, event FROM ${reads.snapshot.database}.${TABLES.events.name} WHERE ${WITHIN}
         ORDER BY position LIMIT 1 BY position
       )
     )
     WHERE bytes < {maxBytes:UInt64} ORDER BY position`,
    { ...createParams({ ...span, before }), maxBytes },
  )
  const events = rows.map(({ text, size, ...row }) => ({ ...row, event: text, size: Number(size) }))
  return { events, hasMore: hasMore || events.length < positions.length }
}

/** FINAL is cheap, because it only merges rows of recent redeliveries. */
const countEvents = async (reads: StoreReads, span: EventSpan): Promise<number> => {
  const [row] = await selectRows<{ total: string }>(
    reads,
    `SELECT count() AS total FROM ${reads.snapshot.database}.${TABLES.events.name} FINAL WHERE ${WITHIN}`,
    createParams(span),
  )
  return Number(row?.total ?? 0)
}

type Counted = { before: string; total: number }

/** Counts events before a position. After the first count, only newer events are counted. */
export const createEventCountQuery = (proposalId: string, before: string): Query<number> =>
  createInnerQuery({
    name: `events of ${proposalId} before ${before}`,
    proposalId,
    version: generationVersion,
    read: async (reads) => {
      const key = `last event count of ${proposalId} ${reads.snapshot.generation}`
      const counted = reads.cached<Counted>(key)
      const isEarlier = counted !== undefined && BigInt(counted.before) <= BigInt(before)
      const known = isEarlier ? counted : { before: '0', total: 0 }
      const span = { proposalId, from: known.before, before }
      const since = known.before === before ? 0 : await countEvents(reads, span)
      const value = known.total + since
      const ahead = new Map([[key, { before, total: value }]])
      return { value, isUncached: true, ahead }
    },
  })
