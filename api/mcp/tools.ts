// The tools: operations of the read API that have one, with the schemas of their arguments and results.
// They are independent of the protocol, so that web pages can offer the same tools.
import { type TObject, Type } from 'typebox'
import type { Operation } from '../resources/operation.ts'
import { OPERATIONS } from '../resources/operations.ts'
import type { OperationTool } from '../resources/tool.ts'
import { type Argument, listArguments } from './arguments.ts'
import { toShallow } from './shallow-schema.ts'

export type Tool = OperationTool & {
  operation: Operation
  arguments: readonly Argument[]
  inputSchema: TObject
  outputSchema: TObject
  annotations: typeof READS_ONLY
}

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

const createTool = (operation: Operation, tool: OperationTool): Tool => {
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

export const TOOLS: readonly Tool[] = OPERATIONS.flatMap((operation) =>
  operation.tool ? [createTool(operation, operation.tool)] : [],
)

export const TOOL_NAMES: readonly string[] = TOOLS.map(({ name }) => name)
