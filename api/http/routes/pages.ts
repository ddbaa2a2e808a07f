// Routes of the web UI: each page is HTML or Markdown, chosen by `Accept`.
import { HttpError } from '../../../infra/base/http/errors.ts'
import { createNegotiation } from '../../../infra/base/http/negotiate.ts'
import { toHeaders } from '../../../infra/base/http/response.ts'
import type { Edge, Handler, Request, Route } from '../../../infra/base/http/routes.ts'
import { writeHome } from '../../pages/home.tsx'
import type { Page } from '../../pages/page.ts'
import { PAGES } from '../../pages/pages.ts'
import { writePrivacy } from '../../pages/privacy.tsx'
import { writeProblem } from '../../pages/problem.tsx'
import { writeStatus } from '../../pages/status.tsx'
import { type ApiProblem, createProblemBody, toProblem } from '../../read/problems.ts'
import { createHealth } from '../../resources/health.ts'
import type { Paginated } from '../../view/blocks.tsx'
import type { Document } from '../../view/page.tsx'
import type { PageContext } from '../../view/paths.ts'
import { noticeText } from '../../words/notice.ts'
import { PROBLEM_TYPE } from '../edge.ts'
import {
  choosePageType,
  createPageContext,
  formatMediaType,
  HTML_TYPE,
  isPageType,
  PAGE_TYPES,
  renderDocument,
  sendUncached,
} from '../page-answers.ts'
import type { AnswerForm } from '../responder.ts'
import { replaceInQuery, SeeOther } from '../send.ts'
import type { Service } from '../service.ts'
import { createLookUpPages } from './look-up-pages.ts'
import { createResourceRoute, type ResourceRoute } from './resources.ts'

/** The number of the last page of a list, if this page is after it; also of the list within a page. */
const findLastBefore = (data: unknown): number | undefined => {
  const { page, votes } = data as Partial<Paginated> & { votes?: Paginated }
  const { number, totalPages } = votes?.page ?? page ?? { number: null, totalPages: 0 }
  const last = Math.max(totalPages - 1, 0)
  return number !== null && number > last ? last : undefined
}

/** Any number can be asked for: a page after the last one leads to it, and is not rendered. */
const requirePage = (data: unknown, { url }: Request): void => {
  const last = findLastBefore(data)
  const location = last === undefined ? undefined : replaceInQuery(url, 'page', `${last}`)
  if (location !== undefined) throw new SeeOther(location)
}

/** Of data that cannot change any more, also while the service is behind. */
const NOTHING_MISSING = { catchUp: null, noBlockSince: undefined }

const createRoute = <Data>(
  { name, path, parseRequest, write, isSettled }: Page<Data>,
  settings: Service,
): ResourceRoute<Data> => ({
  operationId: `${name}Page`,
  path,
  parseRequest,
  form: (request): AnswerForm<Data> => {
    const type = choosePageType(request)
    const at = createPageContext(request, settings)
    return {
      // A cached page keeps its notice.
      name: `${name} ${type} ${noticeText(at) ?? ''}`,
      // The data can be final, but a release can change the HTML.
      isRevised: type === HTML_TYPE,
      mediaType: formatMediaType(type),
      render: (data) => {
        requirePage(data, request)
        const shown = isSettled?.(data) ? { ...at, ...NOTHING_MISSING } : at
        return renderDocument(write(data, shown), type, shown)
      },
    }
  },
})

const createPages = (options: Service): Route[] =>
  PAGES.map((page) => createResourceRoute(options, createRoute(page, options)))

const ERROR_TYPES = [...PAGE_TYPES, PROBLEM_TYPE, 'application/json'] as const

/** Problems are HTML or Markdown pages, except for clients that prefer problem documents or send other methods. */
export const createPageEdge = (readEdge: Edge, options: Service): Edge => {
  const { baseUrl } = options
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
    if (!request || isOtherMethod || !isPageType(type)) return readEdge.renderError(error, request)
    const problem = toProblem(error)
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
  return { ...readEdge, renderError }
}

/** A page that is not cached. */
const createFreshPage = (
  options: Service,
  { path, operation, write }: { path: string; operation: string; write: () => Document },
): Route => {
  const send: Handler = (request, reply) => {
    const at = createPageContext(request, options)
    return sendUncached({ document: write(), status: 200, at }, request, reply)
  }
  return { path, operation, handlers: { GET: send } }
}

export const createPageRoutes = (options: Service): Route[] => {
  const privacy = writePrivacy(options.securityContact)
  return [
    ...createPages(options),
    ...createLookUpPages(options),
    createFreshPage(options, {
      path: '/status',
      operation: 'statusPage',
      write: () => writeStatus(createHealth(options)),
    }),
    createFreshPage(options, { path: '/privacy', operation: 'privacyPage', write: () => privacy }),
  ]
}
