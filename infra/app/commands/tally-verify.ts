// `rollcall tally verify`: recomputes a tally from its served evidence alone, and compares.

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

/** The API to ask: as given, else the Rollcall that runs in the data directory. */
const serviceUrl = (context: CommandContext): string => {
  const url = textOption(context, 'url')
  if (url !== undefined) return requireHttpUrl(url, 'url')
  const { dataDir } = readMachineConfig(context.env)
  const running = readRunFile(dataDir)
  if (running) return running.url
  throw new AppError(
    'EVIDENCE_UNAVAILABLE',
    `no Rollcall runs in ${dataDir}: start it, set DATA_DIR, or say where with --url`,
  )
}

export const tallyVerify: Command = {
  name: 'tally verify',
  summary: 'recompute a tally from its served evidence alone, and compare',
  arguments: '<proposal id>',
  options: {
    round: { type: 'string', value: '<n>', description: 'this round; by default the last one' },
    url: {
      type: 'string',
      value: '<address>',
      description: 'the service to ask; by default the local one',
    },
    json: { type: 'boolean', description: 'the calculation as JSON' },
  },
  examples: [
    {
      line: 'rollcall tally verify 7',
      description:
        "every pool's part, the sums, the decision; exit code 0 where the tally is the chain's own",
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
