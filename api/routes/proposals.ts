// The three operations on proposals: reads their parameters, finds or reads the page, sends it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Store } from '../../infra/clickhouse/client.ts'
import type { ApiMetrics } from '../api-metrics.ts'
import { decodeCursor } from '../cursor.ts'
import type { HotPages } from '../hot-pages.ts'
import { proposalDetail } from '../page-kinds/proposal-detail.ts'
import { createProposalList, type ListStart, listScope } from '../page-kinds/proposal-list.ts'
import { createVotesReader, notFound, type VotesWish, votesScope } from '../page-kinds/votes.ts'
import type { PageKind, Pages } from '../pages.ts'
import { pageNumber, type Query, readProposalId, readQuery } from '../parameters.ts'
import { commonHeaders } from '../plugins/headers.ts'
import { sendPage } from '../send-page.ts'

export type ProposalRoutes = {
  store: Store
  pages: Pages
  baseUrl: string
  metrics: ApiMetrics
  hotPages: HotPages
}

type Asked = FastifyRequest<{ Params: { proposalId: string } }>
/** A page, or where the same page is under its canonical id. */
type Wish = { kind: PageKind } | { location: string }

/** Addresses are asked for again and again: each is read once. */
const MAX_ADDRESSES = 10_000

const statusesOf = (raw: string | undefined) =>
  raw === undefined ? undefined : [...new Set(raw.split(','))].sort()

const canonical = (raw: string, url: string): { id: string } | { location: string } => {
  const read = readProposalId(raw)
  if (read.kind === 'unknown') throw notFound(raw)
  if (read.kind === 'id') return { id: read.id }
  return { location: url.replace(raw, read.id) }
}

const createWishes = ({ store, baseUrl }: ProposalRoutes) => {
  const list = createProposalList(store, baseUrl)
  const votes = createVotesReader(store, baseUrl)
  return {
    listProposals: (request: FastifyRequest): Wish => {
      const query = readQuery(request.query as Query, ['page', 'cursor', 'status', 'proposer', 'q'])
      const filter = { statuses: statusesOf(query.status), proposer: query.proposer, text: query.q }
      const start: ListStart =
        query.cursor === undefined
          ? { page: pageNumber(query.page) }
          : { below: decodeCursor(query.cursor, listScope(filter)).at }
      return { kind: list({ filter, start }) }
    },
    getProposal: (request: FastifyRequest): Wish => {
      const at = canonical((request as Asked).params.proposalId, request.url)
      readQuery(request.query as Query, [])
      return 'location' in at ? at : { kind: proposalDetail(votes, at.id) }
    },
    listProposalVotes: (request: FastifyRequest): Wish => {
      const at = canonical((request as Asked).params.proposalId, request.url)
      const query = readQuery(request.query as Query, ['page', 'cursor', 'round'])
      if ('location' in at) return at
      const round = query.round === undefined ? undefined : Number(query.round)
      const vote = { proposalId: at.id, round }
      const start: VotesWish['start'] =
        query.cursor === undefined
          ? { page: pageNumber(query.page) }
          : { rank: Number(decodeCursor(query.cursor, votesScope(vote)).at) }
      return { kind: votes.kind({ ...vote, start }) }
    },
  }
}

type Operation = keyof ReturnType<typeof createWishes>

const PATHS: Record<Operation, string> = {
  listProposals: '/api/proposals',
  getProposal: '/api/proposals/:proposalId',
  listProposalVotes: '/api/proposals/:proposalId/votes',
}

export const addProposalRoutes = (app: FastifyInstance, options: ProposalRoutes): void => {
  const { pages, metrics, hotPages } = options
  const wishes = createWishes(options)
  const known = new LRUCache<string, Wish>({ max: MAX_ADDRESSES })

  const wishOf = (operation: Operation, request: FastifyRequest): Wish => {
    const found = known.get(request.url)
    if (found) return found
    const wish = wishes[operation](request)
    known.set(request.url, wish)
    return wish
  }
  const redirect = (location: string, request: FastifyRequest, reply: FastifyReply) =>
    reply
      .code(308)
      .headers({ ...commonHeaders(request), location, 'cache-control': 'public, max-age=86400' })
      .send()

  for (const operation of Object.keys(PATHS) as Operation[]) {
    const answered = metrics.answers(operation)
    app.get(PATHS[operation], { config: { operation } }, (request, reply) => {
      const wish = wishOf(operation, request)
      if ('location' in wish) {
        answered(308)
        return redirect(wish.location, request, reply)
      }
      const held = pages.find(wish.kind)
      if (held) {
        metrics.hit()
        hotPages.remember(request.url, { answered: held, count: answered })
        answered(sendPage(held, request, reply))
        return reply
      }
      return pages.get(wish.kind).then((page) => {
        answered(sendPage(page, request, reply))
        return reply
      })
    })
  }
}
