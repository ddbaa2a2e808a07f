// Starts a bundled child again after each kill until it has finished all its seeds.
import { expect } from 'vitest'
import { type Child, startChild } from '../support/process/child.ts'
import type { Bundle } from './bundle.ts'
import { createDice, type Dice } from './dice.ts'
import { KILLS, type PlannedKill } from './kill-plan.ts'
import { atSeed } from './seeds.ts'

export type KilledChildren = {
  /** The test file, `import.meta.url`. */
  file: string
  bundle: Bundle
  seeds: readonly number[]
  /** Number of parallel children. */
  lanes: number
  /** Arguments of the child besides its seeds. */
  parameters: readonly string[]
  createPlan: (dice: Dice) => readonly PlannedKill[]
}

const killSoon = async (kill: () => void, micros: number): Promise<void> => {
  const atMs = performance.now() + micros / 1000
  while (performance.now() < atMs) await new Promise((resolve) => setImmediate(resolve))
  kill()
}

/** In a life of half a second, several threads that free memory cost more than they save. */
const SHORT_LIVED = ['--single-threaded-gc']

const startLife = (
  { bundle, parameters }: KilledChildren,
  lives: number,
  seeds: readonly number[],
): Child =>
  startChild(bundle.url, [String(lives), seeds.join(','), ...parameters], {
    execArgv: SHORT_LIVED,
    env: { ...process.env, NODE_COMPILE_CACHE: bundle.compileCache },
  })

const liveOne = async (options: KilledChildren, lives: number, seeds: readonly number[]) => {
  const child = startLife(options, lives, seeds)
  const isAsking = (line: Record<string, unknown>) => 'killAfterMicros' in line
  void child.line(isAsking).then(
    ({ killAfterMicros }) => killSoon(() => child.process.kill('SIGKILL'), Number(killAfterMicros)),
    // Only some children request it.
    () => undefined,
  )
  const { code, signal } = await child.exited
  return { code, signal, done: child.lines.filter(({ done }) => done === true).length }
}

const runLane = async (options: KilledChildren, seeds: readonly number[]): Promise<void> => {
  const { file, createPlan } = options
  let waiting = seeds
  let lives = 0
  const expectAllKills = (seed: number, happened: number) =>
    expect([seed, happened]).toEqual([seed, createPlan(createDice(seed)).length])
  while (waiting.length > 0) {
    const { code, signal, done } = await liveOne(options, lives, waiting)
    for (const [at, seed] of waiting.slice(0, done).entries()) {
      expectAllKills(seed, at === 0 ? lives : 0)
    }
    if (done > 0) lives = 0
    waiting = waiting.slice(done)
    const [current] = waiting
    if (current === undefined) return
    if (signal !== 'SIGKILL') throw atSeed(file, current, new Error(`ended with ${code ?? signal}`))
    lives += 1
  }
}

/** Rejects if a child neither finishes nor is killed as planned. */
export const runKilledChildren = async (options: KilledChildren): Promise<void> => {
  const { seeds, lanes, createPlan } = options
  // A killed process stores no compiled code, so one without seeds does it for all others.
  expect(await startLife(options, 0, []).exited).toEqual({ code: 0, signal: null })
  const selectLane = (lane: number) => seeds.filter((_, at) => at % lanes === lane)
  await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(options, selectLane(lane))))
  if (seeds.length < KILLS.length * 2) return
  const planned = new Set(
    seeds.flatMap((seed) => createPlan(createDice(seed)).map(({ kill }) => kill)),
  )
  expect([...planned].sort()).toEqual([...KILLS].sort())
}
