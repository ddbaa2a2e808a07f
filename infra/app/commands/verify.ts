// `rollcall verify`: verifies the event log.
import type { EventLog } from '../../base/log/event-log.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import type { VerifiedLog } from '../tools/verify/verify-log.ts'
import { type Command, type CommandContext, printResult, refuseArguments } from './command.ts'
import { openLog } from './log-access.ts'
import { createProgressLine } from './progress-line.ts'

const proveLog = async (
  { process, signal }: CommandContext,
  log: EventLog,
): Promise<VerifiedLog> => {
  const { verifyLog } = await import('../tools/verify/verify-log.ts')
  const progress = createProgressLine(process.stderr, { what: 'verified: height', unit: 'heights' })
  try {
    return await verifyLog({ log, signal, onProgress: progress.show })
  } finally {
    progress.end()
  }
}

export const verify: Command = {
  name: 'verify',
  summary: 'verify the event log: gaps, links, counts, IDs, proofs, undecodable events',
  options: {
    json: { type: 'boolean', description: 'print the figures and all violations as JSON' },
  },
  examples: [
    {
      line: 'rollcall verify',
      description:
        'read the whole log, also while it is written; exit code 1 if it has a violation',
    },
  ],
  run: async (context) => {
    refuseArguments(context, verify)
    const { log, name, close } = await openLog(context)
    try {
      const proved = await proveLog(context, log)
      const { verifiedLogText } = await import('../tools/verify/print-log.ts')
      printResult(context, { log: name, ...proved }, verifiedLogText(proved))
      return proved.violationCount === 0 ? EXIT_CODES.ok : EXIT_CODES.differs
    } finally {
      await close()
    }
  },
}
