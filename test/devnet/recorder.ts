// Records a run of the devnet: every block, and the state as changes per height.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { FAMILIES, GONE, HEADER_BYTES, type StateChange } from '../../infra/app/chain/state.ts'
import {
  type Manifest,
  RECORDING_FORMAT,
  type RecordedProofs,
  type Segment,
  STORE_PATH,
  type StoreAnswer,
} from '../../infra/app/demo/recording.ts'
import { proposalKey } from '../../infra/base/proof/proposal.ts'
import { type RawRpc, readSchema } from './rpc.ts'
import { readState, type StateEntry } from './state-reader.ts'

const SEGMENT_BLOCKS = 64
const PROGRESS_EVERY = 40
const MAX_TOTAL_BYTES = 6 * 1024 * 1024
/** Brotli's best quality needs ten times as long for a few percent. */
const QUALITY = 9

export const compress = (bytes: Buffer, quality = QUALITY): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  })

type Played = {
  lastHeight: number
  /** The ids of proposals by their names in the scenario. */
  proposals: ReadonlyMap<string, bigint>
}

const describeFile = (bytes: Uint8Array) => ({
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

async function recordBlocks(rpc: RawRpc, { lastHeight: to }: Played) {
  const parts: Buffer[] = []
  const segments: Segment[] = []
  let offset = 0
  for (let start = 1; start <= to; start += SEGMENT_BLOCKS) {
    const end = Math.min(to, start + SEGMENT_BLOCKS - 1)
    const lines: string[] = []
    for (let height = start; height <= end; height++) {
      const params = { height: String(height) }
      lines.push(await rpc.raw('block', params), await rpc.raw('block_results', params))
    }
    if (lines.some((line) => line.includes('\n'))) throw new Error('a result spans several lines')
    const bytes = await compress(Buffer.from(lines.join('\n')))
    segments.push({ from: start, to: end, offset, length: bytes.length })
    parts.push(bytes)
    offset += bytes.length
  }
  return { bytes: Buffer.concat(parts), segments }
}

const toEntryName = ({ family, key }: { family: string; key: Uint8Array }) =>
  `${family}/${Buffer.from(key).toString('hex')}`

/** What differs from the height before; `known` is brought up to date. */
function changesAt(height: number, state: StateEntry[], known: Map<string, StateEntry>) {
  const changes: StateChange[] = []
  const seen = new Set<string>()
  for (const entry of state) {
    const name = toEntryName(entry)
    seen.add(name)
    const before = known.get(name)
    if (before && Buffer.compare(before.value, entry.value) === 0) continue
    known.set(name, entry)
    changes.push({ height, ...entry })
  }
  for (const [name, { family, key }] of known) {
    if (seen.has(name)) continue
    known.delete(name)
    changes.push({ height, family, key, value: null })
  }
  return changes
}

async function recordState(rpc: RawRpc, { lastHeight, proposals }: Played): Promise<StateChange[]> {
  const highestId = [...proposals.values()].reduce((a, b) => (a > b ? a : b), 0n)
  const known = new Map<string, StateEntry>()
  const changes: StateChange[] = []
  for (let height = 1; height <= lastHeight; height++) {
    changes.push(...changesAt(height, await readState(rpc, { height, highestId }), known))
    if (height % PROGRESS_EVERY === 0) console.log(`read the state of height ${height}`)
  }
  return changes
}

/** Each proposal at each height where it changed. A node proves nothing of the first block. */
async function recordStore(rpc: RawRpc, changes: readonly StateChange[]): Promise<StoreAnswer[]> {
  const answers: StoreAnswer[] = []
  for (const { height, family, key: id, value } of changes) {
    if (family !== 'proposal' || value === null || height === 1) continue
    const key = Buffer.from(proposalKey(Buffer.from(id).readBigUInt64BE())).toString('hex')
    const params = { path: STORE_PATH, data: key, height: `${height}`, prove: true }
    const { response } = await rpc.call('abci_query', params)
    if (response.value === null || response.proofOps === null)
      throw new Error(`the node proves no proposal ${key} at height ${height}`)
    answers.push({ height, key, response: JSON.stringify(response) })
  }
  return answers
}

async function recordValidators(rpc: RawRpc, { lastHeight }: Played) {
  const texts: string[] = []
  for (let height = 1; height <= lastHeight; height++) {
    const text = await rpc.raw('validators', { height: `${height}`, per_page: '100' })
    const { count, total } = JSON.parse(text)
    if (count !== total) throw new Error(`there are ${total} validators, one page has ${count}`)
    texts.push(text)
  }
  return texts
}

async function readVersions(): Promise<Record<string, string>> {
  const text = await readFile(fileURLToPath(new URL('./node/go.mod', import.meta.url)), 'utf8')
  const findVersion = (module: string) =>
    new RegExp(`${module} (v[^\\s]+)`).exec(text)?.[1] ?? 'unknown'
  return {
    wasmd: findVersion('github.com/CosmWasm/wasmd'),
    'cosmos-sdk': findVersion('github.com/cosmos/cosmos-sdk'),
    cometbft: findVersion('github.com/cometbft/cometbft'),
  }
}

/** Removes addresses of this machine from the status that the replay reports. */
function publicNodeInfo(nodeInfo: Record<string, unknown>): Record<string, unknown> {
  return {
    ...nodeInfo,
    listen_addr: 'tcp://127.0.0.1:26656',
    other: { tx_index: 'off', rpc_address: 'tcp://127.0.0.1:26657' },
  }
}

function encodeChanges(changes: readonly StateChange[]): Buffer {
  const parts: Uint8Array[] = []
  for (const { height, family, key, value } of changes) {
    const header = Buffer.alloc(HEADER_BYTES)
    header.writeUInt32BE(height, 0)
    header.writeUInt8(FAMILIES[family], 4)
    header.writeUInt16BE(key.length, 5)
    header.writeUInt32BE(value === null ? GONE : value.length, 7)
    parts.push(header, key)
    if (value) parts.push(value)
  }
  return Buffer.concat(parts)
}

export async function recordRun(rpc: RawRpc, played: Played, dir: string): Promise<void> {
  const { lastHeight, proposals } = played
  const changes = await recordState(rpc, played)
  const { bytes: blocks, segments } = await recordBlocks(rpc, played)
  const recorded: RecordedProofs = {
    validators: await recordValidators(rpc, played),
    store: await recordStore(rpc, changes),
  }
  const files = {
    'blocks.bin': blocks,
    'state.bin.br': await compress(encodeChanges(changes)),
    'schema.bin.br': await compress(await readSchema(rpc)),
    'proofs.bin.br': await compress(Buffer.from(JSON.stringify(recorded))),
  }
  const sizes = Object.values(files).map(({ length }) => length)
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0)
  console.log(`${lastHeight} heights, ${changes.length} state changes; ${sizes.join(' + ')} bytes`)
  if (total > MAX_TOTAL_BYTES)
    throw new Error(`the recording has ${total} bytes, 6 MiB are allowed`)
  const status = await rpc.call('status')
  const { data } = (await rpc.call('abci_info')).response
  const manifest: Manifest = {
    format: RECORDING_FORMAT,
    chainId: status.node_info.network,
    firstHeight: 1,
    lastHeight,
    recordedAt: new Date().toISOString(),
    versions: await readVersions(),
    nodeInfo: publicNodeInfo(status.node_info),
    validatorInfo: status.validator_info,
    abciInfo: { data },
    appVersion: (await rpc.query('/app/version', new Uint8Array(), lastHeight)).toString(),
    proposals: Object.fromEntries([...proposals].map(([key, id]) => [key, String(id)])),
    files: Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [name, describeFile(bytes)]),
    ) as Manifest['files'],
    segments,
  }
  await mkdir(dir, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) await writeFile(`${dir}/${name}`, bytes)
  await writeFile(`${dir}/manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`)
}
