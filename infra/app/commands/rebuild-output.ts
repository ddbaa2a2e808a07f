// Output of a rebuild: a progress bar on a terminal, else plain lines, or one JSON object.
import { hostname } from 'node:os'
import type { Outcome, RebuildOptions, Step } from '../../../projections/rebuild/rebuild.ts'
import type { Store } from '../../base/clickhouse/client.ts'
import { EXIT_CODES } from '../../base/runtime/exit-codes.ts'
import { barText, createProgressMeter, progressText } from '../terminal/progress.ts'
import type { CommandContext } from './command.ts'

const PLAIN_LINE_EVERY_MS = 5_000
const COUNTED = { what: 'event', unit: 'events' }

export type RebuildOutput = {
  options: Pick<RebuildOptions, 'store' | 'holder' | 'signal' | 'onStep' | 'onProgress'>
  /** Prints the result; returns the exit code. `more` goes into the JSON. */
  end(outcome: Outcome, hint: string, more?: object): number
}

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

const toOutcomeJson = ({ generation, former, isSwitched, comparison }: Outcome) => ({
  generation,
  former,
  switched: isSwitched,
  comparison: comparison ?? null,
})

export const createRebuildOutput = async (
  { terminal, options, signal, process }: CommandContext,
  store: Store,
): Promise<RebuildOutput> => {
  const { comparisonText } = await import('../../../projections/rebuild/report.ts')
  const isJson = options['json'] === true
  const meter = createProgressMeter()
  let shownMs = 0
  const printText = (text: string): void => {
    terminal.clearProgress()
    if (!isJson) terminal.print(text)
  }
  const onProgress: RebuildOptions['onProgress'] = ({ built, served }) => {
    const atMs = Date.now()
    const total = Math.max(Number(served.logEnd), Number(built.logEnd), 1)
    const progress = meter.add({ atMs, done: Number(built.nextOffset), total })
    if (isJson || (!terminal.rewrites && atMs - shownMs < PLAIN_LINE_EVERY_MS)) return
    shownMs = atMs
    const bar = terminal.rewrites ? `${barText(progress)} ` : ''
    terminal.progress(`${bar}${progressText(progress, COUNTED)}`)
  }
  const onStep = (step: Step): void => {
    const text = step.kind === 'compared' ? comparisonText(step.comparison) : stepText(step)
    if (text !== undefined) printText(text)
  }
  return {
    options: {
      store,
      holder: `process ${process.pid} on ${hostname()}`,
      signal,
      onStep,
      onProgress,
    },
    end: (outcome, hint, more = {}) => {
      terminal.clearProgress()
      if (isJson) terminal.print(JSON.stringify({ ...toOutcomeJson(outcome), ...more }, null, 2))
      else printText(hint)
      return outcome.isSwitched || outcome.comparison?.equal ? EXIT_CODES.ok : EXIT_CODES.differs
    },
  }
}
