// `rollcall doctor`: diagnoses this deployment and suggests fixes. Read-only.
import { readEndpointHeaders } from '../../../ingest/config.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { type Finding, findingsText } from '../doctor/finding.ts'
import {
  type Command,
  type CommandContext,
  printResult,
  textOption,
  UsageError,
  urlOption,
} from './command.ts'

const examine = async (
  { env, signal, terminal }: CommandContext,
  { url, endpoint }: { url: string | undefined; endpoint: string | undefined },
): Promise<readonly Finding[]> => {
  if (endpoint === undefined) {
    const { examine } = await import('../doctor/areas.ts')
    const { withFollowedChain } = await import('../start/followed-chain.ts')
    return await examine({ terminal, signal, env: withFollowedChain(env), url })
  }
  const { diagnoseEndpoint } = await import('../doctor/endpoint.ts')
  const headers = readEndpointHeaders(env, endpoint)
  return (await diagnoseEndpoint({ address: endpoint, headers, signal })).findings
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
    const findings = await examine(context, { url, endpoint })
    printResult(context, findings, findingsText(findings))
    const hasProblem = findings.some(({ level }) => level === 'problem')
    return hasProblem ? EXIT_CODES.differs : EXIT_CODES.ok
  },
}
