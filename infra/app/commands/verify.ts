// `rollcall verify`: verifies the event log, and compares a sample of it with the chain.
import { randomBytes } from 'node:crypto'
import type { EventLog } from '../../base/log/event-log.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import type { HeightSample } from '../tools/verify/against-node/verify-sample.ts'
import type { VerifiedLog } from '../tools/verify/verify-log.ts'
import { openChain } from './chain-access.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  printResult,
  refuseArguments,
  textOption,
  UsageError,
} from './command.ts'
import { openLog } from './log-access.ts'
import { createProgressLine } from './progress-line.ts'

const DEFAULT_SAMPLE = 20

type SampleRequest = { size: number; seed: string }

/** Undefined if only the log itself is verified. */
const readSample = (context: CommandContext): SampleRequest | undefined => {
  const size = numberOption(context, 'sample', { min: 1 })
  const seed = textOption(context, 'seed')
  if (context.options['against-node'] === true) {
    return { size: size ?? DEFAULT_SAMPLE, seed: seed ?? randomBytes(4).toString('hex') }
  }
  if (size === undefined && seed === undefined) return undefined
  throw new UsageError('--sample and --seed need --against-node')
}

type Choosing = { request: SampleRequest; sample: HeightSample }

const choose = async (request: SampleRequest | undefined): Promise<Choosing | undefined> => {
  if (!request) return undefined
  const { createHeightSample } = await import('../tools/verify/against-node/verify-sample.ts')
  return { request, sample: createHeightSample(request.size, request.seed) }
}

const proveLog = async (
  { process, signal }: CommandContext,
  log: EventLog,
  choosing: Choosing | undefined,
): Promise<VerifiedLog> => {
  const { verifyLog } = await import('../tools/verify/verify-log.ts')
  const progress = createProgressLine(process.stderr, { what: 'verified: height', unit: 'heights' })
  try {
    return await verifyLog({
      log,
      signal,
      onProgress: progress.show,
      onHeight: (height) => choosing?.sample.offer(height),
    })
  } finally {
    progress.end()
  }
}

const compare = async (
  context: CommandContext,
  log: EventLog,
  { proved, choosing }: { proved: VerifiedLog; choosing: Choosing | undefined },
) => {
  // A log without a marker has no height to compare.
  if (!choosing || proved.figures.to === null) return undefined
  const { readIndexedBlock } = await import('../indexed-block.ts')
  const indexed = await readIndexedBlock(log)
  if (!indexed) return undefined
  const { verifySample } = await import('../tools/verify/against-node/verify-sample.ts')
  const { process, signal } = context
  const progress = createProgressLine(process.stderr, { what: 'compared: height', unit: 'heights' })
  const { node, logger, close } = await openChain(context, indexed)
  try {
    const { sample, request } = choosing
    const { seed } = request
    const onProgress = progress.show
    return await verifySample({ log, node, logger, sample, seed, signal, onProgress })
  } finally {
    progress.end()
    await close()
  }
}

export const verify: Command = {
  name: 'verify',
  summary: 'verify the event log: gaps, links, counts, IDs, proofs, undecodable events',
  options: {
    'against-node': {
      type: 'boolean',
      description: 'also compare a sample of heights with the chain',
    },
    sample: {
      type: 'string',
      value: '<n>',
      description: `number of heights (default ${DEFAULT_SAMPLE})`,
    },
    seed: {
      type: 'string',
      value: '<text>',
      description: 'seed of the sample, to repeat it (default: random)',
    },
    json: { type: 'boolean', description: 'print the figures and all violations as JSON' },
  },
  examples: [
    {
      line: 'rollcall verify',
      description:
        'read the whole log, also while it is written; exit code 1 if it has a violation',
    },
    {
      line: 'CHAIN_RPC_URLS=https://rpc.example.org rollcall verify --against-node --sample 100',
      description: 'compare blocks and events with a node; without endpoints, with the demo chain',
    },
  ],
  run: async (context) => {
    refuseArguments(context, verify)
    const choosing = await choose(readSample(context))
    const { log, name, close } = await openLog(context)
    try {
      const proved = await proveLog(context, log, choosing)
      const compared = await compare(context, log, { proved, choosing })
      const { verifiedLogText, verifiedSampleText } = await import('../tools/verify/print-log.ts')
      const sample = compared ? `\n${verifiedSampleText(compared)}` : ''
      const facts = { log: name, ...proved, againstNode: compared ?? null }
      printResult(context, facts, `${verifiedLogText(proved)}${sample}`)
      const wrong = proved.violationCount + (compared?.violationCount ?? 0)
      return wrong === 0 ? EXIT_CODES.ok : EXIT_CODES.differs
    } finally {
      await close()
    }
  },
}
