// A tool's result: the read API's own bytes, and the same parsed once; or what went wrong with the way out of it.
import { type ApiProblem, PROBLEMS } from '../problem.ts'
import { readArguments } from './arguments.ts'
import { describeProblem } from './refusal.ts'
import type { McpSources } from './sources.ts'
import type { Tool } from './tools.ts'

type TextBlock = { type: 'text'; text: string }

export type ToolResult = {
  content: TextBlock[]
  structuredContent?: Record<string, unknown>
  isError?: true
}

export const runTool = async (
  tool: Tool,
  given: unknown,
  sources: McpSources,
): Promise<ToolResult> => {
  const text = await sources.read(tool.operation, readArguments(tool, given))
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text) }
}

const describeRemedy = ({ code }: ApiProblem, tool: Tool, sources: McpSources): string => {
  const [newest] = sources.proposalIds()
  switch (code) {
    case 'proposal-not-found':
      return newest === undefined
        ? 'No proposal is known yet; get_service_status says how far the index is.'
        : `The newest proposal is ${newest}; list_proposals shows which there are.`
    case 'pool-not-found':
      return 'list_proposal_votes shows pools with their operator addresses (pool.operatorAddress).'
    case 'round-not-found':
      return 'Leave round out for the current one.'
    case 'proof-not-found':
      return 'Leave round out for the latest proof; round 0 is the proof of the submission.'
    case 'invalid-parameter':
      return `Correct the arguments of ${tool.name} and call it again.`
    case 'cursor-expired':
      return `Call ${tool.name} without cursor.`
    default:
      return PROBLEMS[code].status === 503
        ? 'Nothing is wrong with the call: make it again in a second.'
        : 'get_service_status says how the service is.'
  }
}

/** Details of the read API end with a full stop or not; here another sentence follows. */
const toSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** What an agent can act on; the shape of the result is not the one that the output schema names. */
export const createToolFailure = (
  problem: ApiProblem,
  tool: Tool,
  sources: McpSources,
): ToolResult => ({
  content: [
    {
      type: 'text',
      text: `${toSentence(describeProblem(problem))} ${describeRemedy(problem, tool, sources)}`,
    },
  ],
  isError: true,
})
