// `npm run record:demo`: plays the scenario on a new chain and writes the recording for the demo.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { buildNode } from './build-node.ts'
import { startDevnet } from './chain.ts'
import { recordRun } from './recorder.ts'
import { playScenario } from './scenario.ts'

const target = fileURLToPath(new URL('../../infra/app/demo/recording', import.meta.url))
const progress = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

const binary = await buildNode(progress)
const dir = await mkdtemp(`${tmpdir()}/rollcall-record-`)
const devnet = await startDevnet({ dir, binary })
try {
  const played = await playScenario(devnet, { contractPath: binary.contractPath, progress })
  const manifest = await recordRun(devnet.rpcUrl, played, { dir: target, progress })
  const { firstHeight, lastHeight, files } = manifest
  progress(`recorded heights ${firstHeight} to ${lastHeight} into ${target}`)
  for (const [name, { bytes }] of Object.entries(files)) progress(`${name}: ${bytes} bytes`)
} finally {
  await devnet.stop()
  await rm(dir, { recursive: true, force: true })
}
