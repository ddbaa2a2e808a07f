// `rollcall proof verify`: proves a proposal's status and final tally from a header that the user trusts.
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

const readTrusted = (context: CommandContext): { height: bigint; hash: string } => {
  const [, height = '', hash = ''] = TRUSTED.exec(textOption(context, 'trust') ?? '') ?? []
  if (height !== '') return { height: BigInt(height), hash }
  throw new UsageError(
    '"proof verify" needs --trust HEIGHT:HASH, a header hash (64 hex digits) that you know from a source you trust',
  )
}

const readUrl = (context: CommandContext): string => {
  const url = textOption(context, 'rpc')
  if (url !== undefined) return requireHttpUrl(url, 'rpc')
  throw new UsageError('"proof verify" needs --rpc, the address of a node of the chain')
}

export const proofVerify: Command = {
  name: 'proof verify',
  summary: "prove a proposal's status and final tally from a header that you trust",
  arguments: '<proposal id>',
  options: {
    trust: { type: 'string', value: '<height:hash>', says: 'the header that you trust' },
    rpc: { type: 'string', value: '<address>', says: 'any node of the chain; it is not trusted' },
    height: {
      type: 'string',
      value: '<n>',
      says: 'the state after this height; the latest where absent',
    },
    json: { type: 'boolean', says: 'the result as JSON' },
  },
  examples: [
    {
      line: 'rollcall proof verify 7 --trust 1:7E0D6A…F8 --rpc https://rpc.example.org',
      says: 'each step of the proof; exit code 1 where the node cannot prove what it says',
    },
  ],
  run: async (context) => {
    const { options, signal, terminal } = context
    const proposalId = BigInt(readProposalId(context.args, 'proof verify'))
    const trusted = readTrusted(context)
    const url = readUrl(context)
    const height = numberOption(context, 'height', { min: 1 })
    const { ProofError } = await import('../../proof/proof-error.ts')
    const { verifyAtNode } = await import('../../tools/proof/verify-at-node.ts')
    const { proofJson, proofText } = await import('../../tools/proof/print.ts')
    try {
      const verified = await verifyAtNode({ url, proposalId, trusted, height, signal })
      terminal.say(options['json'] ? proofJson(verified) : proofText(verified))
      return EXIT_CODES.ok
    } catch (error) {
      if (!(error instanceof ProofError)) throw error
      terminal.say(`not proved (${error.code}): ${error.message}`)
      return EXIT_CODES.differs
    }
  },
}
