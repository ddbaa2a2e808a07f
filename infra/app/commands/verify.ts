// `rollcall verify`, `tally verify` and `proof verify`: the event log, a tally and the status of a proposal, each verified.
import { parseTrustedHeader, type TrustedHeader } from '../../base/proof/trusted-header.ts'
import { AppError, hasCode } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { withDeadline } from '../../base/runtime/retry.ts'
import { openLog, requireRunning } from '../open-data.ts'
import { createProgressLine } from '../terminal/progress.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  parseProposalId,
  printResult,
  requireArgument,
  textOption,
  UsageError,
  urlOption,
} from './command.ts'

const readProposalId = (context: CommandContext, name: string): string =>
  parseProposalId(requireArgument(context, name, 'one proposal ID'))

export const verify: Command = {
  name: 'verify',
  summary: 'verify the event log: gaps, links, counts, IDs, proofs, undecodable events',
  options: { json: 'print the figures and all violations as JSON' },
  examples: [
    [
      'rollcall verify',
      'read the whole log, also while it is written; exit code 1 if it has a violation',
    ],
  ],
  run: async (context) => {
    const { verifyLog, verifiedLogText } = await import('../tools/verify/log.ts')
    const { signal, process } = context
    const progress = createProgressLine(process.stderr, 'verified: height', 'heights')
    const { log, name, close } = await openLog(context)
    try {
      const verified = await verifyLog({ log, signal, onProgress: progress.show })
      progress.end()
      printResult(context, { log: name, ...verified }, verifiedLogText(verified))
      return verified.violationCount === 0 ? EXIT_CODES.ok : EXIT_CODES.differs
    } finally {
      progress.end()
      await close()
    }
  },
}

/** During a backfill, the requested proposal may be in a later height. */
const withProgress = async (error: unknown, url: string, signal: AbortSignal): Promise<unknown> => {
  if (!hasCode(error, 'EVIDENCE_UNAVAILABLE')) return error
  const { fetchHealth, isFollowing } = await import('../tools/rollcall-client.ts')
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
    round: ['<n>', 'round (default: last)'],
    url: ['<address>', 'base URL of the service (default: the local one)'],
    json: 'print the calculation as JSON',
  },
  examples: [
    [
      'rollcall tally verify 7',
      'print each pool, the sums and the decision; exit code 0 if the tally equals the chain',
    ],
  ],
  run: async (context) => {
    const { env, signal } = context
    const proposalId = readProposalId(context, 'tally verify')
    const round = numberOption(context, 'round', { min: 1 })
    const url = urlOption(context, 'url') ?? requireRunning(env, 'set DATA_DIR, or pass --url').url
    const { verifyTally } = await import('../tools/verify/tally.ts')
    const { workingText } = await import('../tools/verify/print.ts')
    const working = await verifyTally({ proposalId, round, url, signal }).catch(
      async (error: unknown) => Promise.reject(await withProgress(error, url, signal)),
    )
    printResult(context, working, workingText(working))
    return working.equal ? EXIT_CODES.ok : EXIT_CODES.differs
  },
}

const readTrusted = (context: CommandContext): TrustedHeader => {
  const trusted = parseTrustedHeader(textOption(context, 'trust') ?? '')
  if (trusted) return trusted
  throw new UsageError(
    '"proof verify" needs --trust HEIGHT:HASH, a header hash (64 hex digits) from a source that you trust',
  )
}

/** All reads together: a source can answer slowly, and can invent light blocks without end. */
const LIMIT_MS = 5 * 60_000

/** Error codes for a missing proof or light block. */
const MISSING = new Set(['unavailable', 'trusted_unknown'])

export function createProofVerify(limitMs: number): Command {
  return {
    name: 'proof verify',
    summary: 'prove the status and final tally of a proposal from a trusted header',
    arguments: '<proposal id>',
    options: {
      trust: ['<height:hash>', 'trusted header'],
      url: ['<address>', 'source: any Rollcall of the chain, untrusted'],
      round: ['<n>', 'proof of the end of this round, 0 for the submission (default: latest)'],
      json: 'print the result as JSON',
    },
    examples: [
      [
        'rollcall proof verify 7 --trust 1:7E0D6A…F8 --url https://rollcall.example.org',
        'print each step; exit code 1 if the proof is invalid, 69 if there is none',
      ],
    ],
    run: async (context) => {
      const { options, terminal } = context
      const proposalId = BigInt(readProposalId(context, 'proof verify'))
      const trusted = readTrusted(context)
      const url = urlOption(context, 'url')
      if (url === undefined)
        throw new UsageError('"proof verify" needs --url: a Rollcall of the chain')
      const round = numberOption(context, 'round', { min: 0 })
      const { createGetFromApi } = await import('../tools/rollcall-client.ts')
      const { verifyFromApi } = await import('../../base/proof/verify-from-api.ts')
      const { ProofError } = await import('../../base/proof/proof-error.ts')
      const { proofJson, proofText } = await import('../tools/verify/print.ts')
      try {
        const verified = await withDeadline(limitMs, context.signal, (signal) =>
          verifyFromApi(createGetFromApi({ url, signal }), { proposalId, trusted, round }),
        )
        terminal.print(options['json'] ? proofJson(verified) : proofText(verified))
        return EXIT_CODES.ok
      } catch (error) {
        if (!(error instanceof ProofError)) throw error
        if (MISSING.has(error.code)) throw new AppError('EVIDENCE_UNAVAILABLE', error.message)
        terminal.print(`not proved (${error.code}): ${error.message}`)
        return EXIT_CODES.differs
      }
    },
  }
}

export const proofVerify = createProofVerify(LIMIT_MS)
