// `rollcall history`: how far the votes before the first height are read; stops and continues it, or asks for one proposal.
import { existsSync } from 'node:fs'
import { usesKafka } from '../../base/log/kafka-settings.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { resolveDataPaths } from '../data-dir/data-dir.ts'
import { readMachineConfig } from '../machine-settings.ts'
import {
  type Command,
  type CommandContext,
  printResult,
  requireProposalId,
  UsageError,
} from './command.ts'
import { openLog } from './log-access.ts'

/** The members of the last marker, and what the operator asked for. */
const readStatus = async (context: CommandContext) => {
  const { decodeMarker } = await import('../../../ingest/heights/log-tail.ts')
  const { readHistoryRequests } = await import('../../../ingest/past-rounds/requests.ts')
  const { log, close } = await openLog(context)
  try {
    const last = await log.last()
    const file = usesKafka(context.env) ? undefined : findHistoryFile(context)
    const { isStopped } = await readHistoryRequests(file)
    return { isStopped, history: last && decodeMarker(last).data.history }
  } finally {
    await close()
  }
}

const findHistoryFile = ({ env }: CommandContext): string => {
  if (usesKafka(env)) {
    const message = 'on Kafka the history is stopped with HISTORY=off, and a restart of ingest'
    throw new AppError('CONFIG_INVALID', message, { expose: true })
  }
  const { dataDir } = readMachineConfig(env)
  const { path, historyFile } = resolveDataPaths(dataDir)
  if (existsSync(path)) return historyFile
  const message = `no event log in ${path}: set DATA_DIR, or run "rollcall start" first`
  throw new AppError('NOT_IN_LOG', message, { expose: true })
}

type Status = Awaited<ReturnType<typeof readStatus>>

const statusText = ({ isStopped, history }: Status): string => {
  if (!history) return 'No vote had ended before the first height, or HISTORY is off.'
  const { total, done, unreachable, reason } = history
  return [
    `Recomputed: ${done} of ${total} votes that ended before the first height.`,
    ...(unreachable > 0 ? [`Out of reach: ${unreachable}. The first one: ${reason}`] : []),
    ...(isStopped ? ['Stopped: "rollcall history start" continues.'] : []),
  ].join('\n')
}

const change = async (
  context: CommandContext,
  requests: Partial<{ isStopped: boolean; first: string[] }>,
): Promise<void> => {
  const { readHistoryRequests, writeHistoryRequests } = await import(
    '../../../ingest/past-rounds/requests.ts'
  )
  const file = findHistoryFile(context)
  writeHistoryRequests(file, { ...(await readHistoryRequests(file)), ...requests })
}

const act = async (context: CommandContext): Promise<string | undefined> => {
  const [what] = context.args
  switch (what) {
    case undefined:
      return undefined
    case 'start':
      await change(context, { isStopped: false })
      return 'The history continues.'
    case 'stop':
      await change(context, { isStopped: true })
      return 'The history stops after the proposal that is being read.'
    default: {
      if (!/^[0-9]+$/.test(what)) {
        throw new UsageError(`"history" takes start, stop or a proposal ID, not "${what}"`)
      }
      const proposalId = requireProposalId(context, 'history')
      await change(context, { first: [proposalId] })
      return `Proposal ${proposalId} is read next, if it ended before the first height.`
    }
  }
}

export const history: Command = {
  name: 'history',
  summary: 'show, stop or continue the reading of votes before the first height',
  arguments: '[start | stop | <proposal id>]',
  options: { json: { type: 'boolean', description: 'print the state as JSON' } },
  examples: [
    { line: 'rollcall history', description: 'show how many past votes are recomputed' },
    { line: 'rollcall history 848', description: 'read this proposal next' },
  ],
  run: async (context) => {
    const answer = await act(context)
    if (answer !== undefined) context.terminal.log(answer)
    const status = await readStatus(context)
    const json = { ...status.history, isStopped: status.isStopped }
    printResult(context, json, statusText(status))
    return EXIT_CODES.ok
  },
}
