// Results of tools: the JSON of the read API as text and parsed, or an error with a remedy.
import { type ApiProblem, PROBLEMS } from '../problem.ts'
import { MAX_ITEM_BYTES } from '../shortened.ts'
import { parseArguments } from './arguments.ts'
import { describeProblem } from './refusal.ts'
import { isReadable, type McpSources } from './sources.ts'
import type { Tool } from './tools.ts'

type TextBlock = { type: 'text'; text: string }

export type ToolResult = {
  content: TextBlock[]
  structuredContent?: object
  isError?: true
}

/** A body whose JSON would have more than 64 KiB is shortened. */
export const runTool = async (
  tool: Tool,
  given: unknown,
  sources: McpSources,
): Promise<ToolResult> => {
  const request = parseArguments(tool, given)
  const { operation } = tool
  const body = isReadable(operation)
    ? await sources.read(operation, request, MAX_ITEM_BYTES)
    : sources.health()
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body }
}

const describeRemedy = ({ code }: ApiProblem, tool: Tool, sources: McpSources): string => {
  const [newest] = sources.proposalIds()
  switch (code) {
    case 'proposal-not-found':
      return newest === undefined
        ? 'No proposal is indexed yet; get_service_status has the indexed height.'
        : `The newest proposal is ${newest}; list_proposals lists all of them.`
    case 'pool-not-found':
      return 'list_proposal_votes has the operator addresses of pools (pool.operatorAddress).'
    case 'round-not-found':
      return 'Omit round for the current round.'
    case 'proof-not-found':
      return 'Omit round for the latest proof; round 0 is the proof of the submission.'
    case 'invalid-parameter':
      return `Correct the arguments of ${tool.name} and call it again.`
    case 'cursor-expired':
      return `Call ${tool.name} without cursor.`
    default:
      return PROBLEMS[code].status === 503
        ? 'The call is valid: repeat it after a second.'
        : 'get_service_status has the status of the service.'
  }
}

/** Adds a missing full stop, because another sentence follows. */
const toSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`)

/** A text on which an agent can act, without `structuredContent`. */
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
