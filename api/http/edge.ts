// How the read API answers: public data for every origin, errors as problems (RFC 9457), and unknown paths with the path that was probably meant.

import { API_PATHS } from '../../auth/contract/service.ts'
import { PAGE_HEADERS } from '../../infra/base/html/page-frame.tsx'
import { HttpError, type RenderedResponse } from '../../infra/base/http/errors.ts'
import { allowEveryOrigin, NO_SNIFF } from '../../infra/base/http/headers.ts'
import { createNegotiation } from '../../infra/base/http/negotiate.ts'
import { decodePath, type Edge, isReadable, type Request } from '../../infra/base/http/routes.ts'
import { writeProblem } from '../pages/problem.tsx'
import { ApiProblem, createProblemBody, toProblem } from '../read/problems.ts'
import { isDemoSnapshot } from '../read/snapshot.ts'
import type { SnapshotSource } from '../read/snapshots.ts'
import { renderHtml } from '../view/page.tsx'

export const READ_HEADERS = {
  vary: 'Accept, Accept-Encoding, Authorization',
  ...NO_SNIFF,
} as const

/** Public data: any origin may read it. */
export const READ_CORS = allowEveryOrigin({
  allowed: ['If-None-Match', 'If-Range', 'Last-Event-ID', 'Range'],
})

export const PROBLEM_TYPE = 'application/problem+json'

export const renderProblem = (
  problem: ApiProblem,
  at: { baseUrl: string; requestId: string },
): RenderedResponse => ({
  status: problem.status,
  headers: problem.headers,
  mediaType: `${PROBLEM_TYPE}; charset=utf-8`,
  body: JSON.stringify(createProblemBody(problem, at)),
})

/** True for a path that can be read. */
type IsKnown = (path: string) => boolean

/** Longer paths are no mistakes of a person. */
const MAX_PATH_LENGTH = 300

const PLURALS: Readonly<Record<string, string>> = {
  proposal: 'proposals',
  vote: 'votes',
  deposit: 'deposits',
  ballot: 'ballots',
  event: 'events',
  message: 'messages',
  proofs: 'proof',
  pool: 'pools',
  validator: 'pools',
  validators: 'pools',
  voter: 'voters',
  account: 'voters',
  accounts: 'voters',
}

/** Versions, and the names of modules in the REST API of a node: `/cosmos/gov/v1/proposals`. */
const ADDED = /^(?:v[0-9]+(?:(?:alpha|beta)[0-9]+)?|rest|cosmos|gov|staking)$/

const correct = (segments: readonly string[]): string[] =>
  segments
    .map((segment) => segment.toLowerCase())
    .filter((segment) => !ADDED.test(segment))
    .map((segment) => (Object.hasOwn(PLURALS, segment) ? (PLURALS[segment] ?? '') : segment))

const toPath = (segments: readonly string[]): string =>
  `/${segments.map(encodeURIComponent).join('/')}`

/** `path` is decoded. A page is suggested before the API, unless `path` names the API. */
const suggestPath = (path: string, isKnown: IsKnown): string | undefined => {
  if (path.length > MAX_PATH_LENGTH) return undefined
  const corrected = correct(path.split('/').filter((segment) => segment !== ''))
  const [first, ...others] = corrected
  const rest = first === 'api' ? others : corrected
  if (rest.length === 0) return undefined
  const inApi = ['api', ...rest]
  const candidates = [
    ...(first === 'api' ? [] : [rest]),
    inApi,
    // Pools and voters have one list each.
    [...inApi, 'votes'],
    ...(first === 'api' ? [rest] : []),
  ]
  return candidates.map(toPath).find((candidate) => candidate !== path && isKnown(candidate))
}

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

const createNotFoundRenderer =
  (baseUrl: string, snapshots: Pick<SnapshotSource, 'current'>) =>
  (request: Request): RenderedResponse => {
    const path = decodePath(request.url)
    const isKnown = (url: string) => isReadable(request.server, url)
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

export const createReadEdge = (
  baseUrl: string,
  snapshots: Pick<SnapshotSource, 'current'>,
): Edge => {
  const renderNotFound = createNotFoundRenderer(baseUrl, snapshots)
  return {
    headers: READ_HEADERS,
    cors: READ_CORS,
    renderError: (error, request) =>
      request && error instanceof HttpError && error.fault === 'notFound'
        ? renderNotFound(request)
        : renderProblem(toProblem(error), { baseUrl, requestId: request?.id ?? 'none' }),
  }
}
