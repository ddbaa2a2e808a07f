// Reads long fields of messages: their digests, and their bytes in chunks.
import { TABLES } from '../../../projections/contract/tables.ts'
import { ApiProblem } from '../../problem.ts'
import { createInnerQuery, generationVersion, type Query } from '../query.ts'
import { buildLatestTable, READ_OPTIONS, type StoreReads, selectRows } from './as-of.ts'
import { requireWatermark } from './known-proposal.ts'

/** `path` is a JSON pointer in the message with this index. */
export type FieldAt = { proposalId: string; message: number; path: string }

export type LongField = {
  message: number
  path: string
  sha256: string
  size: number
  chunks: number
}

export const formatBytesHref = ({ proposalId, message, path }: FieldAt): string =>
  `/api/proposals/${proposalId}/messages/${message}/bytes?path=${encodeURIComponent(path)}`

type FieldRow = { message: number; path: string; digest: string; bytes: string; chunks: number }

/** Only complete fields: an undecodable record of the log can leave a gap. */
const readFields = async (
  reads: StoreReads,
  where: string,
  params: Readonly<Record<string, unknown>>,
): Promise<LongField[]> => {
  const rows = await selectRows<FieldRow>(
    reads,
    `SELECT message, path, any(sha256) AS digest, any(size) AS bytes, max(chunks) AS chunks
     FROM (
       SELECT message, path, sha256, size, chunks FROM ${buildLatestTable(reads.snapshot, TABLES.messageBytes)}
       WHERE proposal_id = {id:UInt64} ${where}
     )
     GROUP BY message, path
     HAVING count() = chunks AND uniqExact(sha256, size) = 1
     ORDER BY message, path`,
    params,
  )
  return rows.map(({ digest, bytes, ...field }) => ({
    ...field,
    sha256: digest,
    size: Number(bytes),
  }))
}

/** The long fields of all messages of a proposal. */
export const readLongFields = (reads: StoreReads, proposalId: string): Promise<LongField[]> =>
  readFields(reads, '', { id: proposalId })

const OF_FIELD = 'AND message = {message:UInt32} AND path = {path:String}'

const createParams = ({ proposalId, message, path }: FieldAt) => ({ id: proposalId, message, path })

/** Its `read` throws `message-bytes-not-found`. */
export const createLongFieldQuery = (at: FieldAt): Query<LongField> =>
  createInnerQuery({
    name: formatBytesHref(at),
    proposalId: at.proposalId,
    version: generationVersion,
    read: async (reads) => {
      requireWatermark(reads.snapshot, at.proposalId)
      const [field] = await readFields(reads, OF_FIELD, createParams(at))
      if (field) return { value: field }
      const message = `Message ${at.message} of proposal ${at.proposalId}`
      throw new ApiProblem('message-bytes-not-found', `${message} has no bytes at this path.`)
    },
  })

/** Not cached, because a chunk needs as much memory as many responses. */
export const createBytesChunkQuery = (at: FieldAt, chunk: number): Query<Buffer> =>
  createInnerQuery({
    name: `chunk ${chunk} of ${formatBytesHref(at)}`,
    proposalId: at.proposalId,
    version: generationVersion,
    read: async ({ store, snapshot }) => {
      const value = await store.selectBytes(
        `SELECT base64Decode(bytes) FROM ${buildLatestTable(snapshot, TABLES.messageBytes)}
         WHERE proposal_id = {id:UInt64} ${OF_FIELD} AND chunk = {chunk:UInt32} FORMAT RawBLOB`,
        { ...createParams(at), chunk },
        READ_OPTIONS,
      )
      return { value, isUncached: true }
    },
  })
