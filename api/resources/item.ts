// Defines a resource with a single item.
import type { Query } from '../read/query.ts'
import {
  type Arguments,
  createRequestParser,
  type ReadDefinition,
  type Resource,
  withReadProblems,
} from './operation.ts'
import type { ParameterName } from './parameters.ts'

type Definition<Path extends string, Name extends ParameterName, Value, Body> = ReadDefinition<
  Path,
  Name
> & {
  query: (args: Arguments<Path, Name>) => Query<Value, Body>
}

export const defineItem = <Path extends string, Name extends ParameterName, Value, Body>(
  definition: Definition<Path, Name, Value, Body>,
): Resource<Path, Name, Body> => ({
  ...definition,
  ...createRequestParser(definition, definition.query),
  problems: withReadProblems(definition.path, definition.problems),
  kind: 'single',
})
