// JSON-RPC errors of methods, and the conversion of problems of the read API to them.
import { type ApiProblem, PROBLEMS } from '../problem.ts'

export const RPC = {
  invalidRequest: -32600,
  invalidParams: -32602,
  internalError: -32603,
  resourceNotFound: -32002,
  /** From the range for servers: the request was refused before the method was read. */
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

/** Lists all errors, not only the first. */
export const describeProblem = (problem: ApiProblem): string => {
  const { errors, code, message } = problem
  const details = errors?.map(({ parameter, detail }) => `${parameter} ${detail}`).join('; ')
  return `${PROBLEMS[code].title}: ${details ?? message}`
}

/** For methods whose results cannot contain an error. */
export const toRefusal = (problem: ApiProblem, data: object = {}): McpRefusal => {
  const { status } = PROBLEMS[problem.code]
  const message = describeProblem(problem)
  if (status === 404) return new McpRefusal(RPC.resourceNotFound, message, data)
  // With `uri` as the only member of `data`, clients would assume a missing resource.
  const code = status < 500 ? RPC.invalidParams : RPC.internalError
  return new McpRefusal(code, message, { ...data, code: problem.code })
}
