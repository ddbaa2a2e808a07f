// `GET /api/proposals/{proposalId}/turnout`: the turnout of a vote over time. It has one page, because steps are bounded.
import { MAX_STEPS, readTurnout } from '../read/queries/turnout.ts'
import { TURNOUT_COLUMNS, TurnoutPage } from '../schemas/turnout.ts'
import { defineList, OFFSET, readByOffset } from './list.ts'

export const proposalTurnout = defineList({
  operationId: 'listProposalTurnout',
  path: '/api/proposals/:proposalId/turnout',
  tag: 'Proposals',
  summary: 'List the turnout over time',
  guide: 'the turnout over time, and when the quorum was reached',
  description: `The turnout over the time of one voting round, in at most ${MAX_STEPS} steps on one page. Steps without a ballot are omitted. \`quorumReached\` is the moment at which the quorum was reached. Without \`round\` the response has the current round.`,
  queryParameters: ['page', 'cursor', 'round'],
  answer: TurnoutPage,
  problems: ['round-not-found'],
  paging: 'numbered',
  pageSize: MAX_STEPS,
  pagesPerReading: 1,
  positionPattern: OFFSET,
  columns: TURNOUT_COLUMNS,
  read: readByOffset(MAX_STEPS, async (reads, args, { from, limit }) => {
    const { items, ...extra } = await readTurnout(reads, args)
    return { items: items.slice(from, from + limit), total: items.length, extra }
  }),
})
