// `rollcall dead-letters`: lists undecodable records, and retries them after an update.

import { CONTROL_DATABASE } from '../../../projections/contract/read-model.ts'
import type { Letter, RetryOutcome } from '../../../projections/rebuild/dead-letters.ts'
import { EXIT_CODES } from '../../runtime/exit-codes.ts'
import {
  type Command,
  type CommandContext,
  refuseArguments,
  textOption,
  UsageError,
} from './command.ts'
import { withInterruptionHint } from './rebuild.ts'
import { createRebuildOutput } from './rebuild-output.ts'
import { withStore } from './store-access.ts'

const letterLine = ({ offset, height, proposalId, reason }: Letter): string =>
  `offset ${offset}, height ${height}, ${proposalId === null ? 'no known proposal' : `proposal ${proposalId}`}: ${reason}`

export const deadLettersList: Command = {
  name: 'dead-letters list',
  summary: 'list undecodable records and the proposals that they affect',
  options: { json: { type: 'boolean', description: 'with the records themselves, as JSON' } },
  examples: [
    { line: 'rollcall dead-letters list', description: 'one line each, in the order of the log' },
  ],
  run: (context) => {
    refuseArguments(context, deadLettersList)
    const { env, options, terminal } = context
    return withStore(env, async (store) => {
      const { listLetters } = await import('../../../projections/rebuild/dead-letters.ts')
      const { letters } = await listLetters(store, CONTROL_DATABASE)
      if (options['json']) terminal.print(JSON.stringify(letters, null, 2))
      else if (letters.length === 0) terminal.print('there are none: every record was read')
      else for (const letter of letters) terminal.print(letterLine(letter))
      return EXIT_CODES.ok
    })
  },
}

const readProposal = (context: CommandContext): string | undefined => {
  const text = textOption(context, 'proposal')
  const isAll = context.options['all'] === true
  if (isAll === (text !== undefined)) throw new UsageError('say which: --proposal <id> or --all')
  if (text === undefined) return undefined
  if (/^[0-9]{1,20}$/.test(text)) return BigInt(text).toString()
  throw new UsageError(`"${text}" is not the id of a proposal: digits only`)
}

const describeNextSteps = ({
  generation,
  former,
  tried,
  remaining,
  isSwitched,
}: RetryOutcome): string => {
  const read = tried.length - remaining.length
  const result = `read ${read} of ${tried.length} dead letters`
  if (isSwitched) return `${result}; to go back: rollcall rebuild --switch ${former}`
  const reason =
    read === 0
      ? 'the running projections cannot decode them either: is the new version running?'
      : 'other tables differ too, or some letters could not be read'
  return `${result}; generation ${former} is still served: ${reason}\nto serve the new one: rollcall rebuild --switch ${generation} --accept-differences\nto take it away: rollcall rebuild --drop ${generation}`
}

export const deadLettersRetry: Command = {
  name: 'dead-letters retry',
  summary: 'fold the log again with these records into new tables; compare and switch',
  options: {
    proposal: { type: 'string', value: '<id>', description: 'the dead letters of this proposal' },
    all: { type: 'boolean', description: 'all dead letters' },
    'accept-differences': {
      type: 'boolean',
      description: 'switch although some remain, or although more changed than they explain',
    },
    json: { type: 'boolean', description: 'the result as JSON' },
  },
  examples: [
    {
      line: 'rollcall dead-letters retry --all',
      description: 'after an update that can read them',
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
