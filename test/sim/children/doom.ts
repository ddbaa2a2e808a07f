// Shared code of the simulator's children: planned deaths and progress reports to the parent.
import { writeSync } from 'node:fs'
import { createDice, type Dice } from '../dice.ts'
import { type PlannedKill, planKills } from '../kill-plan.ts'

const LONGEST_LIFE_MS = 60_000
/** The exit code of a child that neither died nor finished in time. */
const LATE = 70

const report = (message: object) => writeSync(1, `${JSON.stringify(message)}\n`)
export const die = (): void => void process.kill(process.pid, 'SIGKILL')
const NEVER = new Promise<never>(() => {})

type Write<Answer> = {
  /** The whole write, in order. */
  whole: () => Promise<Answer>
  /** The same write, but it kills the process at the given share. */
  deadly: (percent: number) => Promise<unknown>
}

/** Runs the writes of one life; the planned one never returns. */
export const createDoom = (plan: PlannedKill | undefined) => {
  let writes = 0
  const last = async (
    { kill, percent, delayMicros }: PlannedKill,
    write: Write<unknown>,
  ): Promise<never> => {
    switch (kill) {
      case 'before a write':
        break
      case 'inside a write':
        await write.deadly(percent)
        break
      case 'during a write':
        report({ killAfterMicros: delayMicros })
        await write.whole()
        return NEVER
      default:
        await write.whole()
    }
    die()
    return NEVER
  }
  return {
    write: <Answer>(write: Write<Answer>): Promise<Answer> => {
      const isLast = plan && plan.kill !== 'at any time' && ++writes === plan.write
      return isLast ? last(plan, write) : write.whole()
    },
  }
}

export type Doom = ReturnType<typeof createDoom>

type Lives = {
  /** In which write of a life it is killed, at most. */
  mostWrites: number
  live: (dice: Dice, doom: Doom) => Promise<void>
}

/** Arguments: finished lives of the first seed, the seeds with commas, and those of the child. */
const [livesBehind, seeds = '', ...ownParameters] = process.argv.slice(2)
export const parameters: readonly string[] = ownParameters

const liveOnce = async (seed: number, number: number, { mostWrites, live }: Lives) => {
  const dice = createDice(seed)
  const plan = planKills(dice, mostWrites)[number]
  const watchdog = setTimeout(() => process.exit(LATE), LONGEST_LIFE_MS)
  if (plan?.kill === 'at any time') setTimeout(die, plan.delayMicros / 1000)
  await live(dice, createDoom(plan))
  // All work is done before the planned time.
  if (plan && plan.kill !== 'at any time') die()
  if (plan) await NEVER
  clearTimeout(watchdog)
  report({ seed, done: true })
}

/** Runs one seed after the other, then ends the process. */
export const liveAll = async (lives: Lives): Promise<void> => {
  // Keeps a process alive that waits for its planned kill, and ends it with its parent.
  process.stdin.resume().once('end', () => process.exit(1))
  let number = Number(livesBehind)
  for (const seed of seeds.split(',').filter(Boolean).map(Number)) {
    await liveOnce(seed, number, lives)
    number = 0
  }
  process.exit(0)
}
