// Defines a list resource, from what its operation says and how its pages are read.
import type { Static, TSchema } from 'typebox'
import type { Columns } from '../schemas/columns.ts'
import type { AsOf } from '../schemas/common.ts'
import { createListQuery, type ListSource } from './list-query.ts'
import {
  type Arguments,
  createRequestParser,
  type ReadDefinition,
  type RequestParser,
  type Resource,
  withReadProblems,
} from './operation.ts'
import { NESTED_LIST_PARAMETERS, type ParameterName } from './parameters.ts'
import { createListTool, type ListTool } from './tool.ts'

export type ListBody<Item> = {
  items: readonly Item[]
  page: { totalItems: number | null; nextCursor?: string | null }
  links: { self: string; next: string | null; prev?: string | null }
  asOf: AsOf
}

/** The body with this schema. The items of a list with `line` are texts, which the schema does not describe. */
type BodyOf<Answer extends TSchema, Item> =
  Static<Answer> extends ListBody<Item> ? Static<Answer> : ListBody<Item>

type ItemOf<Answer extends TSchema> = Static<Answer> extends ListBody<infer Item> ? Item : never

type Definition<
  Path extends string,
  Name extends ParameterName,
  Answer extends TSchema,
  Item,
> = ReadDefinition<Path, Name, Answer> &
  ListSource<Path, Name, Item> & {
    /** Null for items that do not fit into a flat row. */
    columns: Columns<Item> | null
    tool?: ListTool<NoInfer<Item>, BodyOf<Answer, NoInfer<Item>>>
  }

export type ListResource<
  Path extends string,
  Name extends ParameterName,
  Item,
  Body extends ListBody<Item> = ListBody<Item>,
> = Resource<Path, Name, Body> & {
  columns: Columns<Item> | null
  pageSize: number
  line?(item: Item): string
  /** As `parseRequest`, but with the format that the query names. */
  parseFormattedRequest: RequestParser<Body>['parseRequest']
  /** The cursor of a position in this list. */
  cursorAt: (args: Arguments<Path, Name>, position: string, generation: number) => string
}

export const defineList = <
  Path extends string,
  Name extends ParameterName,
  Answer extends TSchema,
  Item = ItemOf<Answer>,
>(
  definition: Definition<Path, Name, Answer, Item>,
): ListResource<Path, Name, Item, BodyOf<Answer, Item>> => {
  type Body = BodyOf<Answer, Item>
  const { columns, tool, guide, path, problems = [] } = definition
  const { query, cursorAt } = createListQuery<Path, Name, Item, Body>(definition)
  const parameters = {
    ...definition.parameters,
    ...(columns === null ? NESTED_LIST_PARAMETERS : {}),
  }
  return {
    ...definition,
    parameters,
    parseRequest: createRequestParser(definition, query),
    parseFormattedRequest: createRequestParser({ ...definition, parameters }, query, ['format']),
    problems: withReadProblems(path, [...problems, 'cursor-expired']),
    kind: 'list',
    tool: tool && createListTool<Item, Body>(tool, guide),
    query,
    cursorAt,
  }
}
