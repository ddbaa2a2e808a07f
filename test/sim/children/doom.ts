// What the children of the simulator share: how one dies as planned, and how it tells its parent what it has done.
import { writeSync } from 'node:fs'
import { createDice, type Dice } from '../dice.ts'
import type { PlannedKill } from '../kill-plan.ts'

const LONGEST_LIFE_MS = 60_000
/** The exit code of one that neither died nor was done in time. */
const LATE = 70

const report = (message: object) => writeSync(1, `${JSON.stringify(message)}\n`)
export const die = (): void => void process.kill(process.pid, 'SIGKILL')
const NEVER = new Promise<never>(() => {})

type Write<Answer> = {
  /** All of it, in order. */
  whole: () => Promise<Answer>
  /** The same, but that it kills the process on the way, so far into it. */
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

export type Lives = {
  /** Seeds in order, and how many lives the first of them has behind it. */
  seeds: readonly number[]
  livesBehind: number
  createPlan: (dice: Dice) => readonly PlannedKill[]
  live: (dice: Dice, doom: Doom) => Promise<void>
}

const liveOnce = async (seed: number, number: number, { createPlan, live }: Lives) => {
  const dice = createDice(seed)
  const plan = createPlan(dice)[number]
  const watchdog = setTimeout(() => process.exit(LATE), LONGEST_LIFE_MS)
  if (plan?.kill === 'at any time') setTimeout(die, plan.delayMicros / 1000)
  await live(dice, createDoom(plan))
  // Nothing left to do before its time has come.
  if (plan && plan.kill !== 'at any time') die()
  if (plan) await NEVER
  clearTimeout(watchdog)
  report({ seed, done: true })
}

/** Lives seed after seed, and ends the process. */
export const liveAll = async (lives: Lives): Promise<void> => {
  // Keeps a process alive that only waits for its death, and ends it with its parent.
  process.stdin.resume().once('end', () => process.exit(1))
  let number = lives.livesBehind
  for (const seed of lives.seeds) {
    await liveOnce(seed, number, lives)
    number = 0
  }
  process.exit(0)
}
