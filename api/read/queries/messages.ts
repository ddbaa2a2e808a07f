// Reads the messages of proposals with their explanations and parameter changes, and the bytes of their long fields.

import type { ParameterChanges } from '../../../projections/contract/proposal-json.ts'
import type { SelectedRow } from '../../../projections/contract/table/define-table.ts'
import type { ProposalRow } from '../../../projections/contract/tables/proposals.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import { createMessageExplainer } from '../../explain/explain.ts'
import type { Explanation } from '../../schemas/explanation.ts'
import type { ListedMessage } from '../../schemas/message.ts'
import type { Proposal } from '../../schemas/proposal.ts'
import type { DisplayUnit } from '../../words/display-unit.ts'
import { measureJson } from '../../words/shortened.ts'
import { ApiProblem } from '../problems.ts'
import { createInnerQuery, generationVersion, type Query } from '../query.ts'
import {
  buildLatestTable,
  notFound,
  READ_OPTIONS,
  requireOneState,
  requireWatermark,
  type StoreReads,
  selectRows,
} from './as-of.ts'
import { formatEventsPath } from './events.ts'

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

type JsonObject = Record<string, unknown>
type Message = Proposal['messages'][number]

const isObjectOrArray = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null

/** The value at a JSON pointer, if any. Inherited members are ignored. */
const resolveJsonPointer = (root: unknown, pointer: string): unknown => {
  const names = pointer.split('/').slice(1)
  let value = root
  for (const name of names.map((each) => each.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    if (!isObjectOrArray(value) || !Object.hasOwn(value, name)) return undefined
    value = value[name]
  }
  return value
}

/** True for the object with which ingest replaced these bytes. A message can contain a similar object of its own. */
const isPlaceholder = (value: unknown, { sha256, size }: LongField): value is JsonObject =>
  isObjectOrArray(value) &&
  Object.keys(value).length === 2 &&
  value['sha256'] === sha256 &&
  value['size'] === size

/** Changes the messages, which are those from the index `first`. */
export const addLinks = (
  proposalId: string,
  messages: readonly Message[],
  { fields, first = 0 }: { fields: readonly LongField[]; first?: number },
): void => {
  for (const field of fields) {
    const placeholder = resolveJsonPointer(messages[field.message - first], field.path)
    if (isPlaceholder(placeholder, field))
      placeholder['href'] = formatBytesHref({ proposalId, ...field })
  }
}

export const toChanges = ({
  changes: text,
}: Pick<ProposalRow, 'changes'>): Pick<Proposal, 'changes' | 'changesReason'> => {
  const { changes, reason }: ParameterChanges = JSON.parse(text)
  return { changes: changes === null ? null : [...changes], changesReason: reason }
}

export type ExplainedRow = Pick<ProposalRow, 'proposalId' | 'changes'>

/** Explains a message with its index. */
export const createExplainer = (
  row: ExplainedRow,
  displayUnit: DisplayUnit | undefined,
): ((message: unknown, index: number) => Explanation) =>
  createMessageExplainer({ ...toChanges(row), displayUnit })

/** Limit of the messages of a proposal with their explanations. The list of messages has all of them. */
const MAX_SHOWN_BYTES = 256 * 2 ** 10

/** The first messages with their explanations. An empty `messages` text means that it is too long to be read. */
export const toMessages = (
  row: ExplainedRow & Pick<ProposalRow, 'messages'>,
  {
    longFields,
    displayUnit,
  }: { longFields: readonly LongField[]; displayUnit: DisplayUnit | undefined },
): Pick<Proposal, 'messages' | 'messagesTruncated' | 'messagesAt' | 'explanations'> => {
  const all: Message[] = row.messages === '' ? [] : JSON.parse(row.messages)
  addLinks(row.proposalId, all, { fields: longFields })
  const explain = createExplainer(row, displayUnit)
  const explanations: Explanation[] = []
  let left = MAX_SHOWN_BYTES
  for (const [index, message] of all.entries()) {
    left -= measureJson(message)
    if (left < 0) break
    const explanation = explain(message, index)
    left -= measureJson(explanation)
    if (left < 0) break
    explanations.push(explanation)
  }
  const messages = all.slice(0, explanations.length)
  return row.messages !== '' && messages.length === all.length
    ? { messages, explanations }
    : {
        messages,
        messagesTruncated: true,
        messagesAt: `/api/proposals/${row.proposalId}/messages`,
        explanations,
      }
}

export type MessageRange = { from: number; limit: number }

/** Limit of the messages that are read for a page. */
const MAX_READ_BYTES = 2 ** 20

const TYPE_ALONE = `concat('{"@type":', toJSONString(leftUTF8(JSONExtractString(message, '@type'), 1000)), '}')`

const EXPLAINED = TABLES.proposals.select([
  'proposalId',
  'changes',
  'status',
  'submittedHeight',
  'submitTime',
  'version',
])

type Listed = {
  total: string
  /** The JSON of each message, and 1 if it is its type alone because the message is too large. */
  part: readonly (readonly [json: string, isTypeAlone: number])[]
}

const readRow = async (
  reads: StoreReads,
  proposalId: string,
  { from, limit }: MessageRange,
): Promise<SelectedRow<typeof EXPLAINED> & Listed> => {
  const { snapshot } = reads
  const [listed] = await selectRows<Listed>(
    reads,
    `SELECT ${EXPLAINED.sql}, total,
       arrayMap(message -> length(message) > {maxBytes:UInt64}
         ? (${TYPE_ALONE}, 1) : (message, 0),
         arrayFilter((message, end) -> end - length(message) < {maxBytes:UInt64},
           part, arrayCumSum(arrayMap(message -> length(message), part)))) AS part
     FROM (
       SELECT * EXCEPT (all), length(all) AS total, arraySlice(all, {from:UInt64} + 1, {limit:UInt64}) AS part
       FROM (
         SELECT * EXCEPT (messages), JSONExtractArrayRaw(messages) AS all
         FROM ${buildLatestTable(snapshot, TABLES.proposals)} WHERE proposal_id = {id:UInt64}
       )
     )`,
    { id: proposalId, from, limit, maxBytes: MAX_READ_BYTES },
  )
  if (!listed) throw notFound(proposalId)
  const { total, part } = listed
  const row = { ...EXPLAINED.decode(listed), total, part }
  requireOneState(row, [], snapshot)
  return row
}

/** At most `limit` messages, at least one if there is one, and the number of all messages. */
export const readMessages = async (
  reads: StoreReads & { displayUnit: DisplayUnit | undefined },
  proposalId: string,
  range: MessageRange,
): Promise<{ items: ListedMessage[]; total: number }> => {
  requireWatermark(reads.snapshot, proposalId)
  const row = await readRow(reads, proposalId, range)
  const messages: ListedMessage['message'][] = row.part.map(([json]) => JSON.parse(json))
  if (row.part.some(([json]) => json.includes('"sha256"'))) {
    const fields = await readLongFields(reads, proposalId)
    addLinks(proposalId, messages, { fields, first: range.from })
  }
  const explain = createExplainer(row, reads.displayUnit)
  const wholeAt = formatEventsPath(proposalId)
  const items = messages.map((message, n): ListedMessage => {
    const index = range.from + n
    return row.part[n]?.[1] === 1
      ? { index, message, explanation: null, truncated: true, wholeAt }
      : { index, message, explanation: explain(message, index) }
  })
  return { items, total: Number(row.total) }
}
