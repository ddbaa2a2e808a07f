// The addresses that people and their agents open: each is a resource in HTML or Markdown, as `Accept` has it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { homeLinks } from '../../discovery/links.ts'
import type { DisplayUnit } from '../../display-unit.ts'
import type { Rendered } from '../../formats/rows.ts'
import { HTML, HTML_FIELDS } from '../../html/renderers.ts'
import { MARKDOWN } from '../../markdown/renderers.ts'
import { type ApiProblem, PROBLEMS, problemBody } from '../../problem.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { healthOf } from '../../resources/health.ts'
import { homeQuery } from '../../resources/home.ts'
import { lookUp } from '../../resources/look-up.ts'
import type { Asks } from '../../resources/operation.ts'
import type { PageAt, PageData, PageName } from '../../resources/page-data.ts'
import { poolVotes } from '../../resources/pool-votes.ts'
import { pools } from '../../resources/pools.ts'
import { proposalPage } from '../../resources/proposal-page.ts'
import { proposals } from '../../resources/proposals.ts'
import { voterVotes } from '../../resources/voter-votes.ts'
import { commonHeaders } from '../headers.ts'
import { createNegotiation, type Negotiate } from '../negotiate.ts'
import { noteProblem, type ProblemOptions, sendProblem } from '../problem-details.ts'
import type { Form } from '../responder.ts'
import { setFields } from '../send.ts'
import { addResourceRoute, type ResourceRoutes, type Route } from './resources.ts'

export type PeoplePages = ResourceRoutes & {
  snapshots: SnapshotSource
  baseUrl: string
  version: string
  problems: ProblemOptions
  unit?: DisplayUnit | undefined
}

const MARKDOWN_TYPE = 'text/markdown'
const HTML_TYPE = 'text/html'
type PageType = typeof MARKDOWN_TYPE | typeof HTML_TYPE
const PAGE_TYPES = [HTML_TYPE, MARKDOWN_TYPE] as const

/** A client that takes neither gets the first: a page is never refused. */
const negotiatePage: Negotiate<PageType> = createNegotiation<PageType>(PAGE_TYPES)
const typeFor = (request: FastifyRequest): PageType =>
  negotiatePage(request.headers.accept) ?? HTML_TYPE

const mediaTypeOf = (type: PageType): string => `${type}; charset=utf-8`

/** A page's text in one form. `twin` is the same as JSON. */
const textOf = <Name extends PageName>(
  page: { name: Name; type: PageType; twin?: string | undefined },
  data: PageData[Name],
  at: PageAt,
): Rendered => {
  const { name, twin, type } = page
  const render = type === HTML_TYPE ? HTML[name] : MARKDOWN[name]
  const links = [
    ...(twin === undefined ? [] : [`<${twin}>; rel="alternate"; type="application/json"`]),
    ...(name === 'home' ? [homeLinks()] : []),
  ]
  const link = links.length > 0 ? ['link', links.join(', ')] : []
  return { text: render(data, at), fields: [...link, ...(type === HTML_TYPE ? HTML_FIELDS : [])] }
}

type Place = Pick<PeoplePages, 'baseUrl' | 'unit'>
type Raw = { Params: Record<string, string> }

const atOf = (request: FastifyRequest<Raw>, { baseUrl, unit }: Place): PageAt => ({
  baseUrl,
  unit,
  params: request.params,
})

/** A page with its path, what it shows, and where the same is as JSON. */
type Page<Name extends PageName> = {
  name: Name
  operationId: string
  path: string
  ask: Asks<NonNullable<PageData[Name]>>['ask']
  twinOf: (data: NonNullable<PageData[Name]>, at: PageAt) => string
}

const routeOf = <Name extends PageName>(
  { name, twinOf, ...route }: Page<Name>,
  place: Place,
): Route<NonNullable<PageData[Name]>> => ({
  ...route,
  form: (request): Form<NonNullable<PageData[Name]>> => {
    const type = typeFor(request)
    const at = atOf(request, place)
    return {
      name: `${name} ${type}`,
      // Its facts may be final; how they are shown is not.
      isRevised: type === HTML_TYPE,
      mediaType: mediaTypeOf(type),
      render: (data) => textOf({ name, type, twin: twinOf(data, at) }, data, at),
    }
  },
})

/** A form of the browser sends every field, the empty ones too. */
const askProposals: typeof proposals.ask = ({ params, query }) => {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return proposals.ask({ params, query: Object.fromEntries(given) })
}

const self = (data: { links: { self: string } }): string => data.links.self

