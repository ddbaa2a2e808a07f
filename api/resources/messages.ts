// `GET /api/proposals/{proposalId}/messages`: the messages of one proposal in order, each with its explanation.
import { formatEventsPath } from '../read/queries/events.ts'
import { readMessages } from '../read/queries/messages.ts'
import { proposalVersion } from '../read/query.ts'
import { MESSAGE_COLUMNS, MessagePage } from '../schemas/message.ts'
import { defineList, notIssued } from './list.ts'

const MESSAGES_PER_PAGE = 100

export const proposalMessages = defineList({
  operationId: 'listProposalMessages',
  path: '/api/proposals/:proposalId/messages',
  tag: 'Proposals',
  summary: 'List the messages',
  guide: 'messages in order, each with an explanation',
  description:
    'The messages that the chain executes if the proposal passes, in order, each with its explanation; up to 100 per page. The proposal itself has only the first messages if there are very many.',
  queryParameters: ['cursor'],
  answer: MessagePage,
  paging: 'cursor',
  pageSize: MESSAGES_PER_PAGE,
  pagesPerReading: 1,
  // The index of a message.
  positionPattern: /^[1-9][0-9]{0,6}$/,
  columns: MESSAGE_COLUMNS,
  getWholePath: (_item, { proposalId }) => formatEventsPath(proposalId),
  scope: ({ proposalId }) => ['messages', proposalId],
  version: ({ proposalId }) => proposalVersion(proposalId),
  read: async (reads, { proposalId }, { start }) => {
    const from = 'position' in start ? Number(start.position) : 0
    const { items, total } = await readMessages(reads, proposalId, {
      from,
      limit: MESSAGES_PER_PAGE,
    })
    if (from > 0 && from >= total) throw notIssued()
    return {
      items,
      total,
      positionAfter: (index) => `${from + index + 1}`,
      hasMore: from + items.length < total,
      // A cursor can name any position, and a page is large.
      isUncached: from > 0,
    }
  },
})
