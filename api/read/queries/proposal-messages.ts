// Converts the messages of a proposal for responses: links to long fields, and parameter changes. Pure.
import type { ParameterChanges } from '../../../projections/contract/proposal-json.ts'
import type { ProposalRow } from '../../../projections/contract/read-model.ts'
import type { Proposal } from '../../schemas/proposal.ts'
import { formatBytesHref, type LongField } from './message-bytes.ts'

type JsonObject = Record<string, unknown>

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

const addLinks = (
  proposalId: string,
  text: string,
  fields: readonly LongField[],
): Proposal['messages'] => {
  const messages: Proposal['messages'] = JSON.parse(text)
  for (const field of fields) {
    const placeholder = resolveJsonPointer(messages[field.message], field.path)
    if (isPlaceholder(placeholder, field))
      placeholder['href'] = formatBytesHref({ proposalId, ...field })
  }
  return messages
}

/** An empty `messages` text means that it is too long for a response. Without messages the text is `[]`. */
export const toMessages = (
  { proposal_id: id, messages }: ProposalRow,
  fields: readonly LongField[],
): Pick<Proposal, 'messages' | 'messagesTruncated' | 'messagesAt'> =>
  messages === ''
    ? { messages: [], messagesTruncated: true, messagesAt: `/api/proposals/${id}/events` }
    : { messages: addLinks(id, messages, fields) }

const EARLIER_ROW: ParameterChanges = {
  changes: null,
  reason: 'an earlier version wrote this row: a rebuild of the tables compares the parameters',
}

export const toChanges = ({
  changes: text,
}: ProposalRow): Pick<Proposal, 'changes' | 'changesReason'> => {
  const { changes, reason }: ParameterChanges = text === '' ? EARLIER_ROW : JSON.parse(text)
  return { changes: changes === null ? null : [...changes], changesReason: reason }
}
