// `rollcall doctor`: diagnoses this deployment and suggests fixes. Read-only.
import { readEndpointHeaders } from '../../../ingest/config.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { findingsText } from '../doctor/finding.ts'
import { type Command, printResult, textOption, UsageError, urlOption } from './command.ts'

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
    const { env, signal, terminal } = context
    const url = urlOption(context, 'url')
    const address = textOption(context, 'endpoint')
    if (address !== undefined && url !== undefined) {
      throw new UsageError('--endpoint checks one endpoint: use it without --url')
    }
    const examine = async () => {
      const { examine: examineAll } = await import('../doctor/areas.ts')
      const { withFollowedChain } = await import('../start/followed-chain.ts')
      return await examineAll({ env: withFollowedChain(env), terminal, url, signal })
    }
    const diagnose = async (address: string) => {
      const { diagnoseEndpoint } = await import('../doctor/endpoint.ts')
      const headers = readEndpointHeaders(env, address)
      return (await diagnoseEndpoint({ address, headers, signal })).findings
    }
    const findings = await (address === undefined ? examine() : diagnose(address))
    printResult(context, findings, findingsText(findings))
    const hasProblem = findings.some(({ level }) => level === 'problem')
    return hasProblem ? EXIT_CODES.differs : EXIT_CODES.ok
  },
}
