// Kills a projections process with SIGKILL between and during its inserts into a real ClickHouse.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { dropTables, freshTables, readTables } from '../support/fold/read-tables.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'
import { type Bundle, bundleChild } from './bundle.ts'
import { MOST_INSERTS, planKills, toLogPath } from './kill-plan.ts'
import { runKilledChildren } from './killed-children.ts'
import { createSeededStory, toControlName, undisturbedTables } from './seeded-tables.ts'
import { atSeed, readSeeds } from './seeds.ts'

const FILE = import.meta.url

let bundle: Bundle
let clickHouse: TestClickHouse
beforeAll(async () => {
  bundle = await bundleChild('projections')
  clickHouse = await startTestClickHouse()
})
afterAll(async () => {
  bundle.remove()
  await clickHouse.stop()
})

const fillLog = async (directory: string, seed: number): Promise<void> => {
  const log = await openEmbeddedLog({ path: toLogPath(directory, seed) })
  for (const height of createSeededStory(seed)) await log.append(height)
  await log.close()
}

const expectExact = async (seed: number): Promise<void> => {
  try {
    const expected = await undisturbedTables(createSeededStory(seed))
    expect(await readTables(clickHouse.store, toControlName(seed))).toEqual(expected)
  } catch (error) {
    throw atSeed(FILE, seed, error)
  }
}

it('the tables equal those of an undisturbed run after the projections were killed during a batch', {
  tags: 'projections:same-tables',
}, async () => {
  const directory = createTemporaryDirectory('sim')
  const seeds = readSeeds(20)
  const { store, url, username, password } = clickHouse
  try {
    for (const seed of seeds) {
      await fillLog(directory.path, seed)
      await freshTables(store, toControlName(seed))
    }
    await runKilledChildren({
      file: FILE,
      bundle,
      seeds,
      lanes: 2,
      parameters: [directory.path, JSON.stringify({ url, username, password })],
      createPlan: (dice) => planKills(dice, MOST_INSERTS),
    })
    for (const seed of seeds) {
      await expectExact(seed)
      await dropTables(store, toControlName(seed))
    }
  } finally {
    directory.remove()
  }
})
