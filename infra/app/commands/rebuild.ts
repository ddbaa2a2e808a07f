// `rollcall rebuild` and `rollcall dead-letters`: new tables beside the served ones, with or without the undecodable records.
import { hostname } from 'node:os'
import { CONTROL_DATABASE } from '../../../projections/contract/database.ts'
import type { Comparison } from '../../../projections/rebuild/compare.ts'
import type { Letter, RetryOutcome } from '../../../projections/rebuild/dead-letters.ts'
import type { Outcome, RebuildOptions, Step } from '../../../projections/rebuild/rebuild.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { withStore } from '../open-data.ts'
import { barText, createProgressMeter, progressText } from '../terminal/progress.ts'
import {
  type Command,
  type CommandContext,
  numberOption,
  parseProposalId,
  printResult,
  textOption,
  UsageError,
} from './command.ts'

const PLAIN_LINE_EVERY_MS = 5_000

const stepText = (step: Step): string | undefined => {
  switch (step.kind) {
    case 'added':
      return `added generation ${step.generation}: the projections fill it, the current one is still served`
    case 'resumed':
      return `continuing with generation ${step.generation}`
    case 'built':
      return `generation ${step.generation} has caught up`
    case 'switched':
      return `switched from generation ${step.former} to ${step.generation}`
    case 'pointed':
      return `the views of analysts read generation ${step.generation}`
    default:
      return undefined
  }
}

/** A progress bar on a terminal, else plain lines, or one JSON object at the end. */
const createOutput = async (context: CommandContext, store: Store) => {
  const { terminal, signal, process } = context
  const { comparisonText } = await import('../../../projections/rebuild/report.ts')
  const isJson = context.options['json'] === true
  const meter = createProgressMeter()
  let shownMs = 0
  const onProgress: RebuildOptions['onProgress'] = ({ built, served }) => {
    const atMs = Date.now()
    const total = Math.max(Number(served.logEnd), Number(built.logEnd), 1)
    const progress = meter.add({ atMs, done: Number(built.nextOffset), total })
    if (isJson || (!terminal.rewrites && atMs - shownMs < PLAIN_LINE_EVERY_MS)) return
    shownMs = atMs
    const bar = terminal.rewrites ? `${barText(progress)} ` : ''
    terminal.progress(`${bar}${progressText(progress, { what: 'event', unit: 'events' })}`)
  }
  const onStep = (step: Step): void => {
    terminal.clearProgress()
    const text = step.kind === 'compared' ? comparisonText(step.comparison) : stepText(step)
    if (text !== undefined && !isJson) terminal.print(text)
  }
  const holder = `process ${process.pid} on ${hostname()}`
  return {
    options: { store, holder, signal, onStep, onProgress },
    /** Prints the result; returns the exit code. `more` goes into the JSON. */
    end: (outcome: Outcome, hint: string, more: object = {}): number => {
      const { generation, former, isSwitched: switched, comparison = null } = outcome
      terminal.clearProgress()
      printResult(context, { generation, former, switched, comparison, ...more }, hint)
      return switched || comparison?.equal ? EXIT_CODES.ok : EXIT_CODES.differs
    },
  }
}

