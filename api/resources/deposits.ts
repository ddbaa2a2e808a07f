// `GET /api/proposals/{proposalId}/deposits`: the deposits on one proposal, oldest first.
import type { Static } from 'typebox'
import { countDeposits, readDeposits } from '../read/queries/deposits.ts'
import { proposalVersion } from '../read/query.ts'
import { DEPOSIT_COLUMNS, type Deposit, DepositPage } from '../schemas/deposit.ts'
import { notIssued } from './cursor.ts'
import { defineList } from './list.ts'
import { PROPOSAL_PROBLEMS } from './operation.ts'

const DEPOSITS_PER_PAGE = 100

export const proposalDeposits = defineList<
  Deposit,
  Static<typeof DepositPage>,
  'proposalId',
  'page' | 'cursor'
>({
  operationId: 'listProposalDeposits',
  path: '/api/proposals/:proposalId/deposits',
  tag: 'Proposals',
  summary: 'List the deposits',
  description:
    '100 deposits per page, oldest first. The first one is the deposit of the submission.',
  pathParameters: ['proposalId'],
  queryParameters: ['page', 'cursor'],
  answer: DepositPage,
  problems: [...PROPOSAL_PROBLEMS, 'cursor-expired'],
  paging: 'numbered',
  pageSize: DEPOSITS_PER_PAGE,
  pagesPerReading: 10,
  // A page begins at a multiple of its size, because deposits are never removed from the list.
  positionPattern: /^[1-9][0-9]{0,6}00$/,
  columns: DEPOSIT_COLUMNS,
  scope: ({ proposalId }) => ['deposits', proposalId],
  version: ({ proposalId }) => proposalVersion(proposalId),
  read: async (reads, { proposalId }, { start, limit }) => {
    const from = 'position' in start ? Number(start.position) : start.page * DEPOSITS_PER_PAGE
    const [total, items] = await Promise.all([
      countDeposits(reads, proposalId),
      readDeposits(reads, { proposalId, from, limit }),
    ])
    if ('position' in start && from >= total) throw notIssued()
    return {
      items,
      total,
      getPositionAfter: (count) => (from + count < total ? `${from + count}` : null),
      consistency: 'consistent',
    }
  },
})
