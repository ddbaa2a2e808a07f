// `npm run record:demo` plays the year of the demo on a new chain and records it for users. `npm run record:scenario` does the
// same with the scenario of the tests, for `test/fixtures/recording`.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { DEFAULT_RECORDING } from '../../infra/app/demo/recording.ts'
import { buildNode, type WasmdBinary } from './build-node.ts'
import { type Devnet, startDevnet } from './chain.ts'
import { DEMO_PERIODS, STORY_CHAIN } from './demo/chain-spec.ts'
import { playYear } from './demo/play.ts'
import { YEAR_MS } from './demo/story.ts'
import { createStoryClock } from './demo/story-clock.ts'
import { recordRun } from './recorder.ts'
import { type Played, playScenario } from './scenario.ts'

type Recorded = { target: string; devnet: Devnet; play: () => Promise<Played> }

const progress = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

const BLOCK_MS = 100
/** The node skips upgrades at these heights, because it has no other version to continue with. */
const UPGRADE_HEIGHTS = Array.from({ length: 200 }, (_, index) => 10 * (index + 1))

async function startDemo(binary: WasmdBinary, dir: string): Promise<Recorded> {
  const endMs = Date.now()
  const clock = createStoryClock(endMs - YEAR_MS)
  const devnet = await startDevnet({
    dir,
    binary,
    spec: STORY_CHAIN,
    periods: DEMO_PERIODS,
    blockMs: BLOCK_MS,
    timeAt: clock.at,
    startArgs: ['--unsafe-skip-upgrades', UPGRADE_HEIGHTS.join(',')],
  })
  const [first = '', second = ''] = binary.escrowPaths
  const files = new Map([
    ['file of the first escrow', first],
    ['file of the second escrow', second],
  ])
  const play = () => playYear(devnet, { clock, endMs, files, progress })
  return { target: DEFAULT_RECORDING, devnet, play }
}

async function startScenario(binary: WasmdBinary, dir: string): Promise<Recorded> {
  const { contractPath } = binary
  const devnet = await startDevnet({ dir, binary })
  const target = fileURLToPath(new URL('../fixtures/recording', import.meta.url))
  return { target, devnet, play: () => playScenario(devnet, { contractPath, progress }) }
}

const binary = await buildNode(progress)
const dir = await mkdtemp(`${tmpdir()}/rollcall-record-`)
const start = process.argv[2] === 'scenario' ? startScenario : startDemo
const { target, devnet, play } = await start(binary, dir)
try {
  const manifest = await recordRun(devnet.rpcUrl, await play(), { dir: target, progress })
  const { firstHeight, lastHeight, files } = manifest
  progress(`recorded heights ${firstHeight} to ${lastHeight} into ${target}`)
  for (const [name, { bytes }] of Object.entries(files)) progress(`${name}: ${bytes} bytes`)
} finally {
  await devnet.stop()
  await rm(dir, { recursive: true, force: true })
}
