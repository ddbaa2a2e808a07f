// Routes of the web UI: each page is HTML or Markdown, chosen by `Accept`.
import type { FastifyInstance } from 'fastify'
import { HttpError } from '../../../infra/base/http/errors.ts'
import { createNegotiation } from '../../../infra/base/http/negotiate.ts'
import { toHeaders } from '../../../infra/base/http/response.ts'
import {
  addRoutes,
  type Edge,
  type Handler,
  type Request,
} from '../../../infra/base/http/routes.ts'
import type { PageContext } from '../../document/context.ts'
import type { Page as DocumentPage } from '../../pages/page.ts'
import { PAGES } from '../../pages/pages.ts'
import { type ApiProblem, createProblemBody } from '../../problem.ts'
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
  renderDocument,
  renderPage,
  sendUncached,
} from '../page-answers.ts'
import { createProblemRenderer, noteProblem, PROBLEM_TYPE } from '../problem-details.ts'
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

const ERROR_TYPES = [...PAGE_TYPES, PROBLEM_TYPE, 'application/json'] as const

/** Problems are HTML or Markdown pages, except for clients that prefer problem documents or send other methods. */
const createPageEdge = (options: PageRouteOptions): Edge => {
  const { edge, problems, baseUrl } = options
  const renderProblem = createProblemRenderer(problems)
  const negotiate = createNegotiation(ERROR_TYPES)
  const writePage = (problem: ApiProblem, type: PageType, request: Request) => {
    const { status } = problem
    const at = createPageContext(request, options)
    const isFrontPage = request.route?.operation === 'homePage' && status === 503
    if (isFrontPage) return { text: renderPage({ name: 'home', type }, null, at), status: 200 }
    const body = createProblemBody(problem, { baseUrl, requestId: request.id })
    return { text: renderPage({ name: 'problem', type }, body, at), status }
  }
  const renderError: Edge['renderError'] = (error, request) => {
    const type = negotiate(request?.headers.accept) ?? HTML_TYPE
    const isOtherMethod = error instanceof HttpError && error.fault === 'methodNotAllowed'
    if (!request || isOtherMethod || (type !== HTML_TYPE && type !== MARKDOWN_TYPE)) {
      return renderProblem(error, request)
    }
    const problem = noteProblem(error, request, problems)
    const { text, status } = writePage(problem, type, request)
    return {
      status,
      headers: { ...problem.headers, ...toHeaders(text.fields) },
      mediaType: formatMediaType(type),
      body: text.text,
    }
  }
  return { ...edge, renderError }
}

const addStatusPage = (app: FastifyInstance, options: PageRouteOptions): void => {
  const { edge, baseUrl, metrics } = options
  const count = metrics.answers('statusPage')
  const sendStatus: Handler = (request, reply) => {
    count(200)
    const type = choosePageType(request)
    const page = { name: 'status', type, jsonUrl: `${baseUrl}/api/health` } as const
    const at = createPageContext(request, options)
    const text = renderPage(page, createHealth(options), at)
    return sendUncached({ text, type, status: 200 }, reply)
  }
  const handlers = { GET: sendStatus }
  addRoutes(app, edge, [{ path: '/status', operation: 'statusPage', handlers }])
}

export const addPageRoutes = (app: FastifyInstance, options: PageRouteOptions): void => {
  const pages = { ...options, edge: createPageEdge(options) }
  addPages(app, pages)
  addLookUpPages(app, pages)
  addStatusPage(app, pages)
}
