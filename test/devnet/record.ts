// `npm run record:scenario` plays the scenario on a new chain and writes the fixtures of tests without a chain. `npm run record:schema`
// writes the built-in file descriptors, for chains that report none.
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { constants } from 'node:zlib'
import { fromBinary, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { startDevnet } from './chain.ts'
import { createProofSource } from './proof-source.ts'
import { compress, recordRun } from './recorder.ts'
import { readSchema } from './rpc.ts'
import { VOTERS } from './scenario/crowds.ts'
import { playScenario } from './scenario/plot.ts'
import { SCENARIO_CHAIN } from './scenario/scenario-chain.ts'
import { openScene, type Scene } from './scene.ts'
import { buildStandardSet } from './schema/standard-set.ts'

const toPath = (target: string): string => fileURLToPath(new URL(target, import.meta.url))

/** The proofs of a vote that passed and one that was rejected, and light blocks between which the validators' power changes. */
async function recordProofs({ chain, id }: Scene, lastHeight: number): Promise<void> {
  const { proof, lightBlock } = createProofSource(chain.rpc)
  const prove = async (name: string) => ({
    id: `${id(name)}`,
    proof: await proof(id(name), lastHeight),
  })
  const middle = Math.floor(lastHeight / 2)
  const heights = [1, 2, Math.floor(middle / 2), middle, lastHeight - 1]
  const recorded = {
    chainId: SCENARIO_CHAIN.chainId,
    proposals: await Promise.all(['constitution', 'ambassadors'].map(prove)),
    lightBlocks: await Promise.all(heights.map(lightBlock)),
  }
  await writeFile(toPath('../fixtures/proposal-proofs.json'), `${JSON.stringify(recorded)}\n`)
}

async function recordScenario(scene: Scene): Promise<void> {
  const lastHeight = await playScenario(scene)
  const { chain, proposals } = scene
  await recordProofs(scene, lastHeight)
  await recordRun(chain.rpc, { lastHeight, proposals }, toPath('../fixtures/recording'))
}

async function recordSchema({ chain }: Scene): Promise<void> {
  const reported = fromBinary(FileDescriptorSetSchema, await readSchema(chain.rpc))
  const set = await buildStandardSet(reported)
  const bytes = Buffer.from(toBinary(FileDescriptorSetSchema, set))
  await writeFile(
    toPath('../../ingest/schema/standard-files.binpb.br'),
    await compress(bytes, constants.BROTLI_MAX_QUALITY),
  )
  console.log(`${set.file.length} files, ${bytes.length} bytes`)
}

const record = process.argv[2] === 'schema' ? recordSchema : recordScenario
const devnet = await startDevnet(SCENARIO_CHAIN)
try {
  const scene = await openScene(devnet, VOTERS)
  await record(scene)
  await scene.chain.close()
} finally {
  await devnet.stop()
}
