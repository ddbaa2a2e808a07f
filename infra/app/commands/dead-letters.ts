// `rollcall dead-letters`: lists undecodable records, and retries them after an update.

import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import type { Letter, RetryOutcome } from '../../../projections/rebuild/dead-letters.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import {
  type Command,
  type CommandContext,
  parseProposalId,
  printResult,
  refuseArguments,
  textOption,
  UsageError,
} from './command.ts'
import { withInterruptionHint } from './rebuild.ts'
import { createRebuildOutput } from './rebuild-output.ts'
import { withStore } from './store-access.ts'

const letterLine = ({ offset, height, proposalId, reason }: Letter): string =>
  `${offset === null ? 'no record' : `offset ${offset}`}, height ${height}, ${proposalId === null ? 'no known proposal' : `proposal ${proposalId}`}: ${reason}`

export const deadLettersList: Command = {
  name: 'dead-letters list',
  summary: 'list undecodable records and the affected proposals',
  options: { json: { type: 'boolean', description: 'print JSON, including the records' } },
  examples: [
    {
      line: 'rollcall dead-letters list',
      description: 'one line per record, in the order of the log',
    },
  ],
  run: (context) => {
    refuseArguments(context, deadLettersList)
    return withStore(context.env, async (store) => {
      const { listLetters } = await import('../../../projections/rebuild/dead-letters.ts')
      const { letters } = await listLetters(store, CONTROL_DATABASE)
      const lines = letters.map(letterLine).join('\n')
      printResult(context, letters, lines || 'no dead letters: every record was decoded')
      return EXIT_CODES.ok
    })
  },
}

const readProposal = (context: CommandContext): string | undefined => {
  const text = textOption(context, 'proposal')
  const isAll = context.options['all'] === true
  if (isAll === (text !== undefined)) throw new UsageError('specify --proposal <id> or --all')
  return text === undefined ? undefined : parseProposalId(text)
}

const describeNextSteps = ({
  generation,
  former,
  tried,
  remaining,
  isSwitched,
}: RetryOutcome): string => {
  const read = tried.length - remaining.length
  const result = `decoded ${read} of ${tried.length} dead letters`
  if (isSwitched) return `${result}; to revert: rollcall rebuild --switch ${former}`
  const reason =
    read === 0
      ? 'the running projections cannot decode them either: is the new version running?'
      : 'other tables differ too, or some records are still undecodable'
  return `${result}; generation ${former} is still served: ${reason}\nto switch to the new one: rollcall rebuild --switch ${generation} --accept-differences\nto drop it: rollcall rebuild --drop ${generation}`
}

export const deadLettersRetry: Command = {
  name: 'dead-letters retry',
  summary: 'rebuild the tables with dead letters included, compare, and switch',
  options: {
    proposal: {
      type: 'string',
      value: '<id>',
      description: 'retry the dead letters of this proposal',
    },
    all: { type: 'boolean', description: 'retry all dead letters' },
    'accept-differences': {
      type: 'boolean',
      description: 'switch even if some remain undecodable or other rows differ',
    },
    json: { type: 'boolean', description: 'print the result as JSON' },
  },
  examples: [
    {
      line: 'rollcall dead-letters retry --all',
      description: 'after an update that can decode them',
    },
  ],
  run: (context) => {
    refuseArguments(context, deadLettersRetry)
    const proposalId = readProposal(context)
    return withStore(context.env, (store) =>
      withInterruptionHint(context, async () => {
        const { retryLetters } = await import('../../../projections/rebuild/dead-letters.ts')
        const output = await createRebuildOutput(context, store)
        const accept = () => context.options['accept-differences'] === true
        const selection = proposalId === undefined ? {} : { proposalId }
        const outcome = await retryLetters({ ...output.options, accept }, selection)
        const { tried, remaining, unexplained } = outcome
        const letters = { tried: tried.length, remaining, unexplained }
        const code = output.end(outcome, describeNextSteps(outcome), letters)
        return remaining.length > 0 ? EXIT_CODES.differs : code
      }),
    )
  },
}
