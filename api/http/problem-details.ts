// Renders errors as problem+json (RFC 9457).
import type { FastifyRequest } from 'fastify'
import type { RenderedResponse } from '../../infra/base/http/errors.ts'
import type { Edge } from '../../infra/base/http/routes.ts'
import { type ApiProblem, createProblemBody, toProblem } from '../problem.ts'

export const PROBLEM_TYPE = 'application/problem+json'

export type ProblemOptions = {
  baseUrl: string
  onProblem: (request: FastifyRequest, status: number) => void
}

/** Counts it. */
export const noteProblem = (
  error: unknown,
  request: FastifyRequest,
  { onProblem }: ProblemOptions,
): ApiProblem => {
  const problem = toProblem(error)
  onProblem(request, problem.status)
  return problem
}

export const renderProblem = (
  problem: ApiProblem,
  at: { baseUrl: string; requestId: string },
): RenderedResponse => ({
  status: problem.status,
  headers: problem.headers,
  mediaType: `${PROBLEM_TYPE}; charset=utf-8`,
  body: JSON.stringify(createProblemBody(problem, at)),
})

export const createProblemRenderer =
  (options: ProblemOptions): Edge['renderError'] =>
  (error, request) => {
    const problem = request ? noteProblem(error, request, options) : toProblem(error)
    return renderProblem(problem, { baseUrl: options.baseUrl, requestId: request?.id ?? 'none' })
  }
