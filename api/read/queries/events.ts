// Reads the events of proposals: in order as stored JSON, one alone, the deposits among them, and the evidence of a tally.
import { toHeight, toPosition } from '../../../ingest/contract/envelope.ts'
import type { EventOf } from '../../../ingest/contract/events.ts'
import type { Coin } from '../../../ingest/contract/facts.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { Timestamp } from '../../../projections/contract/timestamps.ts'
import type { Deposit } from '../../schemas/deposit.ts'
import { ApiProblem } from '../problems.ts'
import { createInnerQuery, generationVersion, type Query } from '../query.ts'
import type { Snapshot } from '../snapshot.ts'
import { READ_OPTIONS, requireWatermark, type StoreReads, selectRows } from './as-of.ts'
import { formatTimestamp } from './values.ts'

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

const toParams = ({ proposalId, from, before }: EventSpan) => ({ id: proposalId, from, before })

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
    { ...toParams(span), most },
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
    { ...toParams({ ...span, before }), maxBytes },
  )
  const events = rows.map(({ text, size, ...row }) => ({ ...row, event: text, size: Number(size) }))
  return { events, hasMore: hasMore || events.length < positions.length }
}

/** Events before a position. FINAL is cheap, because it only merges rows of recent redeliveries. */
export const createEventCountQuery = (proposalId: string, before: string): Query<number> =>
  createInnerQuery({
    name: `events of ${proposalId} before ${before}`,
    proposalId,
    version: generationVersion,
    read: async (reads) => {
      const [row] = await selectRows<{ total: string }>(
        reads,
        `SELECT count() AS total FROM ${reads.snapshot.database}.${TABLES.events.name} FINAL WHERE ${WITHIN}`,
        toParams({ proposalId, from: '0', before }),
      )
      return { value: Number(row?.total ?? 0) }
    },
  })

export type EventAt = { proposalId: string; height: string; index: string }
export type EventSize = { sha256: string; size: number; chunks: number }

const CHUNK_BYTES = 384 * 2 ** 10
/** A larger index would be a position in a later height. */
const MAX_INDEX = 2 ** 32 - 1

const nameEvent = ({ proposalId, height, index }: EventAt): string =>
  `event ${height}/${index} of ${proposalId}`

const findPosition = ({ height, index }: EventAt): bigint =>
  toPosition({ height: Number(height), index: Number(index) })

/** Rows of a redelivery are equal. */
const buildSelection = (snapshot: Snapshot, columns: string): string =>
  `SELECT ${columns} FROM ${snapshot.database}.${TABLES.events.name}
   WHERE proposal_id = {id:UInt64} AND position = {position:UInt64} LIMIT 1`

const toEventParams = (at: EventAt) => ({ id: at.proposalId, position: `${findPosition(at)}` })

/** Its `read` throws `event-not-found`. */
export const createEventSizeQuery = (at: EventAt): Query<EventSize> =>
  createInnerQuery({
    name: nameEvent(at),
    proposalId: at.proposalId,
    version: generationVersion,
    read: async (reads) => {
      const { snapshot } = reads
      const isServed =
        findPosition(at) < BigInt(getEventsEnd(snapshot, at.proposalId)) &&
        Number(at.index) <= MAX_INDEX
      const columns = 'lower(hex(SHA256(event))) AS sha256, length(event) AS size'
      const [row] = isServed
        ? await selectRows<{ sha256: string; size: string }>(
            reads,
            buildSelection(snapshot, columns),
            toEventParams(at),
          )
        : []
      if (!row) {
        const detail = `Proposal ${at.proposalId} has no event ${at.height}/${at.index}.`
        throw new ApiProblem('event-not-found', detail)
      }
      const size = Number(row.size)
      return { value: { sha256: row.sha256, size, chunks: Math.ceil(size / CHUNK_BYTES) } }
    },
  })

/** Not cached, because a chunk needs as much memory as many responses. */
export const createEventChunkQuery = (at: EventAt, chunk: number): Query<Buffer> =>
  createInnerQuery({
    name: `chunk ${chunk} of ${nameEvent(at)}`,
    proposalId: at.proposalId,
    version: generationVersion,
    read: async ({ store, snapshot }) => {
      const value = await store.selectBytes(
        `${buildSelection(snapshot, 'substring(event, {from:UInt64}, {bytes:UInt64})')} FORMAT RawBLOB`,
        { ...toEventParams(at), from: chunk * CHUNK_BYTES + 1, bytes: CHUNK_BYTES },
        READ_OPTIONS,
      )
      return { value, isUncached: true }
    },
  })

type DepositRow = {
  id: string
  height: string
  time: Timestamp
  depositor: string | null
  depositor_reason: string | null
  amount: readonly Coin[]
  tx_hash: string | null
}

