// `rollcall doctor`: diagnoses this deployment and suggests fixes. Read-only.
import { readEndpointHeaders } from '../../../ingest/config.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { type Finding, findingsText, hasProblem } from '../doctor/finding.ts'
import {
  type Command,
  type CommandContext,
  printResult,
  textOption,
  UsageError,
  urlOption,
} from './command.ts'

/** Needs no deployment. */
const examineEndpoint = async (
  context: CommandContext,
  address: string,
): Promise<readonly Finding[]> => {
  const { env, signal } = context
  const { diagnoseEndpoint } = await import('../doctor/endpoint.ts')
  const headers = readEndpointHeaders(env, address)
  return (await diagnoseEndpoint({ address, headers, signal })).findings
}

const examineDeployment = async (context: CommandContext, url: string | undefined) => {
  const { examine } = await import('../doctor/areas.ts')
  const { withFollowedChain } = await import('../start/followed-chain.ts')
  return await examine({ ...context, env: withFollowedChain(context.env), url })
}

export const doctor: Command = {
  name: 'doctor',
  summary: 'diagnose this deployment and suggest fixes',
  options: {
    url: ['<address>', 'base URL of the API to check (default: the local API)'],
    endpoint: [
      '<address>',
      'check only this RPC endpoint, before you use it: what it has, and what Rollcall can serve from it',
    ],
    json: 'print the findings as JSON',
  },
  examples: [
    [
      'rollcall doctor',
      'check settings, data directory, event log, chain, ClickHouse and API; exit code 1 if there is a problem',
    ],
    [
      'rollcall doctor --endpoint https://rpc.example.org',
      'check an endpoint, with about 60 requests; exit code 1 if there is a problem',
    ],
  ],
  run: async (context) => {
    const url = urlOption(context, 'url')
    const endpoint = textOption(context, 'endpoint')
    if (endpoint !== undefined && url !== undefined) {
      throw new UsageError('--endpoint checks one endpoint: use it without --url')
    }
    const findings =
      endpoint === undefined
        ? await examineDeployment(context, url)
        : await examineEndpoint(context, endpoint)
    printResult(context, findings, findingsText(findings))
    return hasProblem(findings) ? EXIT_CODES.differs : EXIT_CODES.ok
  },
}
