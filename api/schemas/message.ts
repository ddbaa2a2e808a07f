// Schema of a message of a proposal in the list of its messages.
import { type Static, Type } from 'typebox'
import type { Columns } from './columns.ts'
import {
  component,
  count,
  createEnvelope,
  nullable,
  openComponent,
  PAGING,
  truncation,
} from './common.ts'
import { Explanation } from './explanation.ts'

export const Message = openComponent(
  'Message',
  { '@type': Type.String() },
  '`@type` is the type of the message, which defines the other members',
)

export const ListedMessage = component('ListedMessage', {
  index: count('Index of the message in the proposal'),
  message: Message,
  explanation: nullable(
    Explanation,
    'What the message does. Null if the message is too large to be explained',
  ),
  ...truncation,
})
export type ListedMessage = Static<typeof ListedMessage>

export const MessagePage = createEnvelope('MessagePage', ListedMessage, PAGING.cursor)

export const MESSAGE_COLUMNS: Columns<ListedMessage> = {
  index: (item) => item.index,
  type: (item) => item.message['@type'],
  title: (item) => item.explanation?.title,
  summary: (item) => item.explanation?.summary,
  message: (item) => JSON.stringify(item.message),
  truncated: (item) => item.truncated,
}
