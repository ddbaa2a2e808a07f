// Records a run of the devnet: every block, and the state as changes per height.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
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
import { compress } from './compress.ts'
import { createRawRpc, type RawRpc, readSchema } from './rpc.ts'
import type { Played } from './scenario.ts'
import { createStateReader, type StateEntry, type Touched } from './state-reader.ts'
import type { TxEvent } from './transactions.ts'

const SEGMENT_BLOCKS = 64
const FULL_READ_EVERY = 40
const MAX_TOTAL_BYTES = 6 * 1024 * 1024
/** Brotli's best quality needs ten times as long for a few percent. */
const QUALITY = 9

const describeFile = (bytes: Uint8Array) => ({
  bytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
})

async function recordBlocks(
  rpc: RawRpc,
  { firstHeight: from, lastHeight: to }: Played,
  quality: number,
) {
  const parts: Buffer[] = []
  const segments: Segment[] = []
  let offset = 0
  for (let start = from; start <= to; start += SEGMENT_BLOCKS) {
    const end = Math.min(to, start + SEGMENT_BLOCKS - 1)
    const lines: string[] = []
    for (let height = start; height <= end; height++) {
      const params = { height: String(height) }
      lines.push(await rpc.raw('block', params), await rpc.raw('block_results', params))
    }
    if (lines.some((line) => line.includes('\n'))) throw new Error('a result spans several lines')
    const bytes = await compress(Buffer.from(lines.join('\n')), quality)
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

/** Not `liveness`: every block has it for each pool that does not sign, and it changes nothing that is recorded. */
const STAKE_EVENT = /delegat|unbond|validator|slash|jail/

/** A height is read partly if its events exclude changes of the other state. */
async function readTouched(rpc: RawRpc, height: number): Promise<Touched> {
  const results = await rpc.call('block_results', { height: String(height) })
  const txEvents = (results.txs_results ?? []).flatMap((tx: { events: TxEvent[] }) => tx.events)
  const events: TxEvent[] = [...(results.finalize_block_events ?? []), ...txEvents]
  const named = events.flatMap(({ attributes }) =>
    attributes.filter(({ key }) => key === 'proposal_id' || key === 'voting_period_start'),
  )
  return {
    proposals: new Set(named.map(({ value }) => BigInt(value || 0))),
    stake: events.some(({ type }) => STAKE_EVENT.test(type)),
  }
}

async function recordState(
  rpc: RawRpc,
  played: Played,
  progress: (line: string) => void,
): Promise<StateChange[]> {
  const highestId = [...played.proposals.values()].reduce((a, b) => (a > b ? a : b), 0n)
  const read = createStateReader(rpc, { highestId, queries: played.queries ?? [] })
  const known = new Map<string, StateEntry>()
  const changes: StateChange[] = []
  for (let height = played.firstHeight; height <= played.lastHeight; height++) {
    const isFirst = height === played.firstHeight
    const touched = isFirst ? 'everything' : await readTouched(rpc, height)
    changes.push(...changesAt(height, await read(height, touched), known))
    if (height % FULL_READ_EVERY !== 0 && height !== played.lastHeight) continue
    // A difference here shows a change without an event.
    const missed = changesAt(height, await read(height, 'everything'), known)
    if (missed.length > 0) throw new Error(`state changed without an event before height ${height}`)
    progress(`read the state of height ${height}`)
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

async function recordValidators(rpc: RawRpc, { firstHeight, lastHeight }: Played) {
  const texts: string[] = []
  for (let height = firstHeight; height <= lastHeight; height++) {
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

export type RecordOptions = {
  dir: string
  /** Brotli's. */
  quality?: number
  progress?: (line: string) => void
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

export async function recordRun(
  rpcUrl: string,
  played: Played,
  options: RecordOptions,
): Promise<Manifest> {
  const { quality = QUALITY, progress = () => {} } = options
  const rpc = createRawRpc(rpcUrl)
  const changes = await recordState(rpc, played, progress)
  const blocks = await recordBlocks(rpc, played, quality)
  const state = await compress(encodeChanges(changes), quality)
  const schema = await compress(await readSchema(rpc, played.lastHeight), quality)
  const recorded: RecordedProofs = {
    validators: await recordValidators(rpc, played),
    store: await recordStore(rpc, changes),
  }
  const proofs = await compress(Buffer.from(JSON.stringify(recorded)), quality)
  progress(`${recorded.store.length} proofs`)
  const files = {
    'blocks.bin': blocks.bytes,
    'state.bin.br': state,
    'schema.bin.br': schema,
    'proofs.bin.br': proofs,
  }
  const sizes = Object.values(files).map(({ length }) => length)
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0)
  progress(`${changes.length} state changes; ${sizes.join(' + ')} bytes`)
  if (total > MAX_TOTAL_BYTES)
    throw new Error(`the recording has ${total} bytes, 6 MiB are allowed`)
  const status = await rpc.call('status')
  const { data } = (await rpc.call('abci_info')).response
  const manifest: Manifest = {
    format: RECORDING_FORMAT,
    chainId: status.node_info.network,
    firstHeight: played.firstHeight,
    lastHeight: played.lastHeight,
    recordedAt: new Date().toISOString(),
    versions: await readVersions(),
    nodeInfo: publicNodeInfo(status.node_info),
    validatorInfo: status.validator_info,
    abciInfo: { data },
    appVersion: (await rpc.query('/app/version', new Uint8Array(), played.lastHeight)).toString(),
    proposals: Object.fromEntries([...played.proposals].map(([key, id]) => [key, String(id)])),
    files: {
      'blocks.bin': describeFile(files['blocks.bin']),
      'state.bin.br': describeFile(files['state.bin.br']),
      'schema.bin.br': describeFile(files['schema.bin.br']),
      'proofs.bin.br': describeFile(files['proofs.bin.br']),
    },
    segments: blocks.segments,
  }
  await mkdir(options.dir, { recursive: true })
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(`${options.dir}/${name}`, bytes)
  }
  await writeFile(`${options.dir}/manifest.json`, `${JSON.stringify(manifest, null, 2)}\n`)
  return manifest
}
