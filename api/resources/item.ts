// Defines a resource with a single item.
import type { Static, TSchema } from 'typebox'
import type { Query } from '../read/query.ts'
import {
  type Arguments,
  createRequestParser,
  type ReadDefinition,
  type Resource,
  withReadProblems,
} from './operation.ts'
import type { ParameterName } from './parameters.ts'
import { createItemTool, type ItemTool } from './tool.ts'

type Definition<
  Path extends string,
  Name extends ParameterName,
  Answer extends TSchema | null,
  Value,
  Body,
> = ReadDefinition<Path, Name, Answer> & {
  query: (args: Arguments<Path, Name>) => Query<Value, Body>
  tool?: Answer extends TSchema ? ItemTool<Static<Answer>> : never
}

export const defineItem = <
  Path extends string,
  Name extends ParameterName,
  Answer extends TSchema | null,
  Value,
  Body,
>(
  definition: Definition<Path, Name, Answer, Value, Body>,
): Resource<Path, Name, Body> => ({
  ...definition,
  parseRequest: createRequestParser(definition, definition.query),
  problems: withReadProblems(definition.path, definition.problems),
  kind: 'single',
  tool: definition.tool && createItemTool(definition.tool),
})
