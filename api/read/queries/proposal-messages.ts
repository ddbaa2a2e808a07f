// Converts the messages of a proposal for responses: links to long fields, explanations, and parameter changes. Pure.
import type { ParameterChanges } from '../../../projections/contract/proposal-json.ts'
import type { ProposalRow } from '../../../projections/contract/tables/proposals.ts'
import type { DisplayUnit } from '../../display-unit.ts'
import { createMessageExplainer } from '../../explain/explain.ts'
import type { Explanation } from '../../schemas/explanation.ts'
import type { Proposal } from '../../schemas/proposal.ts'
import { measureJson } from '../../shortened.ts'
import { formatBytesHref, type LongField } from './message-bytes.ts'

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
