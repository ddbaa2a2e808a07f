// `npm run record:messages`: writes every message of the module proposals, as bytes and as the node's JSON, for tests without a chain.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { buildNode } from './build-node.ts'
import { startDevnet } from './chain.ts'
import { playModules } from './modules/play.ts'
import { readRestMessages, readStoredMessages } from './modules/proposal-messages.ts'
import { createRawRpc } from './rpc.ts'

const target = fileURLToPath(new URL('../fixtures/rest-messages.json', import.meta.url))
/** A contract's code is left out; other messages have bytes long enough to be served apart. */
const MAX_VALUE_BYTES = 32 * 1024
const progress = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

const binary = await buildNode(progress)
const dir = await mkdtemp(`${tmpdir()}/rollcall-messages-`)
const devnet = await startDevnet({ dir, binary })
try {
  const rpc = createRawRpc(devnet.rpcUrl)
  const lines: string[] = []
  for (const proposal of await playModules(devnet, { contractPath: binary.contractPath })) {
    const stored = await readStoredMessages(rpc, proposal)
    const rest = await readRestMessages(devnet.restUrl, proposal)
    for (const [index, { typeUrl, value }] of stored.entries()) {
      if (value.length > MAX_VALUE_BYTES) continue
      const valueBase64 = Buffer.from(value).toString('base64')
      const { name } = proposal
      lines.push(JSON.stringify({ proposal: name, typeUrl, valueBase64, rest: rest[index] }))
    }
  }
  await writeFile(target, `[\n${lines.join(',\n')}\n]\n`)
  progress(`${lines.length} messages in ${target}`)
} finally {
  await devnet.stop()
  await rm(dir, { recursive: true, force: true })
}
