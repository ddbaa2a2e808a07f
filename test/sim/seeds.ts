// Runs a simulation over its seeds and reports the first failure with the command that repeats it.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withDeadline } from '../../infra/base/runtime/retry.ts'
import { createDice, type Dice } from './dice.ts'

export type Seeds = {
  /** The test file, `import.meta.url`. */
  file: string
  /** The default number of seeds. */
  count: number
  /** Seeds beyond that number that found a defect. */
  regressions?: readonly number[]
  /** Number of parallel runs. */
  lanes?: number
  /** Deadline of one run. */
  deadlineMs?: number
}

const ROOT = new URL('../../', import.meta.url)
const DEADLINE_MS = 240_000

const toNumber = (name: string, text: string): number => {
  if (!/^\d+$/.test(text)) throw new RangeError(`${name}=${text}: expected a whole number`)
  return Number(text)
}

const wholeNumber = (name: string): number | undefined => {
  const text = process.env[name]
  return text === undefined || text === '' ? undefined : toNumber(name, text)
}

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)

/** `SIM_SEED` is one seed or a range; `SIM_SEEDS` is the number of seeds. */
export const readSeeds = (count: number): number[] => {
  const setting = process.env['SIM_SEED']
  if (!setting) return range(1, wholeNumber('SIM_SEEDS') ?? count)
  const [first = 0, last = first] = setting.split('-').map((text) => toNumber('SIM_SEED', text))
  return range(first, last)
}

/** Whether the default number of seeds runs: only then are checks over all seeds meaningful. */
export const isWhole = ({ count }: Pick<Seeds, 'count'>): boolean =>
  readSeeds(count).length >= count

const formatCommand = (file: string, seed: number): string => {
  const path = relative(fileURLToPath(ROOT), fileURLToPath(file))
  return `SIM_SEED=${seed} npx vitest run --config test/vitest.config.ts --project sim ${path}`
}

/** The failure of one seed, with the command that repeats it. */
export const atSeed = (file: string, seed: number, cause: unknown): Error => {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new Error(`seed ${seed}: ${reason}\nrepeat it with: ${formatCommand(file, seed)}`, {
    cause,
  })
}

/** Throws at the first failed seed and starts no further seeds. */
export const forEachSeed = async (
  { file, count, regressions = [], lanes = 1, deadlineMs = DEADLINE_MS }: Seeds,
  run: (dice: Dice, lane: number) => Promise<void>,
): Promise<void> => {
  const waiting = readSeeds(count)
  if (isWhole({ count })) waiting.push(...regressions.filter((seed) => !waiting.includes(seed)))
  let failure: Error | undefined
  const runLane = async (lane: number): Promise<void> => {
    for (let seed = waiting.shift(); seed !== undefined && !failure; seed = waiting.shift()) {
      const dice = createDice(seed)
      try {
        await withDeadline(deadlineMs, undefined, () => run(dice, lane))
      } catch (error) {
        failure ??= atSeed(file, seed, error)
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)))
  if (failure) throw failure
}
