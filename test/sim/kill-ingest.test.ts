// Kills an ingest process with SIGKILL repeatedly; at the end the log of every seed is exact.
import { afterAll, beforeAll, it } from 'vitest'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { type Bundle, bundleChild } from './bundle.ts'
import { createDice } from './dice.ts'
import { expectExactLog, undisturbedLog } from './exact-log.ts'
import { MOST_APPENDS, planKills, toLogPath } from './kill-plan.ts'
import { runKilledChildren } from './killed-children.ts'
import { KILLED_HEIGHTS, seededChain } from './seeded-chain.ts'
import { atSeed, readSeeds } from './seeds.ts'

const FILE = import.meta.url

let bundle: Bundle
beforeAll(async () => {
  bundle = await bundleChild('ingest')
})
afterAll(() => bundle.remove())

const expectExact = async (directory: string, seed: number): Promise<void> => {
  const log = await openEmbeddedLog({ path: toLogPath(directory, seed), readOnly: true })
  const chain = seededChain(createDice(seed), KILLED_HEIGHTS)
  try {
    await expectExactLog(log, chain, await undisturbedLog(chain))
  } catch (error) {
    throw atSeed(FILE, seed, error)
  } finally {
    await log.close()
  }
}

it('the log equals the chain’s events, each once, in order, after ingest was killed (SIGKILL) at any point of an append, 200 seeded runs', {
  tags: 'ingest:height-is-atomic',
}, async () => {
  const directory = createTemporaryDirectory('sim')
  const seeds = readSeeds(200)
  try {
    await runKilledChildren({
      file: FILE,
      bundle,
      seeds,
      lanes: 2,
      parameters: [directory.path],
      createPlan: (dice) => planKills(dice, MOST_APPENDS),
    })
    for (const seed of seeds) await expectExact(directory.path, seed)
  } finally {
    directory.remove()
  }
})
