// The tools: operations of the read API that have one, and `search` and `fetch`, with the schemas of arguments and results.
// They are independent of the protocol, so that web pages can offer the same tools.
import { type TObject, type TSchema, Type } from 'typebox'
import type { Operation } from '../resources/operation.ts'
import { OPERATIONS } from '../resources/operations.ts'
import type { OperationTool } from '../resources/reading.ts'
import { type Argument, listArguments } from './arguments.ts'
import { RESEARCH_TOOLS, type ResearchTool } from './research.ts'

type Listed = { inputSchema: TObject; annotations: typeof READS_ONLY }
export type ReadTool = OperationTool &
  Listed & { operation: Operation; arguments: readonly Argument[]; outputSchema: TObject }
export type Tool = ReadTool | (ResearchTool & Listed)

/** The world is closed, because tools read only the tables of this service. */
export const READS_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const

type Schema = {
  type?: unknown
  anyOf?: readonly TSchema[]
  items?: TSchema
  enum?: readonly unknown[]
  const?: unknown
}

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value)

/** One for each type of its values; none if any value is valid. */
const listShallow = ({ type, items = {}, anyOf, enum: values, ...rest }: Schema): object[] => {
  if (anyOf) return anyOf.flatMap(listShallow)
  if (values) return values.map((value) => ({ type: typeOf(value) }))
  if (type === 'array') return [{ type, items: toShallowMember(items) }]
  if (typeof type === 'string') return [{ type }]
  return 'const' in rest ? [{ type: typeOf(rest.const) }] : []
}

/** The types alone. A list says the types of its items. */
const toShallowMember = (schema: TSchema): TSchema => {
  const distinct = new Map(listShallow(schema).map((each) => [JSON.stringify(each), each]))
  const [first = {}, ...others] = distinct.values()
  return Type.Unsafe(others.length === 0 ? first : { anyOf: [first, ...others] })
}

/** The members of a result with their types: a full schema costs an assistant more than a result, and `/openapi.json` has it. */
const toShallow = ({ properties, required }: TObject): TObject =>
  Type.Unsafe({
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, toShallowMember(schema)]),
    ),
    required,
  }) as unknown as TObject

const createInputSchema = (args: readonly Argument[]): TObject =>
  Type.Object(
    Object.fromEntries(
      args.map(({ name, schema, isRequired }) => [
        name,
        isRequired ? schema : Type.Optional(schema),
      ]),
    ),
    { additionalProperties: false },
  )

const createTool = (operation: Operation, tool: OperationTool): ReadTool => {
  const args = listArguments(operation)
  return {
    ...tool,
    operation,
    arguments: args,
    inputSchema: createInputSchema(args),
    outputSchema: toShallow(operation.answer as TObject),
    annotations: READS_ONLY,
  }
}

export const TOOLS: readonly Tool[] = [
  ...OPERATIONS.flatMap((operation) =>
    operation.tool ? [createTool(operation, operation.tool)] : [],
  ),
  ...RESEARCH_TOOLS.map((tool) => ({
    ...tool,
    inputSchema: createInputSchema(tool.arguments),
    annotations: READS_ONLY,
  })),
]

export const TOOL_NAMES: readonly string[] = TOOLS.map(({ name }) => name)
