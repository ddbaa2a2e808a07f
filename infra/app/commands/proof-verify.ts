// `rollcall proof verify`: proves the status and final tally of a proposal from a trusted header.
import { parseTrustedHeader, type TrustedHeader } from '../../base/proof/trusted-header.ts'
import type { VerifiedProposal } from '../../base/proof/verify.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { withDeadline } from '../../base/runtime/retry.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  requireHttpUrl,
  requireProposalId,
  textOption,
  UsageError,
} from './command.ts'

const readTrusted = async (context: CommandContext): Promise<TrustedHeader> => {
  const trusted = parseTrustedHeader(textOption(context, 'trust') ?? '')
  if (trusted) return trusted
  throw new UsageError(
    '"proof verify" needs --trust HEIGHT:HASH, a header hash (64 hex digits) from a source that you trust',
  )
}

/** Refuses an option of the other source. */
const refuseOption = (context: CommandContext, name: string, source: string): void => {
  if (textOption(context, name) === undefined) return
  throw new UsageError(`--${name} needs --${source}`)
}

/** All reads together: a source can answer slowly, and can invent light blocks without end. */
const LIMIT_MS = 5 * 60_000

type Proposal = { proposalId: bigint; trusted: TrustedHeader; signal: AbortSignal }
type Verify = (proposal: Proposal) => Promise<VerifiedProposal>

const verifyBySource = (context: CommandContext): Verify => {
  const api = textOption(context, 'url')
  const node = textOption(context, 'rpc')
  if (api !== undefined && node === undefined) {
    refuseOption(context, 'height', 'rpc')
    const url = requireHttpUrl(api, 'url')
    const round = numberOption(context, 'round', { min: 0 })
    return async (proposal) => {
      const { createGetFromApi } = await import('../tools/proof/get-from-api.ts')
      const { verifyFromApi } = await import('../../base/proof/verify-from-api.ts')
      const get = createGetFromApi({ url, signal: proposal.signal })
      return verifyFromApi(get, { ...proposal, round })
    }
  }
  if (node !== undefined && api === undefined) {
    refuseOption(context, 'round', 'url')
    const url = requireHttpUrl(node, 'rpc')
    const height = numberOption(context, 'height', { min: 1 })
    return async (proposal) => {
      const { verifyAtNode } = await import('../tools/proof/node-source.ts')
      return verifyAtNode({ ...proposal, url, height })
    }
  }
  throw new UsageError(
    '"proof verify" needs either --url (a Rollcall) or --rpc (a node of the chain)',
  )
}

/** Error codes for a missing proof or light block. */
const MISSING = new Set(['unavailable', 'trusted_unknown'])

export const createProofVerify = (limitMs: number): Command => ({
  name: 'proof verify',
  summary: 'prove the status and final tally of a proposal from a trusted header',
  arguments: '<proposal id>',
  options: {
    trust: { type: 'string', value: '<height:hash>', description: 'trusted header' },
    url: {
      type: 'string',
      value: '<address>',
      description: 'source: any Rollcall of the chain, untrusted',
    },
    rpc: {
      type: 'string',
      value: '<address>',
      description: 'source: any node of the chain, untrusted',
    },
    round: {
      type: 'string',
      value: '<n>',
      description:
        'with --url: proof of the end of this round, 0 for the submission (default: latest)',
    },
    height: {
      type: 'string',
      value: '<n>',
      description: 'with --rpc: state after this height (default: latest)',
    },
    json: { type: 'boolean', description: 'print the result as JSON' },
  },
  examples: [
    {
      line: 'rollcall proof verify 7 --trust 1:7E0D6A…F8 --url https://rollcall.example.org',
      description: 'print each step; exit code 1 if the proof is invalid, 69 if there is none',
    },
    {
      line: 'rollcall proof verify 7 --trust 1:7E0D6A…F8 --rpc https://rpc.example.org',
      description: 'the same from a node, without Rollcall',
    },
  ],
  run: async (context) => {
    const { options, terminal } = context
    const proposalId = BigInt(requireProposalId(context, 'proof verify'))
    const trusted = await readTrusted(context)
    const verify = verifyBySource(context)
    const { ProofError } = await import('../../base/proof/proof-error.ts')
    const { proofJson, proofText } = await import('../tools/proof/print.ts')
    const { printable } = await import('../../base/runtime/printable.ts')
    try {
      const verified = await withDeadline(limitMs, context.signal, (signal) =>
        verify({ proposalId, trusted, signal }),
      )
      terminal.print(options['json'] ? proofJson(verified) : proofText(verified))
      return EXIT_CODES.ok
    } catch (error) {
      if (!(error instanceof ProofError)) throw error
      const message = printable(error.message)
      if (MISSING.has(error.code)) throw new AppError('EVIDENCE_UNAVAILABLE', message)
      terminal.print(`not proved (${error.code}): ${message}`)
      return EXIT_CODES.differs
    }
  },
})

export const proofVerify = createProofVerify(LIMIT_MS)
