// `GET /api/proposals/{proposalId}/deposits`: the deposits on one proposal, oldest first.

import { countDeposits, readDeposits } from '../read/queries/deposits.ts'
import { formatEventsPath } from '../read/queries/events.ts'
import { proposalVersion } from '../read/query.ts'
import { DEPOSIT_COLUMNS, DepositPage } from '../schemas/deposit.ts'
import { defineList } from './list.ts'
import { HUNDREDS, readByOffset } from './offsets.ts'

const DEPOSITS_PER_PAGE = 100

export const proposalDeposits = defineList({
  operationId: 'listProposalDeposits',
  path: '/api/proposals/:proposalId/deposits',
  tag: 'Proposals',
  summary: 'List the deposits',
  description:
    '100 deposits per page, oldest first. The first one is the deposit of the submission.',
  queryParameters: ['page', 'cursor'],
  answer: DepositPage,
  paging: 'numbered',
  pageSize: DEPOSITS_PER_PAGE,
  pagesPerReading: 10,
  positionPattern: HUNDREDS,
  columns: DEPOSIT_COLUMNS,
  getWholePath: (_item, { proposalId }) => formatEventsPath(proposalId),
  scope: ({ proposalId }) => ['deposits', proposalId],
  version: ({ proposalId }) => proposalVersion(proposalId),
  read: readByOffset(DEPOSITS_PER_PAGE, async (reads, { proposalId }, range) => {
    const [total, items] = await Promise.all([
      countDeposits(reads, proposalId),
      readDeposits(reads, proposalId, range),
    ])
    return { items, total }
  }),
})
