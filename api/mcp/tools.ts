// The tools: operations of the read API that have one, and `search` and `fetch`, with the schemas of arguments and results.
// They are independent of the protocol, so that web pages can offer the same tools.
import { type TObject, Type } from 'typebox'
import type { Operation } from '../resources/operation.ts'
import { OPERATIONS } from '../resources/operations.ts'
import type { OperationTool } from '../resources/reading.ts'
import { type Argument, listArguments } from './arguments.ts'
import { RESEARCH_TOOLS, type ResearchTool } from './research.ts'
import { toShallow } from './shallow-schema.ts'

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
