// `npm run record:schema`: writes the built-in file descriptors, for chains that report none, from a fresh devnet node.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { fromBinary, toBinary } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { buildNode } from './build-node.ts'
import { startDevnet } from './chain.ts'
import { compress } from './compress.ts'
import { createRawRpc, readSchema } from './rpc.ts'
import { buildStandardSet } from './schema/standard-set.ts'

const target = fileURLToPath(
  new URL('../../ingest/schema/standard-files.binpb.br', import.meta.url),
)
const progress = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

const binary = await buildNode(progress)
const dir = await mkdtemp(`${tmpdir()}/rollcall-schema-`)
const devnet = await startDevnet({ dir, binary })
try {
  const reported = await readSchema(createRawRpc(devnet.rpcUrl))
  const set = await buildStandardSet(fromBinary(FileDescriptorSetSchema, reported))
  const bytes = Buffer.from(toBinary(FileDescriptorSetSchema, set))
  const compressed = await compress(bytes)
  await writeFile(target, compressed)
  progress(`${set.file.length} files, ${bytes.length} bytes, ${compressed.length} compressed`)
} finally {
  await devnet.stop()
  await rm(dir, { recursive: true, force: true })
}
