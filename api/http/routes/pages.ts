// Routes of the web UI: each page is HTML or Markdown, chosen by `Accept`.
import type { FastifyInstance } from 'fastify'
import { PAGE_FIELDS } from '../../../infra/base/html/page-frame.ts'
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
import type { Rendered } from '../../formats/rows.ts'
import { proposalHtml } from '../../html/proposal.ts'
import { proposalMarkdown } from '../../markdown/proposal.ts'
import { writeHome } from '../../pages/home.ts'
import type { Page } from '../../pages/page.ts'
import { PAGES } from '../../pages/pages.ts'
import { writeProblem } from '../../pages/problem.ts'
import { writeStatus } from '../../pages/status.ts'
import { type ApiProblem, createProblemBody } from '../../problem.ts'
import { createHealth } from '../../resources/health.ts'
import type { RequestParser } from '../../resources/operation.ts'
import type { PageData } from '../../resources/page-data.ts'
import { proposalPage } from '../../resources/proposal-page.ts'
import { noticeText } from '../../site-notice.ts'
import {
  choosePageType,
  createPageContext,
  formatMediaType,
  HTML_TYPE,
  isPageType,
  PAGE_TYPES,
  type PageRouteOptions,
  type PageSettings,
  type PageType,
  renderDocument,
  sendUncached,
} from '../page-answers.ts'
import { createProblemRenderer, noteProblem, PROBLEM_TYPE } from '../problem-details.ts'
import type { Form } from '../responder.ts'
import { addLookUpPages } from './look-up-pages.ts'
import { addResourceRoute, type Route } from './resources.ts'

const NOTHING_MISSING = { isBehind: false, noBlockSince: undefined }

type RenderedPage<Data> = {
  name: string
  path: string
  parseRequest: RequestParser<Data>['parseRequest']
  isSettled?(data: Data): boolean
  render(data: Data, type: PageType, at: PageContext): Rendered
}

const createRoute = <Data>(
  { name, path, parseRequest, render, isSettled }: RenderedPage<Data>,
  settings: PageSettings,
): Route<Data> => ({
  operationId: `${name}Page`,
  path,
  parseRequest,
  form: (request): Form<Data> => {
    const type = choosePageType(request)
    const at = createPageContext(request, settings)
    return {
      // A cached page keeps its notice.
      name: `${name} ${type} ${noticeText(at) ?? ''}`,
      // The data can be final, but a release can change the HTML.
      isRevised: type === HTML_TYPE,
      mediaType: formatMediaType(type),
      render: (data) => render(data, type, isSettled?.(data) ? { ...at, ...NOTHING_MISSING } : at),
    }
  },
})

const withDocument = <Data>(page: Page<Data>): RenderedPage<Data> => ({
  ...page,
  render: (data, type, at) => renderDocument(page.write(data, at), type, at),
})

const PROPOSAL: RenderedPage<PageData['proposal']> = {
  name: 'proposal',
  path: proposalPage.path,
  parseRequest: proposalPage.parseRequest,
  isSettled: ({ tally }) => tally?.final === true,
  render: (data, type, at) => {
    const json = `${at.baseUrl}/api/proposals/${data.proposalId}`
    const link = ['link', `<${json}>; rel="alternate"; type="application/json"`]
    if (type === HTML_TYPE)
      return { text: proposalHtml(data, at), fields: [...link, ...PAGE_FIELDS] }
    const notice = noticeText(at)
    const above = notice === undefined ? '' : `**${notice}**\n\n`
    return { text: `${above}${proposalMarkdown(data, at)}\n`, fields: link }
  },
}

const addPages = (app: FastifyInstance, options: PageRouteOptions): void => {
  addResourceRoute(app, options, createRoute(PROPOSAL, options))
  for (const page of PAGES) addResourceRoute(app, options, createRoute(withDocument(page), options))
}

const ERROR_TYPES = [...PAGE_TYPES, PROBLEM_TYPE, 'application/json'] as const

/** Problems are HTML or Markdown pages, except for clients that prefer problem documents or send other methods. */
const createPageEdge = (options: PageRouteOptions): Edge => {
  const { edge, problems, baseUrl } = options
  const renderProblem = createProblemRenderer(problems)
  const negotiate = createNegotiation(ERROR_TYPES)
  const write = (problem: ApiProblem, { id, route }: Request, at: PageContext) => {
    const isFrontPage = route?.operation === 'homePage' && problem.status === 503
    if (isFrontPage) return { document: writeHome(null, at), status: 200 }
    const body = createProblemBody(problem, { baseUrl, requestId: id })
    return { document: writeProblem(body, at), status: problem.status }
  }
  const renderError: Edge['renderError'] = (error, request) => {
    const type = negotiate(request?.headers.accept) ?? HTML_TYPE
    const isOtherMethod = error instanceof HttpError && error.fault === 'methodNotAllowed'
    if (!request || isOtherMethod || !isPageType(type)) return renderProblem(error, request)
    const problem = noteProblem(error, request, problems)
    const at = createPageContext(request, options)
    const { document, status } = write(problem, request, at)
    const { text, fields } = renderDocument(document, type, at)
    return {
      status,
      headers: { ...problem.headers, ...toHeaders(fields) },
      mediaType: formatMediaType(type),
      body: text,
    }
  }
  return { ...edge, renderError }
}

const addStatusPage = (app: FastifyInstance, options: PageRouteOptions): void => {
  const { edge, metrics } = options
  const count = metrics.answers('statusPage')
  const sendStatus: Handler = (request, reply) => {
    count(200)
    const at = createPageContext(request, options)
    const document = writeStatus(createHealth(options), at)
    return sendUncached({ document, status: 200, at }, request, reply)
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
