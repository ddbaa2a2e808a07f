// `rollcall tally verify`: recomputes a tally from its served evidence, and compares it with the served tally.

import { AppError, hasCode } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { describeNotServing, readRunFile } from '../data-dir/data-dir.ts'
import { readMachineConfig } from '../machine-settings.ts'
import { fetchHealth, isFollowing } from '../start/watch-health.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  printResult,
  requireHttpUrl,
  requireProposalId,
  textOption,
} from './command.ts'

/** The URL of the API: `--url`, else the Rollcall that runs in the data directory. */
const serviceUrl = (context: CommandContext): string => {
  const url = textOption(context, 'url')
  if (url !== undefined) return requireHttpUrl(url, 'url')
  const { dataDir } = readMachineConfig(context.env)
  const running = readRunFile(dataDir)
  if (running) return running.url
  throw new AppError(
    'EVIDENCE_UNAVAILABLE',
    `${describeNotServing(dataDir)}. Or set DATA_DIR, or pass --url`,
  )
}

/** During a backfill, the requested proposal may be in a later height. */
const withProgress = async (error: unknown, url: string, signal: AbortSignal): Promise<unknown> => {
  if (!hasCode(error, 'EVIDENCE_UNAVAILABLE')) return error
  const health = await fetchHealth(url, signal)
  if (!health || isFollowing(health)) return error
  const { height, tip } = health
  const message = `${error.message}\nRollcall is still indexing: height ${height} of ${tip}`
  return new AppError(error.code, message, { expose: true, cause: error })
}

export const tallyVerify: Command = {
  name: 'tally verify',
  summary: 'recompute a tally from its served evidence and compare',
  arguments: '<proposal id>',
  options: {
    round: { type: 'string', value: '<n>', description: 'round (default: last)' },
    url: {
      type: 'string',
      value: '<address>',
      description: 'base URL of the service (default: the local one)',
    },
    json: { type: 'boolean', description: 'print the calculation as JSON' },
  },
  examples: [
    {
      line: 'rollcall tally verify 7',
      description:
        'print each pool, the sums and the decision; exit code 0 if the tally equals the chain',
    },
  ],
  run: async (context) => {
    const { signal } = context
    const proposalId = requireProposalId(context, 'tally verify')
    const round = numberOption(context, 'round', { min: 1 })
    const url = serviceUrl(context)
    const { verifyTally } = await import('../tools/verify/verify-tally.ts')
    const { workingText } = await import('../tools/verify/print.ts')
    const working = await verifyTally({ proposalId, round, url, signal }).catch(
      async (error: unknown) => Promise.reject(await withProgress(error, url, signal)),
    )
    printResult(context, working, workingText(working))
    return working.equal ? EXIT_CODES.ok : EXIT_CODES.differs
  },
}
