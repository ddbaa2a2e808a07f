// Defines a resource with a single item.
import type { Query } from '../read/query.ts'
import { type Arguments, createRequestParser, type Operation, type Resource } from './operation.ts'
import type { ParameterName } from './parameters.ts'
import type { PathParameterName } from './path-parameters.ts'

export const defineItem = <Path extends PathParameterName, Name extends ParameterName, Value, Body>(
  definition: Omit<Operation<Path, Name>, 'kind'> & {
    query: (args: Arguments<Path, Name>) => Query<Value, Body>
  },
): Resource<Path, Name, Body> => ({
  ...definition,
  ...createRequestParser(definition, definition.query),
  kind: 'single',
})