const addPages = (app: FastifyInstance, options: PeoplePages): void => {
  const add = <Name extends PageName>(page: Page<Name>): void =>
    addResourceRoute(app, options, routeOf(page, options))
  add({
    name: 'home',
    operationId: 'homePage',
    path: '/',
    ask: () => ({ query: homeQuery, params: {} }),
    twinOf: (_data, { baseUrl }) => `${baseUrl}/api/proposals`,
  })
  add({
    name: 'proposals',
    operationId: 'proposalsPage',
    path: '/proposals',
    ask: askProposals,
    twinOf: self,
  })
  add({
    name: 'proposal',
    operationId: 'proposalPage',
    path: proposalPage.path,
    ask: proposalPage.ask,
    twinOf: ({ proposalId }, { baseUrl }) => `${baseUrl}/api/proposals/${proposalId}`,
  })
  add({
    name: 'pools',
    operationId: 'poolsPage',
    path: '/pools',
    ask: pools.ask,
    twinOf: self,
  })
  add({
    name: 'pool',
    operationId: 'poolPage',
    path: '/pools/:operatorAddress',
    ask: poolVotes.ask,
    twinOf: self,
  })
  add({
    name: 'voter',
    operationId: 'voterPage',
    path: '/voters/:address',
    ask: voterVotes.ask,
    twinOf: self,
  })
}

type Uncached = { text: Rendered; type: PageType; status: number }

/** For what must not be cached: problems, the status, the front page while nothing can be read. */
const sendUncached = (
  { text, type, status }: Uncached,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  reply.code(status).headers({ ...commonHeaders(request), 'cache-control': 'no-store' })
  setFields(reply, text.fields)
  return reply.header('content-type', mediaTypeOf(type)).send(text.text)
}

const PROBLEM_TYPES = ['application/problem+json', 'application/json'] as const

/** As a page for people, unless it is the problem document that is asked for. */
const addProblemPages = (app: FastifyInstance, options: PeoplePages): void => {
  const { problems, baseUrl } = options
  const negotiate = createNegotiation<PageType | (typeof PROBLEM_TYPES)[number]>([
    ...PAGE_TYPES,
    ...PROBLEM_TYPES,
  ])
  const page = (problem: ApiProblem, type: PageType, request: FastifyRequest<Raw>): Uncached => {
    const { status } = PROBLEMS[problem.code]
    const at = atOf(request, options)
    const isFrontPage = request.routeOptions.config.operation === 'homePage' && status === 503
    if (isFrontPage) return { text: textOf({ name: 'home', type }, null, at), type, status: 200 }
    const body = problemBody(problem, { baseUrl, requestId: request.id })
    return { text: textOf({ name: 'problem', type }, body, at), type, status }
  }
  app.setErrorHandler<Error, Raw>((error, request, reply) => {
    const type = negotiate(request.headers.accept) ?? HTML_TYPE
    if (type !== HTML_TYPE && type !== MARKDOWN_TYPE) {
      return sendProblem(error, { request, reply }, problems)
    }
    const problem = noteProblem(error, request, problems)
    reply.headers(problem.headers)
    return sendUncached(page(problem, type, request), request, reply)
  })
}

/** The look-up is a form without script: it redirects to the page of the address. */
const addVotersPage = (app: FastifyInstance, options: PeoplePages): void => {
  const { metrics, baseUrl } = options
  const count = metrics.answers('votersPage')
  const config = { operation: 'votersPage' }
  app.get<Raw & { Querystring: { address?: unknown } }>('/voters', { config }, (request, reply) => {
    const { address } = request.query
    const found = lookUp(typeof address === 'string' ? address : '')
    if ('path' in found) {
      count(303)
      return reply
        .code(303)
        .headers({ ...commonHeaders(request), location: baseUrl + found.path })
        .header('cache-control', 'no-store')
        .send()
    }
    const type = typeFor(request)
    const status = found.problem === null ? 200 : 400
    count(status)
    const text = textOf({ name: 'voters', type }, found, atOf(request, options))
    return sendUncached({ text, type, status }, request, reply)
  })
}

const addStatusPage = (app: FastifyInstance, options: PeoplePages): void => {
  const { snapshots, version, baseUrl, metrics } = options
  const count = metrics.answers('statusPage')
  app.get<Raw>('/status', { config: { operation: 'statusPage' } }, (request, reply) => {
    count(200)
    const type = typeFor(request)
    const page = { name: 'status', type, twin: `${baseUrl}/api/health` } as const
    const health = healthOf(snapshots.current(), snapshots.freshness(), { version, baseUrl })
    const text = textOf(page, health, atOf(request, options))
    return sendUncached({ text, type, status: 200 }, request, reply)
  })
}

/** In a scope of its own: its problems are pages, too. */
export const addPeoplePages = (app: FastifyInstance, options: PeoplePages): void => {
  void app.register(async (scope) => {
    addProblemPages(scope, options)
    addPages(scope, options)
    addVotersPage(scope, options)
    addStatusPage(scope, options)
  })
}
