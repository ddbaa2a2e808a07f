// Reads a part of the messages of a proposal. The store splits their JSON, because all of them can have many megabytes.
import type { SelectedRow } from '../../../projections/contract/table/define-table.ts'
import { TABLES } from '../../../projections/contract/tables.ts'
import type { DisplayUnit } from '../../display-unit.ts'
import type { ListedMessage } from '../../schemas/message.ts'
import { buildLatestTable, requireOneState, type StoreReads, selectRows } from './as-of.ts'
import { formatEventsPath } from './events.ts'
import { notFound, requireWatermark } from './known-proposal.ts'
import { readLongFields } from './message-bytes.ts'
import { addLinks, createExplainer } from './proposal-messages.ts'

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
