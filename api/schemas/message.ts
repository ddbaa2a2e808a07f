// Schema of a message of a proposal in the list of its messages.
import { type Static, Type } from 'typebox'
import type { Columns } from './columns.ts'
import { createCursorEnvelope, nullable, truncation } from './common.ts'
import { Explanation } from './explanation.ts'

export const Message = Type.Object(
  { '@type': Type.String() },
  {
    title: 'Message',
    additionalProperties: true,
    description: '`@type` is the type of the message, which defines the other members',
  },
)

export const ListedMessage = Type.Object(
  {
    index: Type.Integer({ minimum: 0, description: 'Index of the message in the proposal' }),
    message: Message,
    explanation: nullable(Explanation, {
      description: 'What the message does. Null if the message is too large to be explained',
    }),
    ...truncation,
  },
  { title: 'ListedMessage' },
)
export type ListedMessage = Static<typeof ListedMessage>

export const MessagePage = createCursorEnvelope('MessagePage', ListedMessage)

export const MESSAGE_COLUMNS: Columns<ListedMessage> = {
  index: (item) => item.index,
  type: (item) => item.message['@type'],
  title: (item) => item.explanation?.title,
  summary: (item) => item.explanation?.summary,
  message: (item) => JSON.stringify(item.message),
  truncated: (item) => item.truncated,
}