const buildFromClause = ({ snapshot }: StoreReads): string =>
  `FROM ${snapshot.database}.${TABLES.events.name}
   WHERE proposal_id = {id:UInt64} AND position < {before:UInt64}
     AND type = 'rollcall.proposal.deposited.v1'`

const toDepositParams = ({ snapshot }: StoreReads, proposalId: string) => ({
  id: proposalId,
  before: getEventsEnd(snapshot, proposalId),
})

const toDeposit = (row: DepositRow): Deposit => ({
  depositor: row.depositor,
  depositorReason: row.depositor_reason,
  amount: [...row.amount],
  height: Number(row.height),
  time: formatTimestamp(row.time),
  txHash: row.tx_hash,
  eventId: row.id,
})

/** Repeated deliveries repeat rows, so each position is counted once. */
export const countDeposits = async (reads: StoreReads, proposalId: string): Promise<number> => {
  const [row] = await selectRows<{ total: string }>(
    reads,
    `SELECT uniqExact(position) AS total ${buildFromClause(reads)}`,
    toDepositParams(reads, proposalId),
  )
  return Number(row?.total ?? 0)
}

export const readDeposits = async (
  reads: StoreReads,
  proposalId: string,
  range: { from: number; limit: number },
): Promise<Deposit[]> => {
  const rows = await selectRows<DepositRow>(
    reads,
    `SELECT
       id, height, time,
       JSONExtract(event, 'data', 'depositor', 'Nullable(String)') AS depositor,
       JSONExtract(event, 'data', 'depositorReason', 'Nullable(String)') AS depositor_reason,
       JSONExtract(event, 'data', 'amount', 'Array(Tuple(denom String, amount String))') AS amount,
       JSONExtract(event, 'data', 'txHash', 'Nullable(String)') AS tx_hash
     FROM (
       SELECT position, id, height, time, event ${buildFromClause(reads)}
       ORDER BY position LIMIT 1 BY position LIMIT {from:UInt64}, {limit:UInt64}
     )
     ORDER BY position`,
    { ...toDepositParams(reads, proposalId), ...range },
  )
  return rows.map(toDeposit)
}

type RoundRead = EventOf<'rollcall.round.read.v1'>

/** A chunk of the reading as of the tally. */
export type EvidenceChunk = RoundRead['data'] & { position: bigint }

/**
 * Evidence has the height that ended the round: a short range of the events of the proposal. Both rounds of a reconstructed vote
 * have one height.
 */
export type EvidenceSpan = { proposalId: string; round: number; height: number }

const READING: RoundRead['type'] = 'rollcall.round.read.v1'

type ChunkRow = { position: string; event: string }

const CONDITION = `proposal_id = {id:UInt64} AND type = '${READING}' AND JSONExtractBool(event, 'data', 'final')
  AND position >= {from:UInt64} AND position < {before:UInt64}
  AND greatest(JSONExtractUInt(event, 'data', 'round'), 1) = {round:UInt16}`

const toSpanParams = ({ proposalId, round, height }: EvidenceSpan, from: bigint | undefined) => ({
  id: proposalId,
  round,
  from: (from ?? toPosition({ height, index: 0 })).toString(),
  before: toPosition({ height: height + 1, index: 0 }).toString(),
})

/** At most `limit` chunks, starting at a position. */
export const readChunks = async (
  reads: StoreReads,
  span: EvidenceSpan,
  { from, limit }: { from: bigint | undefined; limit: number },
): Promise<EvidenceChunk[]> => {
  const rows = await selectRows<ChunkRow>(
    reads,
    `SELECT position, event FROM ${reads.snapshot.database}.${TABLES.events.name} WHERE ${CONDITION}
     ORDER BY proposal_id, position LIMIT 1 BY position LIMIT {limit:UInt64}`,
    { ...toSpanParams(span, from), limit },
  )
  return rows.map(({ position, event }): EvidenceChunk => {
    const { data } = JSON.parse(event) as RoundRead
    return { ...data, position: BigInt(position) }
  })
}

/** The number of ballots in incomplete evidence. No row has this number. */
export const createEvidenceBallotsQuery = (span: EvidenceSpan): Query<number> =>
  createInnerQuery({
    name: `evidence of ${span.proposalId}/${span.round}`,
    proposalId: span.proposalId,
    version: generationVersion,
    read: async (reads) => {
      const [row] = await selectRows<{ total: string }>(
        reads,
        `SELECT sum(JSONLength(event, 'data', 'ballots')) AS total
         FROM ${reads.snapshot.database}.${TABLES.events.name} FINAL WHERE ${CONDITION}`,
        toSpanParams(span, undefined),
      )
      return { value: Number(row?.total ?? 0) }
    },
  })
