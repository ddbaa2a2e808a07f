// Routes of the web UI: each page is HTML or Markdown, chosen by `Accept`.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createNegotiation } from '../../../infra/base/http/negotiate.ts'
import type { PageContext } from '../../document/context.ts'
import type { Page as DocumentPage } from '../../pages/page.ts'
import { PAGES } from '../../pages/pages.ts'
import { type ApiProblem, createProblemBody, PROBLEMS } from '../../problem.ts'
import { createHealth } from '../../resources/health.ts'
import { homeQuery } from '../../resources/home.ts'
import type { RequestParser } from '../../resources/operation.ts'
import type { PageData, PageName } from '../../resources/page-data.ts'
import { proposalPage } from '../../resources/proposal-page.ts'
import { proposals } from '../../resources/proposals.ts'
import { noticeText } from '../../site-notice.ts'
import {
  choosePageType,
  createPageContext,
  formatMediaType,
  HTML_TYPE,
  MARKDOWN_TYPE,
  omitEmptyFields,
  PAGE_TYPES,
  type PageRouteOptions,
  type PageSettings,
  type PageType,
  type Raw,
  renderDocument,
  renderPage,
  sendUncached,
  type Uncached,
} from '../page-answers.ts'
import { noteProblem, sendProblem } from '../problem-details.ts'
import type { Form } from '../responder.ts'
import { addLookUpPages } from './look-up-pages.ts'
import { addResourceRoute, type Route } from './resources.ts'

const NOTHING_MISSING = { isBehind: false, noBlockSince: undefined }

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
      name: `${name} ${type} ${noticeText(at) ?? ''}`,
      // The data can be final, but a release can change the HTML.
      isRevised: type === HTML_TYPE,
      mediaType: formatMediaType(type),
      render: (data) => {
        const shown = isSettled(name, data) ? { ...at, ...NOTHING_MISSING } : at
        return renderPage({ name, type, jsonUrl: getJsonUrl(data, at) }, data, shown)
      },
    }
  },
})

const createDocumentRoute = <Data>(
  page: DocumentPage<Data>,
  settings: PageSettings,
): Route<Data> => ({
  operationId: `${page.name}Page`,
  path: page.path,
  parseRequest: page.parseRequest,
  form: (request): Form<Data> => {
    const type = choosePageType(request)
    const at = createPageContext(request, settings)
    return {
      // A cached page keeps its notice.
      name: `${page.name} ${type} ${noticeText(at) ?? ''}`,
      // The data can be final, but a release can change the HTML.
      isRevised: type === HTML_TYPE,
      mediaType: formatMediaType(type),
      render: (data) => {
        const shown = page.isSettled?.(data) ? { ...at, ...NOTHING_MISSING } : at
        return renderDocument(page.write(data, shown), type, shown)
      },
    }
  },
})

const parseProposalsRequest: typeof proposals.parseRequest = ({ params, query }) =>
  proposals.parseRequest({ params, query: omitEmptyFields(query) })

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
  for (const page of PAGES) addResourceRoute(app, options, createDocumentRoute(page, options))
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
    addLookUpPages(scope, options)
    addStatusPage(scope, options)
  })
}
