// Reads one event of a proposal: its size and digest, and its stored JSON in chunks.
import { toPosition } from '../../../ingest/contract/envelope.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { ApiProblem } from '../../problem.ts'
import { createInnerQuery, generationVersion, type Query } from '../query.ts'
import type { Snapshot } from '../snapshot.ts'
import { READ_OPTIONS, selectRows } from './as-of.ts'
import { getEventsEnd } from './events.ts'

export type EventAt = { proposalId: string; height: string; index: string }
export type EventSize = { sha256: string; size: number; chunks: number }

const CHUNK_BYTES = 384 * 2 ** 10
/** A larger index would be a position in a later height. */
const MAX_INDEX = 2 ** 32 - 1

const formatName = ({ proposalId, height, index }: EventAt): string =>
  `event ${height}/${index} of ${proposalId}`

const findPosition = ({ height, index }: EventAt): bigint =>
  toPosition({ height: Number(height), index: Number(index) })

/** Rows of a redelivery are equal. */
const buildSelection = (snapshot: Snapshot, columns: string): string =>
  `SELECT ${columns} FROM ${snapshot.database}.${TABLES.events.name}
   WHERE proposal_id = {id:UInt64} AND position = {position:UInt64} LIMIT 1`

const createParams = (at: EventAt) => ({ id: at.proposalId, position: `${findPosition(at)}` })

/** Its `read` throws `event-not-found`. */
export const createEventSizeQuery = (at: EventAt): Query<EventSize> =>
  createInnerQuery({
    name: formatName(at),
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
            createParams(at),
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
    name: `chunk ${chunk} of ${formatName(at)}`,
    proposalId: at.proposalId,
    version: generationVersion,
    read: async ({ store, snapshot }) => {
      const value = await store.selectBytes(
        `${buildSelection(snapshot, 'substring(event, {from:UInt64}, {bytes:UInt64})')} FORMAT RawBLOB`,
        { ...createParams(at), from: chunk * CHUNK_BYTES + 1, bytes: CHUNK_BYTES },
        READ_OPTIONS,
      )
      return { value, isUncached: true }
    },
  })
