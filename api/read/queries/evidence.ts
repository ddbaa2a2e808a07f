// Reads the chunks of evidence of one round in order.
import { toPosition } from '../../../ingest/contract/envelope.ts'
import type { EventOf } from '../../../ingest/contract/events.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { createInnerQuery, generationVersion, type Query } from '../query.ts'
import { type StoreReads, selectRows } from './as-of.ts'

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

const createParams = ({ proposalId, round, height }: EvidenceSpan, from: bigint | undefined) => ({
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
    { ...createParams(span, from), limit },
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
        createParams(span, undefined),
      )
      return { value: Number(row?.total ?? 0) }
    },
  })
