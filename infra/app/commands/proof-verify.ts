// `rollcall proof verify`: proves a proposal's status and final tally from a header that the user trusts.
import type { TrustedHeader } from '../../proof/trust.ts'
import type { VerifiedProposal } from '../../proof/verify.ts'
import { AppError } from '../../runtime/errors.ts'
import { EXIT_CODES } from '../../runtime/exit-codes.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  requireHttpUrl,
  textOption,
  UsageError,
} from './command.ts'
import { readProposalId } from './proposal-id.ts'

const TRUSTED = /^([1-9][0-9]{0,14}):([0-9A-Fa-f]{64})$/

const readTrusted = (context: CommandContext): TrustedHeader => {
  const [, height = '', hash = ''] = TRUSTED.exec(textOption(context, 'trust') ?? '') ?? []
  if (height !== '') return { height: BigInt(height), hash }
  throw new UsageError(
    '"proof verify" needs --trust HEIGHT:HASH, a header hash (64 hex digits) that you know from a source you trust',
  )
}

/** An option of the other source would be ignored: that is refused. */
const refuseOption = (context: CommandContext, name: string, source: string): void => {
  if (textOption(context, name) === undefined) return
  throw new UsageError(`--${name} needs --${source}`)
}

type Proposal = { proposalId: bigint; trusted: TrustedHeader }
type Verify = (proposal: Proposal) => Promise<VerifiedProposal>

const verifyBySource = (context: CommandContext): Verify => {
  const { signal } = context
  const api = textOption(context, 'url')
  const node = textOption(context, 'rpc')
  if (api !== undefined && node === undefined) {
    refuseOption(context, 'height', 'rpc')
    const url = requireHttpUrl(api, 'url')
    const round = numberOption(context, 'round', { min: 0 })
    return async (proposal) => {
      const { verifyAtApi } = await import('../../tools/proof/verify-at-api.ts')
      return verifyAtApi({ ...proposal, url, round, signal })
    }
  }
  if (node !== undefined && api === undefined) {
    refuseOption(context, 'round', 'url')
    const url = requireHttpUrl(node, 'rpc')
    const height = numberOption(context, 'height', { min: 1 })
    return async (proposal) => {
      const { verifyAtNode } = await import('../../tools/proof/verify-at-node.ts')
      return verifyAtNode({ ...proposal, url, height, signal })
    }
  }
  throw new UsageError(
    '"proof verify" needs either --url, the address of a Rollcall, or --rpc, the address of a node of the chain',
  )
}

/** What has not been verified, because it is not there. */
const MISSING = new Set(['unavailable', 'trusted_unknown'])

export const proofVerify: Command = {
  name: 'proof verify',
  summary: "prove a proposal's status and final tally from a header that you trust",
  arguments: '<proposal id>',
  options: {
    trust: { type: 'string', value: '<height:hash>', description: 'the header that you trust' },
    url: {
      type: 'string',
      value: '<address>',
      description: 'any Rollcall of the chain; it is not trusted',
    },
    rpc: {
      type: 'string',
      value: '<address>',
      description: 'or any node of the chain; it is not trusted',
    },
    round: {
      type: 'string',
      value: '<n>',
      description:
        'with --url: the end of this round, 0 for the submission; the latest proof if absent',
    },
    height: {
      type: 'string',
      value: '<n>',
      description: 'with --rpc: the state after this height; the latest if absent',
    },
    json: { type: 'boolean', description: 'the result as JSON' },
  },
  examples: [
    {
      line: 'rollcall proof verify 7 --trust 1:7E0D6A…F8 --url https://rollcall.example.org',
      description:
        'each step of the proof; exit code 1 if the proof is not valid, 69 if there is none',
    },
    {
      line: 'rollcall proof verify 7 --trust 1:7E0D6A…F8 --rpc https://rpc.example.org',
      description: 'the same from a node, without any Rollcall',
    },
  ],
  run: async (context) => {
    const { options, terminal } = context
    const proposalId = BigInt(readProposalId(context.args, 'proof verify'))
    const trusted = readTrusted(context)
    const verify = verifyBySource(context)
    const { ProofError } = await import('../../proof/proof-error.ts')
    const { proofJson, proofText } = await import('../../tools/proof/print.ts')
    const { printable } = await import('../../tools/verify/printable.ts')
    try {
      const verified = await verify({ proposalId, trusted })
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
}
