// Routes of the web UI: each page is HTML or Markdown, chosen by `Accept`.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_FIELDS } from '../../../infra/html/page-frame.ts'
import { homeLinks } from '../../discovery/links.ts'
import type { DisplayUnit } from '../../display-unit.ts'
import type { Rendered } from '../../formats/rows.ts'
import { HTML } from '../../html/renderers.ts'
import { renderMarkdown } from '../../markdown/renderers.ts'
import { type ApiProblem, createProblemBody, PROBLEMS } from '../../problem.ts'
import { addressPrefixes } from '../../read/queries/address-prefixes.ts'
import { isDemoSnapshot, lacksGov } from '../../read/snapshot.ts'
import { isFarBehind } from '../../read/snapshots/behind.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { lookUpAddress } from '../../resources/address.ts'
import { createHealth } from '../../resources/health.ts'
import { homeQuery } from '../../resources/home.ts'
import type { RequestParser } from '../../resources/operation.ts'
import type { PageContext, PageData, PageName } from '../../resources/page-data.ts'
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

export type PageRouteOptions = ResourceRoutes & {
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

/** A client that accepts neither type gets HTML. */
const negotiatePage: Negotiate<PageType> = createNegotiation<PageType>(PAGE_TYPES)
const choosePageType = (request: FastifyRequest): PageType =>
  negotiatePage(request.headers.accept) ?? HTML_TYPE

const formatMediaType = (type: PageType): string => `${type}; charset=utf-8`

/** Renders a page in one type. `jsonUrl` is the URL of the same data as JSON. */
const renderPage = <Name extends PageName>(
  page: { name: Name; type: PageType; jsonUrl?: string | undefined },
  data: PageData[Name],
  at: PageContext,
): Rendered => {
  const { name, jsonUrl, type } = page
  const text = type === HTML_TYPE ? HTML[name](data, at) : renderMarkdown(name, data, at)
  const links = [
    ...(jsonUrl === undefined ? [] : [`<${jsonUrl}>; rel="alternate"; type="application/json"`]),
    ...(name === 'home' ? [homeLinks()] : []),
  ]
  const link = links.length > 0 ? ['link', links.join(', ')] : []
  return { text, fields: [...link, ...(type === HTML_TYPE ? PAGE_FIELDS : [])] }
}

type PageSettings = Pick<PageRouteOptions, 'baseUrl' | 'unit' | 'snapshots'>
type Raw = { Params: Record<string, string> }

const createPageContext = (
  request: FastifyRequest<Raw>,
  { baseUrl, unit, snapshots }: PageSettings,
): PageContext => ({
  baseUrl,
  unit,
  params: request.params,
  isDemo: isDemoSnapshot(snapshots.current()),
  lacksGov: lacksGov(snapshots.current()),
  isBehind: isFarBehind(snapshots.freshness().behind),
})

/** Data that cannot change any more misses nothing while the service is behind. */
const isSettled = (name: PageName, data: unknown): boolean =>
  name === 'proposal' && (data as PageData['proposal']).tally?.final === true

/** A page with its path, its query, and the URL of the same data as JSON. */
type Page<Name extends PageName> = {
  name: Name
  path: string
  parseRequest: RequestParser<NonNullable<PageData[Name]>>['parseRequest']
  getJsonUrl: (data: NonNullable<PageData[Name]>, at: PageContext) => string
}

const createRoute = <Name extends PageName>(
  { name, getJsonUrl, ...route }: Page<Name>,
  settings: PageSettings,
): Route<NonNullable<PageData[Name]>> => ({
  ...route,
  operationId: `${name}Page`,
  form: (request): Form<NonNullable<PageData[Name]>> => {
    const type = choosePageType(request)
    const at = createPageContext(request, settings)
    return {
      // A cached page keeps its notice.
      name: `${name} ${type}${at.lacksGov ? ' no x/gov' : ''}${at.isBehind ? ' behind' : ''}`,
      // The data can be final, but a release can change the HTML.
      isRevised: type === HTML_TYPE,
      mediaType: formatMediaType(type),
      render: (data) => {
        const shown = isSettled(name, data) ? { ...at, isBehind: false } : at
        return renderPage({ name, type, jsonUrl: getJsonUrl(data, at) }, data, shown)
      },
    }
  },
})

/** HTML forms also send empty fields. */
const parseProposalsRequest: typeof proposals.parseRequest = ({ params, query }) => {
  const given = Object.entries(query).filter(([, value]) => value !== '')
  return proposals.parseRequest({ params, query: Object.fromEntries(given) })
}

const getSelfLink = (data: { links: { self: string } }): string => data.links.self

const addPages = (app: FastifyInstance, options: PageRouteOptions): void => {
  const add = <Name extends PageName>(page: Page<Name>): void =>
    addResourceRoute(app, options, createRoute(page, options))
  add({
    name: 'home',
    path: '/',
    parseRequest: () => ({ query: homeQuery, params: {} }),
    getJsonUrl: (_data, { baseUrl }) => `${baseUrl}/api/proposals`,
  })
  add({
    name: 'proposals',
    path: '/proposals',
    parseRequest: parseProposalsRequest,
    getJsonUrl: getSelfLink,
  })
  add({
    name: 'proposal',
    path: proposalPage.path,
    parseRequest: proposalPage.parseRequest,
    getJsonUrl: ({ proposalId }, { baseUrl }) => `${baseUrl}/api/proposals/${proposalId}`,
  })
  add({
    name: 'pools',
    path: '/pools',
    parseRequest: pools.parseRequest,
    getJsonUrl: getSelfLink,
  })
  add({
    name: 'pool',
    path: '/pools/:operatorAddress',
    parseRequest: poolVotes.parseRequest,
    getJsonUrl: getSelfLink,
  })
  add({
    name: 'voter',
    path: '/voters/:address',
    parseRequest: voterVotes.parseRequest,
    getJsonUrl: getSelfLink,
  })
}

type Uncached = { text: Rendered; type: PageType; status: number }

/** For pages that must not be cached: problems, the status, and the home page without data. */
const sendUncached = (
  { text, type, status }: Uncached,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  reply.code(status).headers({ ...commonHeaders(request), 'cache-control': 'no-store' })
  setFields(reply, text.fields)
  return reply.header('content-type', formatMediaType(type)).send(text.text)
}

const PROBLEM_TYPES = ['application/problem+json', 'application/json'] as const

/** Problems are HTML or Markdown pages, except for clients that prefer problem documents. */
const addProblemPages = (app: FastifyInstance, options: PageRouteOptions): void => {
  const { problems, baseUrl } = options
  const negotiate = createNegotiation<PageType | (typeof PROBLEM_TYPES)[number]>([
    ...PAGE_TYPES,
    ...PROBLEM_TYPES,
  ])
  const renderProblem = (
    problem: ApiProblem,
    type: PageType,
    request: FastifyRequest<Raw>,
  ): Uncached => {
    const { status } = PROBLEMS[problem.code]
    const at = createPageContext(request, options)
    const isFrontPage = request.routeOptions.config.operation === 'homePage' && status === 503
    if (isFrontPage)
      return { text: renderPage({ name: 'home', type }, null, at), type, status: 200 }
    const body = createProblemBody(problem, { baseUrl, requestId: request.id })
    return { text: renderPage({ name: 'problem', type }, body, at), type, status }
  }
  app.setErrorHandler<Error, Raw>((error, request, reply) => {
    const type = negotiate(request.headers.accept) ?? HTML_TYPE
    if (type !== HTML_TYPE && type !== MARKDOWN_TYPE) {
      return sendProblem(error, { request, reply }, problems)
    }
    const problem = noteProblem(error, request, problems)
    reply.headers(problem.headers)
    return sendUncached(renderProblem(problem, type, request), request, reply)
  })
}

/** The form works without scripts: it redirects to the page of the address. */
const addVotersPage = (app: FastifyInstance, options: PageRouteOptions): void => {
  const { metrics, baseUrl, reader } = options
  const count = metrics.answers('votersPage')
  const config = { operation: 'votersPage' }
  type Given = Raw & { Querystring: { address?: unknown } }
  app.get<Given>('/voters', { config }, async (request, reply) => {
    const { address } = request.query
    const given = typeof address === 'string' ? address : ''
    const prefixes = given === '' ? null : (await reader.get(addressPrefixes, request.ip)).body
    const found = lookUpAddress(given, prefixes)
    if ('path' in found) {
      count(303)
      return reply
        .code(303)
        .headers({ ...commonHeaders(request), location: baseUrl + found.path })
        .header('cache-control', 'no-store')
        .send()
    }
    const type = choosePageType(request)
    const status = found.problem === null ? 200 : 400
    count(status)
    const text = renderPage({ name: 'voters', type }, found, createPageContext(request, options))
    return sendUncached({ text, type, status }, request, reply)
  })
}

const addStatusPage = (app: FastifyInstance, options: PageRouteOptions): void => {
  const { baseUrl, metrics } = options
  const count = metrics.answers('statusPage')
  app.get<Raw>('/status', { config: { operation: 'statusPage' } }, (request, reply) => {
    count(200)
    const type = choosePageType(request)
    const page = { name: 'status', type, jsonUrl: `${baseUrl}/api/health` } as const
    const at = createPageContext(request, options)
    const text = renderPage(page, createHealth(options), at)
    return sendUncached({ text, type, status: 200 }, request, reply)
  })
}

/** In its own scope, because its problems are pages too. */
export const addPageRoutes = (app: FastifyInstance, options: PageRouteOptions): void => {
  void app.register(async (scope) => {
    addProblemPages(scope, options)
    addPages(scope, options)
    addVotersPage(scope, options)
    addStatusPage(scope, options)
  })
}
