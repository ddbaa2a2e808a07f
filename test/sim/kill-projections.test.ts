// Kills a projections process with SIGKILL between and during its inserts into a real ClickHouse.
import { expect, it, onTestFinished } from 'vitest'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { dropTables, freshTables, readTables } from '../support/fold/read-tables.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { startTestClickHouse } from '../support/store/clickhouse.ts'
import { toLogPath } from './kill-plan.ts'
import { runKilledChildren } from './killed-children.ts'
import { createSeededStory, toControlName, undisturbedTables } from './seeded-tables.ts'
import { forEachSeed, readSeeds } from './seeds.ts'

const file = import.meta.url
const SEEDS = 20

const fillLog = async (path: string, seed: number): Promise<void> => {
  const log = await openEmbeddedLog({ path })
  for (const height of createSeededStory(seed)) await log.append(height)
  await log.close()
}

it('the tables equal those of an undisturbed run after the projections were killed during a batch', {
  tags: 'projections:same-tables',
}, async () => {
  const { store, url, username, password, stop } = await startTestClickHouse()
  onTestFinished(stop)
  const directory = createTemporaryDirectory('sim')
  onTestFinished(() => directory.remove())
  const seeds = readSeeds(SEEDS)
  for (const seed of seeds) {
    await fillLog(toLogPath(directory.path, seed), seed)
    await freshTables(store, toControlName(seed))
  }
  await runKilledChildren({
    file,
    child: 'projections',
    seeds,
    parameters: [directory.path, JSON.stringify({ url, username, password })],
  })
  await forEachSeed({ file, count: SEEDS }, async ({ seed }) => {
    const control = toControlName(seed)
    const expected = await undisturbedTables(createSeededStory(seed))
    expect(await readTables(store, control)).toEqual(expected)
    await dropTables(store, control)
  })
})
