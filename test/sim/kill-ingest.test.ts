// Kills an ingest process with SIGKILL repeatedly; at the end the log of every seed is exact.
import { it, onTestFinished } from 'vitest'
import { openEmbeddedLog } from '../../infra/base/log/embedded-log.ts'
import { createTemporaryDirectory } from '../support/process/temporary-directory.ts'
import { expectExactLog, undisturbedLog } from './exact-log.ts'
import { toLogPath } from './kill-plan.ts'
import { runKilledChildren } from './killed-children.ts'
import { KILLED_HEIGHTS, seededChain } from './seeded-chain.ts'
import { forEachSeed, readSeeds } from './seeds.ts'

const file = import.meta.url
const SEEDS = 200

it('the log equals the chain’s events, each once, in order, after ingest was killed (SIGKILL) at any point of an append, 200 seeded runs', {
  tags: 'ingest:height-is-atomic',
}, async () => {
  const directory = createTemporaryDirectory('sim')
  onTestFinished(() => directory.remove())
  await runKilledChildren({
    file,
    child: 'ingest',
    seeds: readSeeds(SEEDS),
    parameters: [directory.path],
  })
  await forEachSeed({ file, count: SEEDS }, async (dice) => {
    const path = toLogPath(directory.path, dice.seed)
    const log = await openEmbeddedLog({ path, readOnly: true })
    const chain = seededChain(dice, KILLED_HEIGHTS)
    await expectExactLog(log, chain, await undisturbedLog(chain))
    await log.close()
  })
})
