// `npm run record:scenario` plays the scenario of the tests on a new chain and records it for `test/fixtures/recording`.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { buildNode } from './build-node.ts'
import { startDevnet } from './chain.ts'
import { recordRun } from './recorder.ts'
import { playScenario } from './scenario.ts'

const progress = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

const binary = await buildNode(progress)
const dir = await mkdtemp(`${tmpdir()}/rollcall-record-`)
const target = fileURLToPath(new URL('../fixtures/recording', import.meta.url))
const devnet = await startDevnet({ dir, binary })
try {
  const played = await playScenario(devnet, { contractPath: binary.contractPath, progress })
  const { firstHeight, lastHeight, files } = await recordRun(devnet.rpcUrl, played, {
    dir: target,
    progress,
  })
  progress(`recorded heights ${firstHeight} to ${lastHeight} into ${target}`)
  for (const [name, { bytes }] of Object.entries(files)) progress(`${name}: ${bytes} bytes`)
} finally {
  await devnet.stop()
  await rm(dir, { recursive: true, force: true })
}
