// `rollcall tally verify`: recomputes a tally from its served evidence, and compares it with the served tally.

import { AppError } from '../../runtime/errors.ts'
import { EXIT_CODES } from '../../runtime/exit-codes.ts'
import { readRunFile } from '../data-dir/data-dir.ts'
import { readMachineConfig } from '../supervisor/settings.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  requireHttpUrl,
  textOption,
} from './command.ts'
import { readProposalId } from './proposal-id.ts'

/** The URL of the API: `--url`, else the Rollcall that runs in the data directory. */
const serviceUrl = (context: CommandContext): string => {
  const url = textOption(context, 'url')
  if (url !== undefined) return requireHttpUrl(url, 'url')
  const { dataDir } = readMachineConfig(context.env)
  const running = readRunFile(dataDir)
  if (running) return running.url
  throw new AppError(
    'EVIDENCE_UNAVAILABLE',
    `Rollcall is not running in ${dataDir}: start it, set DATA_DIR, or pass --url`,
  )
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
    const { options, signal, terminal } = context
    const proposalId = readProposalId(context.args, 'tally verify')
    const round = numberOption(context, 'round', { min: 1 })
    const url = serviceUrl(context)
    const { verifyTally } = await import('../../tools/verify/verify-tally.ts')
    const { workingText } = await import('../../tools/verify/print.ts')
    const working = await verifyTally({ proposalId, round, url, signal })
    terminal.print(options['json'] ? JSON.stringify(working, null, 2) : workingText(working))
    return working.equal ? EXIT_CODES.ok : EXIT_CODES.differs
  },
}
