// The response for unknown paths: a problem with the path that was probably meant, for browsers as a page.
import { API_PATHS } from '../../auth/contract/service.ts'
import { PAGE_HEADERS } from '../../infra/base/html/page-frame.tsx'
import type { RenderedResponse } from '../../infra/base/http/errors.ts'
import { createNegotiation } from '../../infra/base/http/negotiate.ts'
import type { Request } from '../../infra/base/http/routes.ts'
import { decodePath } from '../../infra/base/http/target.ts'
import { writeProblem } from '../pages/problem.tsx'
import { ApiProblem, createProblemBody } from '../problem.ts'
import { isDemoSnapshot } from '../read/snapshot.ts'
import type { SnapshotSource } from '../read/snapshots/snapshot-source.ts'
import { renderHtml } from '../view/page.tsx'
import { PROBLEM_TYPE, renderProblem } from './problem-details.ts'
import { suggestPath } from './suggest-path.ts'

const { docs, openapi } = API_PATHS

const createProblem = (path: string, suggested: string | undefined): ApiProblem => {
  const meant = suggested === undefined ? '' : ` Did you mean ${suggested}?`
  return new ApiProblem(
    'route-not-found',
    `This service has no resource at ${path}.${meant} ${docs} lists all resources, ${openapi} describes them.`,
    { links: { ...(suggested === undefined ? {} : { suggested }), docs, openapi } },
  )
}

const negotiate = createNegotiation([PROBLEM_TYPE, 'text/html'])

/** Clients that do not accept HTML get the problem document. */
const acceptsPage = ({ url, headers }: Request): boolean =>
  !/^\/(?:api|mcp|\.well-known)(?:\/|$)/.test(url) && negotiate(headers.accept) === 'text/html'

export const createNotFoundRenderer =
  (baseUrl: string, snapshots: Pick<SnapshotSource, 'current'>) =>
  (request: Request): RenderedResponse => {
    const path = decodePath(request.url)
    const { routeTable } = request.server
    const isKnown = (candidate: string) => routeTable.find(candidate)?.handlers.GET !== undefined
    const problem = createProblem(path, suggestPath(path, isKnown))
    const source = { baseUrl, requestId: request.id }
    if (!acceptsPage(request)) return renderProblem(problem, source)
    const at = { baseUrl, params: {}, isDemo: isDemoSnapshot(snapshots.current()) }
    return {
      status: problem.status,
      headers: PAGE_HEADERS,
      mediaType: 'text/html; charset=utf-8',
      body: renderHtml(writeProblem(createProblemBody(problem, source), at), at),
    }
  }
