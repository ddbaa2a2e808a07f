// `rollcall rebuild`: fills new tables beside the served ones, compares them, switches, and reverts.

import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import type { Comparison } from '../../../projections/rebuild/compare.ts'
import type { Outcome } from '../../../projections/rebuild/rebuild.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  refuseArguments,
  UsageError,
} from './command.ts'
import { createRebuildOutput } from './rebuild-output.ts'
import { withStore } from './store-access.ts'

/** The modes, which exclude each other. */
const FORMS = ['switch', 'drop', 'list'] as const

const requireOneForm = ({ options }: CommandContext): void => {
  const given = FORMS.filter((name) => options[name] !== undefined)
  if (given.length > 1) throw new UsageError(`--${given[0]} and --${given[1]} cannot be combined`)
  const [form] = given
  const own = ['resume', 'no-switch'].find((name) => options[name] !== undefined)
  if (form && own) throw new UsageError(`--${own} cannot be combined with --${form}`)
}

const list = async ({ options, terminal }: CommandContext, store: Store): Promise<number> => {
  const { listGenerations } = await import('../../../projections/rebuild/list.ts')
  const { generationLine } = await import('../../../projections/rebuild/report.ts')
  const generations = await listGenerations(store, CONTROL_DATABASE)
  if (options['json']) terminal.print(JSON.stringify(generations, null, 2))
  else for (const generation of generations) terminal.print(generationLine(generation))
  return EXIT_CODES.ok
}

const describeNextSteps = ({ generation, former, isSwitched, comparison }: Outcome): string => {
  if (isSwitched) return `to revert: rollcall rebuild --switch ${former}`
  const then = comparison?.equal ? '' : ' --accept-differences'
  const built = `generation ${generation} is built and kept up to date; generation ${former} is still served`
  return `${built}\nto switch to it: rollcall rebuild --switch ${generation}${then}\nto drop it: rollcall rebuild --drop ${generation}`
}

const build = async (context: CommandContext, store: Store): Promise<number> => {
  const { options } = context
  const { rebuild: run, switchGeneration } = await import('../../../projections/rebuild/rebuild.ts')
  const output = await createRebuildOutput(context, store)
  const accept = ({ equal }: Comparison) => equal || options['accept-differences'] === true
  const chosen = numberOption(context, 'switch', { min: 1 })
  const rebuildOptions = { ...output.options, accept }
  const outcome =
    chosen === undefined
      ? await run(rebuildOptions, {
          resume: options['resume'] === true,
          noSwitch: options['no-switch'] === true,
        })
      : await switchGeneration(rebuildOptions, chosen)
  return output.end(outcome, describeNextSteps(outcome))
}

/** The projections continue to fill a generation after the command has ended. */
export const withInterruptionHint = async (
  { signal }: CommandContext,
  work: () => Promise<number>,
): Promise<number> => {
  try {
    return await work()
  } catch (error) {
    if (!signal.aborted) throw error
    const message =
      'interrupted; the projections still fill the new generation. Use rollcall rebuild --list, --resume or --drop <n>'
    throw new AppError('REBUILD_REFUSED', message, { expose: true })
  }
}

const drop = async (context: CommandContext, store: Store, generation: number): Promise<number> => {
  const { options, terminal } = context
  const { dropRebuilt } = await import('../../../projections/rebuild/rebuild.ts')
  const output = await createRebuildOutput(context, store)
  const force = options['force'] === true
  await dropRebuilt({ ...output.options, accept: () => false }, generation, { force })
  terminal.print(
    options['json'] ? JSON.stringify({ dropped: generation }) : `dropped generation ${generation}`,
  )
  return EXIT_CODES.ok
}

export const rebuild: Command = {
  name: 'rebuild',
  summary: 'rebuild the tables from the log, compare, and switch without downtime',
  options: {
    'no-switch': { type: 'boolean', description: 'only build and compare' },
    resume: { type: 'boolean', description: 'continue an unfinished rebuild' },
    switch: {
      type: 'string',
      value: '<n>',
      description: 'switch to generation n, to finish or to revert a rebuild',
    },
    'accept-differences': { type: 'boolean', description: 'switch even if the tables differ' },
    list: { type: 'boolean', description: 'list the generations' },
    drop: { type: 'string', value: '<n>', description: 'drop the tables of generation n' },
    force: {
      type: 'boolean',
      description: 'with --drop: drop even if clients may still use its cursors',
    },
    json: { type: 'boolean', description: 'print the result as JSON' },
  },
  examples: [
    {
      line: 'rollcall rebuild',
      description: 'while Rollcall runs; invisible to clients, and the former tables are kept',
    },
    { line: 'rollcall rebuild --no-switch', description: 'review the differences first' },
    { line: 'rollcall rebuild --switch 1', description: 'revert to generation 1' },
  ],
  run: (context) => {
    refuseArguments(context, rebuild)
    requireOneForm(context)
    const dropped = numberOption(context, 'drop', { min: 1 })
    return withStore(context.env, (store) => {
      if (context.options['list']) return list(context, store)
      if (dropped !== undefined) return drop(context, store, dropped)
      return withInterruptionHint(context, () => build(context, store))
    })
  },
}
