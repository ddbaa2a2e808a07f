// `GET /api/proposals/{proposalId}/deposits`: the deposits on one proposal, oldest first.

import type { Coin } from '../../ingest/contract/facts.ts'
import { countDeposits, formatEventsPath, readDeposits } from '../read/queries/events.ts'
import { createVoteRoundsQuery } from '../read/queries/proposal-rounds.ts'
import { DEPOSIT_COLUMNS, DepositPage } from '../schemas/deposit.ts'
import { defineList, OFFSET, readByOffset } from './list.ts'
import { formatMoment } from './reading.ts'

const DEPOSITS_PER_PAGE = 100

const NOT_SUBMITTED = 'the log does not have its submission'

const formatCoins = (coins: readonly Coin[]): string =>
  coins.map(({ amount, denom }) => `${amount} ${denom}`).join(' + ') || 'nothing'

export const proposalDeposits = defineList({
  operationId: 'listProposalDeposits',
  path: '/api/proposals/:proposalId/deposits',
  tag: 'Proposals',
  summary: 'List the deposits',
  guide: 'deposits, oldest first',
  description:
    '100 deposits per page, oldest first. The first one is the deposit of the submission, if `historyReason` is null.',
  queryParameters: ['page', 'cursor'],
  answer: DepositPage,
  paging: 'numbered',
  pageSize: DEPOSITS_PER_PAGE,
  pagesPerReading: 10,
  positionPattern: OFFSET,
  columns: DEPOSIT_COLUMNS,
  getWholePath: (_item, { proposalId }) => formatEventsPath(proposalId),
  read: readByOffset(DEPOSITS_PER_PAGE, async (reads, { proposalId }, range) => {
    const [total, items, { value }] = await Promise.all([
      countDeposits(reads, proposalId),
      readDeposits(reads, proposalId, range),
      reads.use(createVoteRoundsQuery(proposalId)),
    ])
    const isComplete = value.submittedHeight !== null
    return {
      items,
      total: total === 0 && !isComplete ? null : total,
      extra: { historyReason: isComplete ? null : (value.historyReason ?? NOT_SUBMITTED) },
    }
  }),
  tool: {
    name: 'list_proposal_deposits',
    title: 'List the deposits on a proposal',
    description:
      'Lists deposits, that of the submission first. depositRequirement in get_proposal has the minimum and the missing amount.',
    lines: ({ page, historyReason: reason }) =>
      page.totalItems === null || reason === null
        ? []
        : [`Earlier deposits are not known: ${reason}.`],
    row: ({ depositor, amount, time }) =>
      `${depositor ?? 'unknown depositor'}: ${formatCoins(amount)}, ${formatMoment(time)}`,
  },
})
