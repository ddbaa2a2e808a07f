// The three operations on proposals: what their parameters mean.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createListForm } from '../formats/list-formats.ts'
import { createProposalDetail } from '../page-kinds/proposal-detail.ts'
import {
  createProposalList,
  LIST_POSITION,
  type ListStart,
  listScope,
} from '../page-kinds/proposal-list.ts'
import { createProposalPage } from '../page-kinds/proposal-page.ts'
import {
  createVotesReader,
  VOTES_POSITION,
  type VotesWish,
  votesScope,
} from '../page-kinds/votes.ts'
import { followed, type PageSources } from '../pages/page-kind.ts'
import { decodeCursor } from '../request/cursor.ts'
import { pageNumber, type Query, readQuery } from '../request/parameters.ts'
import { canonical } from './canonical-id.ts'
import {
  addPageRoutes,
  type PageOperation,
  type PageRequest,
  type PageRoutes,
  type Wish,
} from './page-routes.ts'

type Asked = FastifyRequest<{ Params: { proposalId: string } }>

const statusesOf = (raw: string | undefined) =>
  raw === undefined ? undefined : [...new Set(raw.split(','))].sort()

export const createProposalWishes = (sources: PageSources & Pick<PageRoutes, 'rounds'>) => {
  const { store, baseUrl, rounds } = sources
  const list = createProposalList(sources)
  const votes = createVotesReader(store, baseUrl, rounds)
  const detail = createProposalDetail(store, votes)
  const page = createProposalPage(sources, votes, rounds)
  return {
    listProposals: (request: PageRequest): Wish => {
      const query = readQuery(request.query as Query, ['page', 'cursor', 'status', 'proposer', 'q'])
      const filter = { statuses: statusesOf(query.status), proposer: query.proposer, text: query.q }
      const cursor = query.cursor
        ? decodeCursor(query.cursor, listScope(filter), LIST_POSITION)
        : undefined
      const start: ListStart = cursor ? { below: cursor.at } : { page: pageNumber(query.page) }
      return { kind: followed(list({ filter, start }), cursor) }
    },
    getProposal: (request: PageRequest): Wish => {
      const at = canonical((request as Asked).params.proposalId, request.url)
      readQuery(request.query as Query, [])
      return 'location' in at ? at : { kind: detail(at.id) }
    },
    /** As people read it: with a page of one round's votes, by number. */
    getProposalPage: (request: PageRequest): Wish => {
      const at = canonical((request as Asked).params.proposalId, request.url)
      const query = readQuery(request.query as Query, ['page', 'round'])
      if ('location' in at) return at
      const round = query.round === undefined ? undefined : Number(query.round)
      return { kind: page({ proposalId: at.id, round, page: pageNumber(query.page) }) }
    },
    listProposalVotes: (request: PageRequest): Wish => {
      const at = canonical((request as Asked).params.proposalId, request.url)
      const query = readQuery(request.query as Query, ['page', 'cursor', 'round'])
      if ('location' in at) return at
      const round = query.round === undefined ? undefined : Number(query.round)
      const vote = { proposalId: at.id, round }
      const cursor = query.cursor
        ? decodeCursor(query.cursor, votesScope(vote), VOTES_POSITION)
        : undefined
      const start: VotesWish['start'] = cursor
        ? { rank: Number(cursor.at) }
        : { page: pageNumber(query.page) }
      return { kind: followed(votes.kind({ ...vote, start }), cursor) }
    },
  }
}

export const addProposalRoutes = (app: FastifyInstance, options: PageRoutes): void => {
  const { listProposals, getProposal, listProposalVotes } = createProposalWishes(options)
  const operations: Record<string, PageOperation> = {
    listProposals: {
      path: '/api/proposals',
      wish: listProposals,
      form: createListForm('listProposals'),
    },
    getProposal: { path: '/api/proposals/:proposalId', wish: getProposal },
    listProposalVotes: {
      path: '/api/proposals/:proposalId/votes',
      wish: listProposalVotes,
      form: createListForm('listProposalVotes'),
    },
  }
  addPageRoutes(app, options, operations)
}
