// Starts a child again after each kill until it has finished all its seeds.
import { expect, onTestFinished } from 'vitest'
import { type Child, startChild } from '../support/process/child.ts'
import { type Bundle, bundleChild } from './bundle.ts'
import { createDice } from './dice.ts'
import { chooseKills, KILLS } from './kill-plan.ts'
import { atSeed } from './seeds.ts'

export type KilledChildren = {
  /** The test file, `import.meta.url`. */
  file: string
  /** A file of `children/`, without its extension. */
  child: string
  seeds: readonly number[]
  /** Arguments of the child besides its seeds. */
  parameters: readonly string[]
}

/** Each waits for its disk some of the time. */
const LANES = 2

const killSoon = async (kill: () => void, micros: number): Promise<void> => {
  const atMs = performance.now() + micros / 1000
  while (performance.now() < atMs) await new Promise((resolve) => setImmediate(resolve))
  kill()
}

/** In a life of half a second, several threads that free memory cost more than they save. */
const SHORT_LIVED = ['--single-threaded-gc']

type Start = (lives: number, seeds: readonly number[]) => Child

const createStart =
  ({ url, compileCache }: Bundle, parameters: readonly string[]): Start =>
  (lives, seeds) =>
    startChild(url, [String(lives), seeds.join(','), ...parameters], {
      execArgv: SHORT_LIVED,
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
    })

const liveOne = async (child: Child) => {
  const isAsking = (line: Record<string, unknown>) => 'killAfterMicros' in line
  void child.line(isAsking).then(
    ({ killAfterMicros }) => killSoon(() => child.process.kill('SIGKILL'), Number(killAfterMicros)),
    // Only some children request it.
    () => undefined,
  )
  const { code, signal } = await child.exited
  return { code, signal, done: child.lines.filter(({ done }) => done === true).length }
}

const runLane = async (
  start: Start,
  { file }: KilledChildren,
  seeds: readonly number[],
): Promise<void> => {
  let waiting = seeds
  let lives = 0
  const expectAllKills = (seed: number, happened: number) =>
    expect([seed, happened]).toEqual([seed, chooseKills(createDice(seed)).length])
  while (waiting.length > 0) {
    const { code, signal, done } = await liveOne(start(lives, waiting))
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
  const { child, seeds, parameters } = options
  const bundle = await bundleChild(child)
  onTestFinished(bundle.remove)
  const start = createStart(bundle, parameters)
  // A killed process stores no compiled code, so one without seeds does it for all others.
  expect(await start(0, []).exited).toEqual({ code: 0, signal: null })
  const selectLane = (lane: number) => seeds.filter((_, at) => at % LANES === lane)
  await Promise.all(
    Array.from({ length: LANES }, (_, lane) => runLane(start, options, selectLane(lane))),
  )
  if (seeds.length < KILLS.length * 2) return
  const planned = seeds.flatMap((seed) => chooseKills(createDice(seed)))
  expect(new Set(planned)).toEqual(new Set(KILLS))
}
