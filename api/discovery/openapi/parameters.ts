// Parameters of each operation for OpenAPI, from the definitions that validate requests. Pure.
import type { TSchema } from 'typebox'
import type { Operation } from '../../resources/operation.ts'
import { getParameter, type OwnParameters, type ParameterName } from '../../resources/parameters.ts'
import {
  findPathNames,
  getPathParameter,
  type PathParameterName,
} from '../../resources/path-parameters.ts'
import type { ParameterObject } from './types.ts'

const capitalize = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const queryParameter = (
  name: ParameterName,
  { required, own }: { required: boolean; own: OwnParameters | undefined },
): ParameterObject => {
  const { schema, description, value, example, isList } = getParameter(name, own)
  const { description: _, ...text } = schema as TSchema & { description?: string }
  return {
    name,
    in: 'query',
    required,
    description: capitalize(description),
    ...(isList ? { style: 'form', explode: true } : {}),
    schema: { ...(value ?? text) },
    ...(example === undefined ? {} : { example }),
  }
}

const pathParameter = (name: PathParameterName): ParameterObject => {
  const { description, schema, example } = getPathParameter(name)
  return { name, in: 'path', required: true, description, schema, example }
}

/** The stream has a filter and the header with which a client resumes. */
const STREAM_PARAMETERS: readonly ParameterObject[] = [
  {
    name: 'proposalId',
    in: 'query',
    required: false,
    description: 'Only changes of this proposal',
    schema: { type: 'string', pattern: '^[0-9]{1,20}$' },
    example: '2',
  },
  {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description:
      'The `id` of the last event that the client received: the stream continues after it',
    schema: { type: 'string', maxLength: 200 },
  },
]

export const toParameterObjects = ({
  kind,
  path,
  queryParameters,
  requiredParameters = [],
  parameters: own,
}: Operation): readonly ParameterObject[] => {
  if (kind === 'stream') return STREAM_PARAMETERS
  const names = kind === 'list' ? [...queryParameters, 'format' as const] : queryParameters
  return [
    ...findPathNames(path).map(pathParameter),
    ...names.map((name) =>
      queryParameter(name, { required: requiredParameters.includes(name), own }),
    ),
  ]
}
