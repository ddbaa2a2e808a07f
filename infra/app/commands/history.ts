// `rollcall history`: how far the votes before the first height are read; stops and continues it, or asks for one proposal.
import { existsSync } from 'node:fs'
import { usesKafka } from '../../base/log/kafka-settings.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { resolveDataPaths } from '../data-dir/data-dir.ts'
import { readDataDir } from '../machine-settings.ts'
import { noEventLog, openLog } from '../open-data.ts'
import {
  type Command,
  type CommandContext,
  parseProposalId,
  printResult,
  requireArgument,
  UsageError,
} from './command.ts'

/** The members of the last marker, and what the operator asked for. */
const readStatus = async (context: CommandContext) => {
  const { decodeMarker } = await import('../../../ingest/heights/governance.ts')
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
  const { path, historyFile } = resolveDataPaths(readDataDir(env))
  if (existsSync(path)) return historyFile
  throw noEventLog(path)
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
  if (context.args.length === 0) return undefined
  const what = requireArgument(context, 'history', 'one word')
  switch (what) {
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
      const proposalId = parseProposalId(what)
      await change(context, { first: [proposalId] })
      return `Proposal ${proposalId} is read next, if it ended before the first height.`
    }
  }
}

export const history: Command = {
  name: 'history',
  summary: 'show, stop or continue the reading of votes before the first height',
  arguments: '[start | stop | <proposal id>]',
  options: { json: 'print the state as JSON' },
  examples: [
    ['rollcall history', 'show how many past votes are recomputed'],
    ['rollcall history 848', 'read this proposal next'],
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
