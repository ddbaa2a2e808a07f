// How the read API answers: public data for every origin, and errors as problems.
import { HttpError } from '../../infra/base/http/errors.ts'
import type { Edge } from '../../infra/base/http/routes.ts'
import type { SnapshotSource } from '../read/snapshots/snapshot-source.ts'
import { READ_CORS, READ_HEADERS } from './headers.ts'
import { createNotFoundRenderer } from './not-found.ts'
import { createProblemRenderer, type ProblemOptions } from './problem-details.ts'

export const createReadEdge = (
  problems: ProblemOptions,
  snapshots: Pick<SnapshotSource, 'current'>,
): Edge => {
  const renderProblem = createProblemRenderer(problems)
  const renderNotFound = createNotFoundRenderer(problems, snapshots)
  return {
    headers: READ_HEADERS,
    cors: READ_CORS,
    renderError: (error, request) =>
      request && error instanceof HttpError && error.fault === 'notFound'
        ? renderNotFound(request)
        : renderProblem(error, request),
  }
}
