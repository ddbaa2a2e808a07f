// The methods that all revisions of the protocol share, without transport and handshake.
import { withDeadline } from '../../infra/base/runtime/retry.ts'
import { ApiProblem, PROBLEMS, toProblem } from '../problem.ts'
import { proposal } from '../resources/proposal.ts'
import type { Pool } from '../schemas/pool.ts'
import { isAbsent } from './arguments.ts'
import { complete } from './completions.ts'
import { requirePools } from './pool-names.ts'
import { PROMPTS, type PromptArguments, parsePromptArguments } from './prompts.ts'
import { invalidParams, McpRefusal, toRefusal } from './refusal.ts'
import { listResources, RESOURCE_TEMPLATES, readResource } from './resources.ts'
import type { McpSources } from './sources.ts'
import { createToolFailure, describeFailure, runTool } from './tool-results.ts'
import { TOOL_NAMES, TOOLS } from './tools.ts'

export type ToolOutcome = 'answered' | 'problem' | 'failed' | 'abandoned'

export type McpParts = {
  sources: McpSources
  /** `unknown` is for a name without a tool. */
  count: (tool: string, outcome: ToolOutcome) => void
  onFailure: (error: unknown, method: string) => void
}

type Params = Readonly<Record<string, unknown>>
type Method = (params: Params, signal: AbortSignal) => object | Promise<object>

/** Longer than a read of the store. The deadline of a tool is shorter, because a tool can report it in its result. */
const TOOL_DEADLINE_MS = 15_000
const METHOD_DEADLINE_MS = 20_000

const parseCursor = ({ cursor }: Params): string | undefined => {
  if (isAbsent(cursor) || cursor === '') return undefined
  if (typeof cursor === 'string') return cursor
  throw invalidParams('cursor must be the unchanged nextCursor of this list.')
}

/** A list with one page, which never issues a cursor. */
const createWholeList = (result: object) => (params: Params) => {
  if (parseCursor(params) === undefined) return result
  throw invalidParams('This list has only one page: omit cursor.')
}

const parseText = (params: Params, name: string): string => {
  const value = params[name]
  if (typeof value === 'string') return value
  throw invalidParams(`${name} must be a string.`)
}

const listedTools = TOOLS.map(
  ({ name, title, description, inputSchema, outputSchema, annotations }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema,
    annotations,
  }),
)

const listedPrompts = PROMPTS.map(({ write: _, ...listed }) => listed)

const createCallTool =
  ({ sources, count, onFailure }: McpParts): Method =>
  async (params, signal) => {
    const name = parseText(params, 'name')
    const tool = TOOLS.find((each) => each.name === name)
    if (!tool) {
      count('unknown', 'problem')
      throw invalidParams(
        `Unknown tool ${JSON.stringify(name.slice(0, 64))}; the tools are ${TOOL_NAMES.join(', ')}.`,
      )
    }
    const given = params['arguments']
    try {
      const run = () => runTool(tool, given, sources)
      const result = await withDeadline(TOOL_DEADLINE_MS, signal, run)
      count(tool.name, 'answered')
      return result
    } catch (error) {
      if (signal.aborted) {
        count(tool.name, 'abandoned')
        throw error
      }
      const problem = toProblem(error)
      const isOurs = problem.code === 'internal-error'
      if (isOurs) onFailure(error, `tools/call ${tool.name}`)
      count(tool.name, isOurs ? 'failed' : 'problem')
      return createToolFailure(problem, { name, given, sources })
    }
  }

/** The pools that the prompt names. Throws `ApiProblem` for a pool or a proposal that does not exist. */
const checkPrompt = async (
  { pool, proposalId }: PromptArguments,
  sources: McpSources,
): Promise<readonly Pool[]> => {
  if (proposalId !== undefined) await sources.read(proposal, { params: { proposalId }, query: {} })
  return pool === undefined ? [] : requirePools(sources, 'pool', pool)
}

const createGetPrompt =
  ({ sources }: McpParts): Method =>
  async (params) => {
    const name = parseText(params, 'name')
    const prompt = PROMPTS.find((each) => each.name === name)
    if (!prompt) {
      throw invalidParams(
        `Unknown prompt; the prompts are ${PROMPTS.map((each) => each.name).join(', ')}.`,
      )
    }
    const given = parsePromptArguments(prompt, params['arguments'])
    try {
      const text = prompt.write(given, await checkPrompt(given, sources))
      const messages = [{ role: 'user', content: { type: 'text', text } }]
      return { description: prompt.description, messages }
    } catch (error) {
      const problem = toProblem(error)
      if (PROBLEMS[problem.code].status >= 500) throw error
      throw invalidParams(describeFailure(problem, { name, given, sources }))
    }
  }

/** By name. They throw `McpRefusal`. Unexpected errors are reported first and then thrown as `McpRefusal`. */
export type McpMethods = ReadonlyMap<string, Method>

export const createMcpMethods = (parts: McpParts): McpMethods => {
  const { sources, onFailure } = parts
  const guarded =
    (name: string, method: Method): Method =>
    async (params, signal) => {
      try {
        const run = async (until: AbortSignal) => method(params, until)
        return await withDeadline(METHOD_DEADLINE_MS, signal, run)
      } catch (error) {
        if (error instanceof McpRefusal || signal.aborted) throw error
        const problem = toProblem(error)
        if (!(error instanceof ApiProblem) && problem.code === 'internal-error')
          onFailure(error, name)
        throw toRefusal(problem)
      }
    }
  const methods: Record<string, Method> = {
    'tools/list': createWholeList({ tools: listedTools }),
    'tools/call': createCallTool(parts),
    'resources/list': (params) => listResources(sources, parseCursor(params)),
    'resources/templates/list': createWholeList({ resourceTemplates: RESOURCE_TEMPLATES }),
    'resources/read': (params) => readResource(sources, parseText(params, 'uri')),
    'prompts/list': createWholeList({ prompts: listedPrompts }),
    'prompts/get': createGetPrompt(parts),
    'completion/complete': (params) => complete(params, sources),
  }
  return new Map(
    Object.entries(methods).map(([name, method]) => [name, guarded(name, method)] as const),
  )
}