/** The projections continue to fill a generation after the command has ended. */
const withInterruptionHint = async (
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

const list = async (context: CommandContext, store: Store): Promise<number> => {
  const { listGenerations } = await import('../../../projections/rebuild/list.ts')
  const { generationLine } = await import('../../../projections/rebuild/report.ts')
  const generations = await listGenerations(store, CONTROL_DATABASE)
  printResult(context, generations, generations.map(generationLine).join('\n'))
  return EXIT_CODES.ok
}

const build = async (context: CommandContext, store: Store): Promise<number> => {
  const { options } = context
  const { rebuild: run, switchGeneration } = await import('../../../projections/rebuild/rebuild.ts')
  const output = await createOutput(context, store)
  const accept = ({ equal }: Comparison) => equal || options['accept-differences'] === true
  const chosen = numberOption(context, 'switch', { min: 1 })
  const rebuildOptions = { ...output.options, accept }
  const [resume, noSwitch] = [options['resume'] === true, options['no-switch'] === true]
  const outcome = await (chosen === undefined
    ? run(rebuildOptions, { resume, noSwitch })
    : switchGeneration(rebuildOptions, chosen))
  const { generation, former, isSwitched, comparison } = outcome
  if (isSwitched) return output.end(outcome, `to revert: rollcall rebuild --switch ${former}`)
  const then = comparison?.equal ? '' : ' --accept-differences'
  const hint = [
    `generation ${generation} is built and kept up to date; generation ${former} is still served`,
    `to switch to it: rollcall rebuild --switch ${generation}${then}`,
    `to drop it: rollcall rebuild --drop ${generation}`,
  ]
  return output.end(outcome, hint.join('\n'))
}

const drop = async (context: CommandContext, store: Store, generation: number): Promise<number> => {
  const { dropRebuilt } = await import('../../../projections/rebuild/rebuild.ts')
  const output = await createOutput(context, store)
  const force = context.options['force'] === true
  await dropRebuilt({ ...output.options, accept: () => false }, generation, { force })
  printResult(context, { dropped: generation }, `dropped generation ${generation}`)
  return EXIT_CODES.ok
}

/** The modes exclude each other. */
const requireOneForm = ({ options }: CommandContext): void => {
  const isGiven = (name: string) => options[name] !== undefined
  const [form, second] = ['switch', 'drop', 'list'].filter(isGiven)
  const other = second ?? ['resume', 'no-switch'].find(isGiven)
  if (form && other) throw new UsageError(`--${form} and --${other} cannot be combined`)
}

export const rebuild: Command = {
  name: 'rebuild',
  summary: 'rebuild the tables from the log, compare, and switch without downtime',
  options: {
    'no-switch': 'only build and compare',
    resume: 'continue an unfinished rebuild',
    switch: ['<n>', 'switch to generation n, to finish or to revert a rebuild'],
    'accept-differences': 'switch even if the tables differ',
    list: 'list the generations',
    drop: ['<n>', 'drop the tables of generation n'],
    force: 'with --drop: drop even if clients may still use its cursors',
    json: 'print the result as JSON',
  },
  examples: [
    [
      'rollcall rebuild',
      'while Rollcall runs; invisible to clients, and the former tables are kept',
    ],
    ['rollcall rebuild --no-switch', 'review the differences first'],
    ['rollcall rebuild --switch 1', 'revert to generation 1'],
  ],
  run: async (context) => {
    requireOneForm(context)
    const dropped = numberOption(context, 'drop', { min: 1 })
    return await withStore(context.env, (store) => {
      if (context.options['list']) return list(context, store)
      if (dropped !== undefined) return drop(context, store, dropped)
      return withInterruptionHint(context, () => build(context, store))
    })
  },
}

const letterLine = ({ offset, height, proposalId, reason }: Letter): string => {
  const record = offset === null ? 'no record' : `offset ${offset}`
  const proposal = proposalId === null ? 'no known proposal' : `proposal ${proposalId}`
  return `${record}, height ${height}, ${proposal}: ${reason}`
}

export const deadLettersList: Command = {
  name: 'dead-letters list',
  summary: 'list undecodable records and the affected proposals',
  options: { json: 'print JSON, including the records' },
  examples: [['rollcall dead-letters list', 'one line per record, in the order of the log']],
  run: (context) =>
    withStore(context.env, async (store) => {
      const { listLetters } = await import('../../../projections/rebuild/dead-letters.ts')
      const { letters } = await listLetters(store, CONTROL_DATABASE)
      const lines = letters.map(letterLine).join('\n')
      printResult(context, letters, lines || 'no dead letters: every record was decoded')
      return EXIT_CODES.ok
    }),
}

const retryHint = ({ generation, former, tried, remaining, isSwitched }: RetryOutcome): string => {
  const read = tried.length - remaining.length
  const result = `decoded ${read} of ${tried.length} dead letters`
  if (isSwitched) return `${result}; to revert: rollcall rebuild --switch ${former}`
  const reason =
    read === 0
      ? 'the running projections cannot decode them either: is the new version running?'
      : 'other tables differ too, or some records are still undecodable'
  return [
    `${result}; generation ${former} is still served: ${reason}`,
    `to switch to the new one: rollcall rebuild --switch ${generation} --accept-differences`,
    `to drop it: rollcall rebuild --drop ${generation}`,
  ].join('\n')
}

export const deadLettersRetry: Command = {
  name: 'dead-letters retry',
  summary: 'rebuild the tables with dead letters included, compare, and switch',
  options: {
    proposal: ['<id>', 'retry the dead letters of this proposal'],
    all: 'retry all dead letters',
    'accept-differences': 'switch even if some remain undecodable or other rows differ',
    json: 'print the result as JSON',
  },
  examples: [['rollcall dead-letters retry --all', 'after an update that can decode them']],
  run: async (context) => {
    const text = textOption(context, 'proposal')
    const isAll = context.options['all'] === true
    if (isAll === (text !== undefined)) throw new UsageError('specify --proposal <id> or --all')
    const selection = text === undefined ? {} : { proposalId: parseProposalId(text) }
    return await withStore(context.env, (store) =>
      withInterruptionHint(context, async () => {
        const { retryLetters } = await import('../../../projections/rebuild/dead-letters.ts')
        const output = await createOutput(context, store)
        const accept = () => context.options['accept-differences'] === true
        const outcome = await retryLetters({ ...output.options, accept }, selection)
        const { tried, remaining, unexplained } = outcome
        const letters = { tried: tried.length, remaining, unexplained }
        const code = output.end(outcome, retryHint(outcome), letters)
        return remaining.length > 0 ? EXIT_CODES.differs : code
      }),
    )
  },
}
