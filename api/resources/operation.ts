// Types and helpers of operations: path, parameters, response and description.
import type { TSchema } from 'typebox'
import type { ProblemCode } from '../problem.ts'
import type { Query } from '../read/query.ts'
import {
  type OwnParameters,
  type ParameterName,
  type QueryValues,
  type RawQuery,
  readValues,
} from './parameters.ts'
import { type PathParameterName, readPath } from './path-parameters.ts'

export type Tag = 'Proposals' | 'Pools and voters' | 'Proofs' | 'Service'

/** The definition of an operation, from which documents and metrics are derived. */
export type Operation<
  Path extends PathParameterName = PathParameterName,
  Name extends ParameterName = ParameterName,
> = {
  operationId: string
  /** With `:name` for each parameter. */
  path: string
  tag: Tag
  summary: string
  description: string
  pathParameters: readonly Path[]
  queryParameters: readonly Name[]
  /** The required ones of `queryParameters`. */
  requiredParameters?: readonly Name[]
  /** Definitions for `queryParameters` with another meaning than in other operations. */
  parameters?: OwnParameters
  /** The schema of the JSON; null for other formats. */
  answer: TSchema | null
  /** Besides the problems that all operations share. */
  problems: readonly ProblemCode[]
  /** `list` also has NDJSON or CSV, `bytes` is binary, `fresh` is never cached, `stream` has no end. */
  kind: 'list' | 'single' | 'bytes' | 'fresh' | 'stream'
}

export type Arguments<Path extends PathParameterName, Name extends ParameterName> = Record<
  Path,
  string
> &
  QueryValues<Name>

/** Parameters before validation. */
export type RawArguments = { params: Readonly<Record<string, string>>; query: RawQuery }

/** A validated request: the query, and the canonical path parameters. */
export type ResourceRequest<Body> = {
  query: Query<unknown, Body>
  params: Readonly<Record<string, string>>
}

/** An operation that reads the store. */
export type Resource<Path extends PathParameterName, Name extends ParameterName, Body> = Operation<
  Path,
  Name
> &
  RequestParser<Body> & {
    /** Throws `ApiProblem` for a cursor that this list has not issued. */
    query(args: Arguments<Path, Name>): Query<unknown, Body>
  }

export type RequestParser<Body> = {
  /** Throws `ApiProblem`: first for the path, then with all errors of the query. */
  parseRequest(raw: RawArguments): ResourceRequest<Body>
}

export const createRequestParser = <
  Path extends PathParameterName,
  Name extends ParameterName,
  Body,
>(
  operation: Pick<
    Operation<Path, Name>,
    'pathParameters' | 'queryParameters' | 'requiredParameters' | 'parameters'
  >,
  query: (args: Arguments<Path, Name>) => Query<unknown, Body>,
): RequestParser<Body> => ({
  parseRequest: (raw) => {
    const params = readPath(raw.params, operation.pathParameters)
    const { queryParameters, requiredParameters: required, parameters: own } = operation
    const values = readValues(raw.query, queryParameters, { required, own })
    return { params, query: query({ ...params, ...values }) }
  },
})

/** Replaces the parameters of the path with values. */
export const formatPath = (
  { path, pathParameters }: Pick<Operation, 'path' | 'pathParameters'>,
  args: Readonly<Record<string, unknown>>,
): string => pathParameters.reduce((text, name) => text.replace(`:${name}`, `${args[name]}`), path)

export const READ_PROBLEMS = ['invalid-parameter', 'token-not-in-header', 'bad-request'] as const
export const STORE_PROBLEMS = [
  'store-unavailable',
  'nothing-projected',
  'settling',
  'overloaded',
] as const
export const PROPOSAL_PROBLEMS = [
  ...READ_PROBLEMS,
  'proposal-not-found',
  ...STORE_PROBLEMS,
] as const
export const ROUND_PROBLEMS = [...PROPOSAL_PROBLEMS, 'round-not-found', 'cursor-expired'] as const
