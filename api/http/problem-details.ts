// Renders errors as problem+json (RFC 9457).
import type { RenderedResponse } from '../../infra/base/http/errors.ts'
import { type ApiProblem, createProblemBody } from '../problem.ts'

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
