// Parameters of each operation for OpenAPI, from the definitions that validate requests. Pure.
import type { TSchema } from 'typebox'
import type { Operation, RequestHeader } from '../../resources/operation.ts'
import { describeParameter } from '../../resources/parameter.ts'
import { getParameter, type OwnParameters, type ParameterName } from '../../resources/parameters.ts'
import {
  findPathNames,
  getPathParameter,
  type PathParameterName,
} from '../../resources/path-parameters.ts'
import type { ParameterObject } from './types.ts'

const queryParameter = (
  name: ParameterName,
  { required, own }: { required: boolean; own: OwnParameters | undefined },
): ParameterObject => {
  const parameter = getParameter(name, own)
  const { schema, value, example, isList } = parameter
  const { description: _, ...text } = schema as TSchema & { description?: string }
  return {
    name,
    in: 'query',
    required,
    description: describeParameter(parameter),
    ...(isList ? { style: 'form', explode: true } : {}),
    schema: { ...(value ?? text) },
    ...(example === undefined ? {} : { example }),
  }
}

const pathParameter = (name: PathParameterName): ParameterObject => {
  const { description, schema, example } = getPathParameter(name)
  return { name, in: 'path', required: true, description, schema, example }
}

const headerParameter = ({ name, ...header }: RequestHeader): ParameterObject => ({
  name,
  in: 'header',
  required: false,
  ...header,
})

export const toParameterObjects = ({
  kind,
  path,
  queryParameters,
  requiredParameters = [],
  parameters: own,
  requestHeaders = [],
}: Operation): readonly ParameterObject[] => {
  const names = kind === 'list' ? [...queryParameters, 'format' as const] : queryParameters
  return [
    ...findPathNames(path).map(pathParameter),
    ...names.map((name) =>
      queryParameter(name, { required: requiredParameters.includes(name), own }),
    ),
    ...requestHeaders.map(headerParameter),
  ]
}
