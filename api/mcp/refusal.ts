// What a method answers where it has no result: a JSON-RPC error with its code, and the problems of the read API told in its terms.
import { type ApiProblem, PROBLEMS } from '../problem.ts'

export const RPC = {
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  /** Of the range that is left to servers: refused before any method was looked at. */
  refused: -32000,
} as const

export class McpRefusal extends Error {
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.name = 'McpRefusal'
    this.code = code
    this.data = data
  }
}

export const invalidRequest = (message: string): McpRefusal =>
  new McpRefusal(RPC.invalidRequest, message)

export const invalidParams = (message: string): McpRefusal =>
  new McpRefusal(RPC.invalidParams, message)

/** Every mistake, not just the first. */
export const describeProblem = (problem: ApiProblem): string => {
  const { errors, code, message } = problem
  const details = errors?.map(({ parameter, detail }) => `${parameter} ${detail}`).join('; ')
  return `${PROBLEMS[code].title}: ${details ?? message}`
}

/** For methods that have no result in which a problem could be told. */
export const toRefusal = (problem: ApiProblem, data: object = {}): McpRefusal => {
  const { status } = PROBLEMS[problem.code]
  const message = describeProblem(problem)
  if (status === 404) return new McpRefusal(RPC.resourceNotFound, message, data)
  // Clients read data with a `uri` alone as a missing resource.
  const code = status < 500 ? RPC.invalidParams : RPC.internalError
  return new McpRefusal(code, message, { ...data, code: problem.code })
}
