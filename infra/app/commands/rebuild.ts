// `rollcall rebuild`: fills new tables beside the served ones, compares them, switches, and reverts.
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import { readGenerations } from '../../../projections/contract/generations.ts'
import type { Difference } from '../../../projections/rebuild/compare.ts'
import type { Outcome, RebuildOptions, Step } from '../../../projections/rebuild/rebuild.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { withStore } from '../open-data.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  printResult,
  UsageError,
} from './command.ts'

/** The modes, which exclude each other. */
const FORMS = ['switch', 'drop', 'list'] as const

const list = async (context: CommandContext, store: Store): Promise<number> => {
  const generations = await readGenerations(store, CONTROL_DATABASE)
  const listed = generations.map(({ generation, state, changedAtMs, reason }) => {
    return { generation, state, since: new Date(changedAtMs).toISOString(), reason }
  })
  const lines = listed.map(
    ({ generation, state, since, reason }) => `${generation}  ${state} since ${since}  ${reason}`,
  )
  printResult(context, listed, lines.join('\n'))
  return EXIT_CODES.ok
}

const describeDifference = ({ table, keys, first, last }: Difference): string =>
  `  ${table}: ${keys === 1 ? `key ${first}` : `${keys} keys from ${first} to ${last}`}`

const describeStep = (step: Step): string => {
  const { kind, generation } = step
  if (kind === 'added')
    return `the projections fill generation ${generation}, also if this command ends`
  if (kind !== 'compared') return `${kind} generation ${generation}`
  const { equal, differences, generations } = step.comparison
  const compared = `compared generation ${generation} with ${generations[0]}, which is served`
  if (equal) return `${compared}: all tables are equal`
  return [`${compared}. Different rows:`, ...differences.map(describeDifference)].join('\n')
}

const describeNextSteps = ({ generation, former, isSwitched }: Outcome): string =>
  isSwitched
    ? `to revert: rollcall rebuild --switch ${former}`
    : `generation ${generation} is kept up to date; generation ${former} is still served\n` +
      `to switch to it: rollcall rebuild --switch ${generation} --accept-differences\n` +
      `to drop it: rollcall rebuild --drop ${generation}`

const build = async (context: CommandContext, store: Store): Promise<number> => {
  const { options, terminal, signal } = context
  const { rebuild: run, switchGeneration } = await import('../../../projections/rebuild/rebuild.ts')
  const chosen = numberOption(context, 'switch', { min: 1 })
  const onStep = (step: Step) => {
    terminal.progress('')
    if (!options['json']) terminal.print(describeStep(step))
  }
  const rebuildOptions: RebuildOptions = {
    store,
    signal,
    acceptsDifferences: options['accept-differences'] === true,
    onStep,
    onProgress: ({ built, served }) => {
      terminal.progress(`event ${built.nextOffset} of ${served.logEnd}`)
    },
  }
  const outcome = await (chosen === undefined
    ? run(rebuildOptions)
    : switchGeneration(rebuildOptions, chosen))
  printResult(context, outcome, describeNextSteps(outcome))
  return outcome.isSwitched ? EXIT_CODES.ok : EXIT_CODES.differs
}

export const rebuild: Command = {
  name: 'rebuild',
  summary: 'rebuild the tables from the log, compare, and switch without downtime',
  options: {
    switch: ['<n>', 'switch to generation n, to finish or to revert a rebuild'],
    'accept-differences': 'switch even if the tables differ',
    list: 'list the generations',
    drop: ['<n>', 'drop the tables of generation n'],
    json: 'print the result as JSON',
  },
  examples: [
    [
      'rollcall rebuild',
      'while Rollcall runs; invisible to clients, and the former tables are kept',
    ],
    ['rollcall rebuild --switch 1', 'revert to generation 1'],
  ],
  run: (context) => {
    const { options, signal } = context
    const [form, other] = FORMS.filter((name) => options[name] !== undefined)
    if (other) throw new UsageError(`--${form} and --${other} cannot be combined`)
    const dropped = numberOption(context, 'drop', { min: 1 })
    return withStore(context.env, async (store) => {
      if (options['list']) return list(context, store)
      if (dropped === undefined) return build(context, store)
      const { dropRebuilt } = await import('../../../projections/rebuild/rebuild.ts')
      await dropRebuilt({ store, signal }, dropped)
      printResult(context, { dropped }, `dropped generation ${dropped}`)
      return EXIT_CODES.ok
    })
  },
}
