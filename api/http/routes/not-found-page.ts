// The HTML page for unknown paths. Clients that do not accept HTML get the problem document.
import { PAGE_FIELDS } from '../../../infra/base/html/page-frame.ts'
import { createNegotiation } from '../../../infra/base/http/negotiate.ts'
import { problemHtml } from '../../html/problem.ts'
import { createProblemBody, PROBLEMS } from '../../problem.ts'
import { isDemoSnapshot } from '../../read/snapshot.ts'
import type { SnapshotSource } from '../../read/snapshots/snapshot-source.ts'
import { commonHeaders } from '../headers.ts'
import type { NotFoundPage } from '../not-found.ts'
import type { ProblemOptions } from '../problem-details.ts'
import { setFields } from '../send.ts'

const HTML_TYPE = 'text/html'

export const createNotFoundPage = (
  { baseUrl, onProblem }: ProblemOptions,
  snapshots: Pick<SnapshotSource, 'current'>,
): NotFoundPage => {
  const negotiate = createNegotiation(['application/problem+json', HTML_TYPE])
  return (problem, { request, reply }) => {
    const isApiPath = /^\/(?:api|mcp|\.well-known)(?:\/|$)/.test(request.url)
    if (isApiPath || negotiate(request.headers.accept) !== HTML_TYPE) return false
    const { status } = PROBLEMS[problem.code]
    onProblem(request, status)
    reply.code(status).headers({ ...commonHeaders(request), 'cache-control': 'no-store' })
    setFields(reply, PAGE_FIELDS)
    const body = createProblemBody(problem, { baseUrl, requestId: request.id })
    reply.header('content-type', `${HTML_TYPE}; charset=utf-8`)
    const isDemo = isDemoSnapshot(snapshots.current())
    reply.send(problemHtml(body, { baseUrl, params: {}, isDemo }))
    return true
  }
}
