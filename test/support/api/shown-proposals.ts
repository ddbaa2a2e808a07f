// Invented proposals in the format of the API, for tests of its pages; a test changes single members.
import type { Static } from 'typebox'
import type { ProposalPage, ProposalSummary } from '../../../api/schemas/proposal.ts'

export const AS_OF = { chainId: 'test-1', height: 100, time: '2026-11-21T00:01:40.000Z' }

export const shownProposal = (changes: Partial<ProposalSummary> = {}): ProposalSummary => ({
  proposalId: '7',
  title: 'Raise the quorum',
  titleSource: 'proposal',
  summary: 'Why it should be raised.',
  summarySource: 'proposal',
  authors: [],
  forumUrl: null,
  metadata: '',
  proposer: 'test1proposer',
  messageTypes: ['/cosmos.gov.v1.MsgUpdateParams'],
  messageCount: 1,
  status: 'voting_period',
  outcomeReason: null,
  expedited: false,
  round: 1,
  failedReason: null,
  submitTime: '2026-11-20T00:00:00.000Z',
  depositEndTime: '2026-11-20T12:00:00.000Z',
  votingStartTime: '2026-11-20T06:00:00.000Z',
  votingEndTime: '2026-11-22T06:00:00.000Z',
  closedTime: null,
  totalDeposit: [{ denom: 'utest', amount: '500000000' }],
  submittedAt: { height: 1, txHash: 'AB'.repeat(32) },
  updatedAt: { height: 90 },
  tally: null,
  history: 'complete',
  historyReason: null,
  ...changes,
})

type Listed = Static<typeof ProposalPage>

export const shownList = (
  items: readonly ProposalSummary[],
  { links, ...changes }: { links?: Partial<Listed['links']>; baseUrl?: string } = {},
): Listed => {
  const at = (page: number) => `${changes.baseUrl ?? ''}/api/proposals?page=${page}`
  return {
    items: [...items],
    page: { number: 0, size: 20, totalItems: items.length, totalPages: 1, nextCursor: null },
    links: { self: at(0), next: null, prev: null, first: at(0), last: at(0), ...links },
    asOf: AS_OF,
  }
}
