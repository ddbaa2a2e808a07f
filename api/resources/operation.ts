// What an operation is: path, parameters, response and description; and the definition of those with a single item.
import type { Static, TSchema } from 'typebox'
import type { ProblemCode } from '../read/problems.ts'
import type { Query } from '../read/query.ts'
import {
  type ListFormat,
  type OwnParameters,
  type ParameterName,
  parseQuery,
  type QueryValues,
  type RawQuery,
} from './parameters.ts'
import { type PathNames, parsePath } from './path-parameters.ts'
import { createItemTool, type ItemTool, type OperationTool } from './reading.ts'

export type Tag = 'Proposals' | 'Pools and voters' | 'Proofs' | 'Service'

export type RequestHeader = {
  name: string
  description: string
  schema: Readonly<Record<string, unknown>>
}

/** The definition of an operation, from which documents and metrics are derived. */
export type Operation<
  Path extends string = string,
  Name extends ParameterName = ParameterName,
  Answer extends TSchema | null = TSchema | null,
> = {
  operationId: string
  /** With `:name` for each parameter. */
  path: Path
  tag: Tag
  summary: string
  /** What it answers, as a short phrase for language models: `deposits, oldest first`. */
  guide: string
  description: string
  queryParameters: readonly Name[]
  /** The required ones of `queryParameters`. */
  requiredParameters?: readonly Name[]
  /** Definitions for `queryParameters` with another meaning than in other operations. */
  parameters?: OwnParameters
  requestHeaders?: readonly RequestHeader[]
  /** The schema of the JSON; null for other formats. */
  answer: Answer
  /** Besides the problems that all operations share. */
  problems: readonly ProblemCode[]
  /** `list` also has NDJSON or CSV, `bytes` is binary, `text` is plain, `fresh` is never cached, `stream` has no end. */
  kind: 'list' | 'single' | 'bytes' | 'text' | 'fresh' | 'stream'
  /** Items per page of a list. */
  pageSize?: number
  tool?: OperationTool | undefined
}

/** The definition of an operation that reads the store. It names only problems that not all of these operations have. */
export type ReadDefinition<
  Path extends string,
  Name extends ParameterName,
  Answer extends TSchema | null = TSchema | null,
> = Omit<Operation<Path, Name, Answer>, 'kind' | 'problems' | 'tool'> &
  Partial<Pick<Operation, 'problems'>>

export type Arguments<Path extends string, Name extends ParameterName> = Record<
  PathNames<Path>,
  string
> &
  QueryValues<Name>

/** Parameters before validation. */
export type RawArguments = { params: Readonly<Record<string, string>>; query: RawQuery }

/** A validated request: the query, and the canonical path parameters. */
export type ResourceRequest<Body> = {
  query: Query<unknown, Body>
  params: Readonly<Record<string, string>>
  /** The requested format of a list; absent if `Accept` selects it. */
  format?: ListFormat | undefined
}

export type RequestParser<Body> = {
  /** Throws `ApiProblem`: first for the path, then with all errors of the query. */
  parseRequest(raw: RawArguments): ResourceRequest<Body>
}

/** An operation that reads the store. */
export type Resource<Path extends string, Name extends ParameterName, Body> = Operation<
  Path,
  Name
> &
  RequestParser<Body> & {
    /** Throws `ApiProblem` for a cursor that this list has not issued. */
    query(args: Arguments<Path, Name>): Query<unknown, Body>
  }

type Parsed<Path extends string, Name extends ParameterName> = Pick<
  Operation<Path, Name>,
  'path' | 'queryParameters' | 'requiredParameters' | 'parameters'
>

/** `format` is a parameter of lists over HTTP, but not as arguments of tools. */
export const createRequestParser = <Path extends string, Name extends ParameterName, Body>(
  { path, queryParameters, requiredParameters: required, parameters: own }: Parsed<Path, Name>,
  query: (args: Arguments<Path, Name>) => Query<unknown, Body>,
  more: readonly 'format'[] = [],
): RequestParser<Body>['parseRequest'] => {
  const allowed = [...queryParameters, ...more]
  return (raw) => {
    const params = parsePath(path, raw.params)
    const { format, ...values } = parseQuery(raw.query, allowed, { required, own })
    return { params, query: query({ ...params, ...values } as Arguments<Path, Name>), format }
  }
}

/** The problems of an operation that reads the store. */
export const withReadProblems = (
  path: string,
  own: readonly ProblemCode[] = [],
): readonly ProblemCode[] => [
  'invalid-parameter',
  'token-not-in-header',
  'bad-request',
  ...(path.includes(':proposalId') ? (['proposal-not-found'] as const) : []),
  ...own,
  'store-unavailable',
  'nothing-projected',
  'settling',
  'overloaded',
]

export function defineItem<
  Path extends string,
  Name extends ParameterName,
  Answer extends TSchema | null,
  Value,
  Body,
>(
  definition: ReadDefinition<Path, Name, Answer> & {
    query: (args: Arguments<Path, Name>) => Query<Value, Body>
    tool?: Answer extends TSchema ? ItemTool<Static<Answer>> : never
  },
): Resource<Path, Name, Body> {
  return {
    ...definition,
    parseRequest: createRequestParser(definition, definition.query),
    problems: withReadProblems(definition.path, definition.problems),
    kind: 'single',
    tool: definition.tool && createItemTool(definition.tool),
  }
}

/** Bytes that are stored in chunks and sent as a stream. They never change. */
export type Download = {
  sha256: string
  size: number
  chunks: number
  chunkQuery: (chunk: number) => Query<Buffer>
  mediaType: string
  /** The name under which a browser saves them; null for bytes that it can show. */
  fileName: string | null
}

export function defineDownload<Path extends string, Name extends ParameterName, Value>(
  definition: ReadDefinition<Path, Name> & {
    query: (args: Arguments<Path, Name>) => Query<Value, Download>
  },
): Resource<Path, Name, Download> {
  return { ...defineItem(definition), kind: 'bytes' }
}
