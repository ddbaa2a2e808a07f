// How the read API answers: public data for every origin, and errors as problems.
import { HttpError } from '../../infra/base/http/errors.ts'
import type { Edge } from '../../infra/base/http/routes.ts'
import { toProblem } from '../problem.ts'
import type { SnapshotSource } from '../read/snapshots.ts'
import { READ_CORS, READ_HEADERS } from './headers.ts'
import { createNotFoundRenderer } from './not-found.ts'
import { renderProblem } from './problem-details.ts'

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
