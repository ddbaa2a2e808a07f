// Calls of tools. A result is the body of the read API with a short reading of it, or an error with a remedy.
import { withDeadline } from '../../infra/base/runtime/retry.ts'
import { isJsonObject } from '../../ingest/contract/json.ts'
import { ApiProblem, describeRemedy, toProblem } from '../read/problems.ts'
import { listPools } from '../resources/pool-search.ts'
import type { Health } from '../schemas/health.ts'
import type { Pool } from '../schemas/pool.ts'
import { catchUpText, silenceText } from '../words/notice.ts'
import { estimateTokens } from '../words/shortened.ts'
import { parseArguments, resolvePool } from './arguments.ts'
import { describeProblem, McpRefusal, toRefusal } from './requests.ts'
import { isReadable, type McpSources } from './sources.ts'
import type { ReadTool, Tool } from './tools.ts'

type TextBlock = { type: 'text'; text: string }

type ToolResult = {
  content: TextBlock[]
  structuredContent?: object
  isError?: true
}

/** Together with the text at most 12,000 tokens. Some assistants refuse results of 25,000. */
const MAX_DATA_TOKENS = 10_800
/** Below 1,200, because the estimate is of data: sentences have up to a quarter more. */
const MAX_TEXT_TOKENS = 930
const MAX_ROWS = 20
const MAX_ROWS_TOKENS = 900
/** For the line about hidden rows. */
const RESERVED_TOKENS = 20

/** The first lines that fit beside the others. */
const takeRows = (rows: readonly string[], others: readonly string[]): string[] => {
  const beside = MAX_TEXT_TOKENS - RESERVED_TOKENS - estimateTokens(others.join('\n'))
  let left = Math.min(MAX_ROWS_TOKENS, beside)
  const end = rows.findIndex((row, at) => {
    left -= estimateTokens(row)
    return left < 0 || at === MAX_ROWS
  })
  return rows.slice(0, end === -1 ? rows.length : end)
}

type Page = { nextCursor?: string | null }

const describeMore = (tool: ReadTool, body: object): string[] => {
  const { page } = body as { page?: Page }
  const cursor = page?.nextCursor ?? null
  return cursor === null ? [] : [`More: call ${tool.name} with cursor ${JSON.stringify(cursor)}.`]
}

const describeShortened = (body: object): string[] => {
  const { items = [] } = body as { items?: readonly { truncated?: boolean }[] }
  return items.some(({ truncated }) => truncated)
    ? ['Long texts of rows are shortened; wholeAt is the URL of all of it.']
    : []
}

/** Data of the past, or of the last block, may look current. */
const describeAge = ({ catchUp, noBlockSince, chain }: Health): string[] => [
  ...(catchUp === null ? [] : [catchUpText(catchUp)]),
  ...(noBlockSince === null ? [] : [silenceText(noBlockSince, chain?.demo)]),
]

/** Lines of a text: what the data are, some of the rows, and what is left out. */
const writeReading = (
  tool: ReadTool,
  body: object,
  { pool, health }: { pool: Pool | undefined; health: Health },
): string => {
  const { lines, rows } = tool.read(body)
  const before = [
    ...(pool === undefined ? [] : [`The pool is ${listPools([pool]).join('')}.`]),
    ...lines,
  ]
  const after = [...describeShortened(body), ...describeMore(tool, body), ...describeAge(health)]
  const taken = takeRows(rows, [...before, ...after])
  const hidden = rows.length - taken.length
  return [
    ...before,
    ...taken.map((row) => `- ${row}`),
    ...(hidden === 0 ? [] : [`${hidden} more rows are in the structured content.`]),
    ...after,
  ].join('\n')
}

/** A pool that was found by its name is named in the data too. */
const namePool = ({ operatorAddress, accountAddress, moniker }: Pool): object => ({
  pool: { operatorAddress, accountAddress, moniker },
})

const runTool = async (tool: Tool, given: unknown, sources: McpSources): Promise<ToolResult> => {
  const parsed = parseArguments(tool, given)
  if ('run' in tool) {
    const found = await tool.run(parsed.query, sources)
    return { content: [{ type: 'text', text: JSON.stringify(found) }], structuredContent: found }
  }
  const { operation, usualRows } = tool
  const { request, pool } = await resolvePool(sources, parsed)
  const bounds = { maxTokens: MAX_DATA_TOKENS, maxItems: request.limit ?? usualRows }
  const body = isReadable(operation)
    ? await sources.read(operation, request, bounds)
    : sources.health()
  const health = sources.health()
  return {
    content: [{ type: 'text', text: writeReading(tool, body, { pool, health }) }],
    structuredContent: pool === undefined ? body : { ...namePool(pool), ...body },
  }
}

/** Adds a missing full stop, because another sentence follows. */
const toSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** `name` is that of a tool, and `given` are the arguments as they were sent. */
type Failed = { name: string; given: unknown; sources: McpSources }

/** A text on which an agent can act. */
const describeFailure = (problem: ApiProblem, { name, given, sources }: Failed): string => {
  const [newestProposal] = sources.proposalIds()
  const call = { name, given: isJsonObject(given) ? given : {}, newestProposal }
  const remedy = describeRemedy(problem.code, call)
  const sentences = [toSentence(describeProblem(problem)), ...(remedy === null ? [] : [remedy])]
  return sentences.join(' ')
}

/** Without `structuredContent`. */
export const createToolFailure = (problem: ApiProblem, call: Failed): ToolResult => ({
  content: [
    {
      type: 'text',
      text: [describeFailure(problem, call), ...describeAge(call.sources.health())].join(' '),
    },
  ],
  isError: true,
})

export type ToolOutcome = 'answered' | 'problem' | 'failed' | 'abandoned'

export type McpParts = {
  sources: McpSources
  count: (tool: string, outcome: ToolOutcome) => void
  onFailure: (error: unknown, method: string) => void
}

/** Longer than a read of the store. */
const TOOL_DEADLINE_MS = 15_000

export async function callTool(
  tool: Tool,
  given: unknown,
  { sources, count, onFailure }: McpParts,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { name } = tool
  try {
    const result = await withDeadline(TOOL_DEADLINE_MS, signal, () => runTool(tool, given, sources))
    count(name, 'answered')
    return result
  } catch (error) {
    if (signal.aborted) {
      count(name, 'abandoned')
      throw error
    }
    const problem = toProblem(error)
    const isOurs = problem.code === 'internal-error'
    if (isOurs) onFailure(error, `tools/call ${name}`)
    count(name, isOurs ? 'failed' : 'problem')
    return createToolFailure(problem, { name, given, sources })
  }
}

/** For methods whose results cannot contain an error. Throws `McpRefusal`; an unexpected error is reported first. */
export async function refuseUnlessExpected<Result>(
  method: string,
  { onFailure }: McpParts,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof McpRefusal) throw error
    const problem = toProblem(error)
    if (!(error instanceof ApiProblem) && problem.code === 'internal-error') {
      onFailure(error, method)
    }
    throw toRefusal(problem)
  }
}
