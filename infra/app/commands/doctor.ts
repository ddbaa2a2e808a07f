// `rollcall doctor`: diagnoses this deployment and suggests fixes. Read-only.
import { readEndpointHeaders } from '../../../ingest/config.ts'
import { pause } from '../../base/runtime/clock.ts'
import { hasCode } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import {
  changesBetween,
  changeText,
  type Finding,
  findingsText,
  hasProblem,
} from '../doctor/finding.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  printResult,
  textOption,
  UsageError,
  urlOption,
} from './command.ts'

const exitCodeFor = (findings: readonly Finding[]): number =>
  hasProblem(findings) ? EXIT_CODES.differs : EXIT_CODES.ok

/** Returns the exit code. */
const report = (context: CommandContext, findings: readonly Finding[]): number => {
  printResult(context, findings, findingsText(findings))
  return exitCodeFor(findings)
}

/** With `--json` each change is a line. The exit code is that of the last check. */
const watch = async (
  context: CommandContext,
  everyMs: number,
  examine: () => Promise<readonly Finding[]>,
): Promise<number> => {
  const { terminal, options, signal } = context
  let last: readonly Finding[] | undefined
  try {
    while (!signal.aborted) {
      const findings = await examine()
      const at = new Date().toISOString()
      if (!last) report(context, findings)
      for (const change of last ? changesBetween(last, findings) : []) {
        terminal.print(options['json'] ? JSON.stringify({ at, ...change }) : changeText(at, change))
      }
      last = findings
      await pause(everyMs, signal)
    }
  } catch (error) {
    // An interrupted check is not a failure.
    if (!(signal.aborted && hasCode(error, 'ABORTED'))) throw error
  }
  return exitCodeFor(last ?? [])
}

/** Needs no deployment. */
const examineEndpoint = async (context: CommandContext, address: string): Promise<number> => {
  const other = ['url', 'watch'].find((name) => textOption(context, name) !== undefined)
  if (other) throw new UsageError(`--endpoint checks one endpoint once: use it without --${other}`)
  const { diagnoseEndpoint } = await import('../doctor/diagnose-endpoint.ts')
  const { env, signal } = context
  const headers = readEndpointHeaders(env, address)
  const { findings } = await diagnoseEndpoint({ address, headers, signal })
  return report(context, findings)
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
    watch: ['<s>', 'repeat the checks at this interval and print changes, until Ctrl-C'],
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
    ['rollcall doctor --watch 30', 'print all findings once, then new and resolved ones'],
  ],
  run: async (context) => {
    const url = urlOption(context, 'url')
    const endpoint = textOption(context, 'endpoint')
    if (endpoint !== undefined) return await examineEndpoint(context, endpoint)
    const everySeconds = numberOption(context, 'watch', { min: 1 })
    const { examine } = await import('../doctor/areas.ts')
    const examineAll = () => examine({ ...context, url })
    return everySeconds === undefined
      ? report(context, await examineAll())
      : await watch(context, everySeconds * 1000, examineAll)
  },
}
