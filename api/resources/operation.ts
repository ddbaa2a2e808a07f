// One operation of the read API: its address, its parameters, its answer, and what documents say about it.
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

/** What documents say, and metrics count by. */
export type Operation<
  Path extends PathParameterName = PathParameterName,
  Name extends ParameterName = ParameterName,
> = {
  operationId: string
  /** With `:name` for each of its parameters. */
  path: string
  tag: Tag
  summary: string
  description: string
  pathParameters: readonly Path[]
  queryParameters: readonly Name[]
  /** Those of `queryParameters` that must be given; none where absent. */
  requiredParameters?: readonly Name[]
  /** Those of `queryParameters` that mean something else here than in other operations. */
  parameters?: OwnParameters
  /** The schema of the JSON; null where no JSON is answered. */
  answer: TSchema | null
  /** Besides those that every operation can have. */
  problems: readonly ProblemCode[]
  /** `list`: in rows as well as JSON. `bytes`: as they are. `fresh`: never cached. `stream`: without end. */
  kind: 'list' | 'single' | 'bytes' | 'fresh' | 'stream'
}

export type Arguments<Path extends PathParameterName, Name extends ParameterName> = Record<
  Path,
  string
> &
  QueryValues<Name>

/** Parameters as they came: those of the path decoded, those of the query parsed. */
export type RawArguments = { params: Readonly<Record<string, string>>; query: RawQuery }

/** What a request asks for: the query, and the parameters of its path in their one spelling. */
export type ResourceRequest<Body> = {
  query: Query<unknown, Body>
  params: Readonly<Record<string, string>>
}

/** An operation that is answered from the store. */
export type Resource<Path extends PathParameterName, Name extends ParameterName, Body> = Operation<
  Path,
  Name
> &
  RequestParser<Body> & {
    /** Throws `ApiProblem` for a cursor that this list has not issued. */
    query(args: Arguments<Path, Name>): Query<unknown, Body>
  }

export type RequestParser<Body> = {
  /** Throws `ApiProblem`: first for the path, then with all mistakes of the query. */
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

/** The path with its parameters filled in. */
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
