// Converts all errors to responses with problem+json.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { ApiProblem, createProblemBody, PROBLEMS, toProblem } from '../problem.ts'
import { commonHeaders } from './headers.ts'

const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

export type ProblemOptions = {
  baseUrl: string
  logger: Logger
  onProblem: (request: FastifyRequest, status: number) => void
}

/** Counts the problem, and logs internal errors. */
export const noteProblem = (
  error: unknown,
  request: FastifyRequest,
  { logger, onProblem }: ProblemOptions,
): ApiProblem => {
  const problem = toProblem(error)
  if (problem.code === 'internal-error') {
    logger.error({ error, requestId: request.id, method: request.method }, 'failed to answer')
  }
  onProblem(request, PROBLEMS[problem.code].status)
  return problem
}

export const sendProblem = (
  error: unknown,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  options: ProblemOptions,
): FastifyReply => {
  const problem = noteProblem(error, request, options)
  const { status } = PROBLEMS[problem.code]
  const body = createProblemBody(problem, { baseUrl: options.baseUrl, requestId: request.id })
  return reply
    .code(status)
    .headers({ ...commonHeaders(request), 'cache-control': 'no-store', ...problem.headers })
    .header('content-type', PROBLEM_TYPE)
    .send(JSON.stringify(body))
}

type Malformed = { status: number; reason: string; detail: string }

const NO_HTTP: Malformed = {
  status: 400,
  reason: 'Bad Request',
  detail: 'The bytes are not a valid HTTP request.',
}

/** By the error code of the parser of Node. */
const MALFORMED: Readonly<Record<string, Malformed>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    detail: 'The header fields are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    reason: 'Request Timeout',
    detail: 'The request did not arrive in time.',
  },
}

/** The raw response to bytes that are not an HTTP request and cannot be routed. */
export const malformedRequestAnswer = (baseUrl: string, code: string | undefined): string => {
  const { status, reason, detail } = MALFORMED[code ?? ''] ?? NO_HTTP
  const problem = new ApiProblem('bad-request', detail)
  const body = JSON.stringify({
    ...createProblemBody(problem, { baseUrl, requestId: 'none' }),
    status,
  })
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Connection: close',
    `Content-Type: ${PROBLEM_TYPE}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

export const addProblemDetails = (app: FastifyInstance, options: ProblemOptions): void => {
  app.setErrorHandler((error, request, reply) => sendProblem(error, { request, reply }, options))
}
