// Reads the recording: blocks in compressed segments, opened on demand, and the state history.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliDecompressSync } from 'node:zlib'
import { isDemoChain } from '../../../ingest/contract/demo-chain.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { locateFile } from '../../base/runtime/product-files.ts'
import { openStateHistory, type StateHistory } from '../chain/state.ts'
import type { IndexedBlock } from '../indexed-block.ts'

export const RECORDING_FORMAT = 1

type RecordedFile = { bytes: number; sha256: string }
export type Segment = { from: number; to: number; offset: number; length: number }
export type Manifest = {
  format: number
  chainId: string
  firstHeight: number
  lastHeight: number
  recordedAt: string
  versions: Record<string, string>
  /** From `status` and `abci_info` of the recorded node. */
  nodeInfo: Record<string, unknown>
  validatorInfo: Record<string, unknown>
  abciInfo: Record<string, unknown>
  /** Names of proposals in the scenario, with their ids. */
  proposals: Record<string, string>
  /** The response of `/app/version`; empty if the node was built without a version. Absent in older recordings. */
  appVersion?: string
  /** Older recordings lack the optional ones. */
  files: Record<'blocks.bin' | 'state.bin.br', RecordedFile> & {
    'schema.bin.br'?: RecordedFile
    'proofs.bin.br'?: RecordedFile
  }
  segments: Segment[]
}

/** `key` in lower-case hex; `response` is the text of `response` from the node. */
export type StoreAnswer = { height: number; key: string; response: string }

export type RecordedProofs = {
  /** The text of `validators` at each height, the first recorded one first. All on one page. */
  validators: readonly string[]
  store: readonly StoreAnswer[]
}

export const STORE_PATH = '/store/gov/key'

type Proofs = {
  /** `height` counts from 0, at the first recorded one. */
  validators(index: number): string | undefined
  storeAnswer(height: number, key: Uint8Array): string | undefined
}

const toAnswerKey = (height: number, key: string): string => `${height}/${key}`

const openProofs = (bytes: Uint8Array): Proofs => {
  const recorded: RecordedProofs = JSON.parse(Buffer.from(bytes).toString('utf8'))
  const answers = new Map(
    recorded.store.map(({ height, key, response }) => [toAnswerKey(height, key), response]),
  )
  return {
    validators: (index) => recorded.validators[index],
    storeAnswer: (height, key) =>
      answers.get(toAnswerKey(height, Buffer.from(key).toString('hex'))),
  }
}

/** The text of both results, byte for byte from the node. */
export type RecordedBlock = { block: string; blockResults: string }

export type Recording = {
  manifest: Manifest
  history: StateHistory
  /** The response of the reflection service, the same at every height. */
  schema(): Buffer | undefined
  proofs(): Proofs | undefined
  /** `height` must be within the recording. */
  block(height: number): RecordedBlock
}

/** Enough for a reader that fetches heights in order, some ahead; other segments are opened again. */
const OPEN_SEGMENTS = 4

/** In the folder of this file, in the sources and in the build. */
export const DEFAULT_RECORDING = locateFile('infra/app/demo/recording')

const damaged = (dir: string, reason: string): AppError =>
  new AppError('DATA_DIR_DAMAGED', `the demo recording in ${dir} is unusable: ${reason}`)

function readFile(dir: string, name: keyof Manifest['files'], manifest: Manifest): Buffer {
  const bytes = readFileSync(`${dir}/${name}`)
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== manifest.files[name]?.sha256) throw damaged(dir, `${name} is not the recorded one`)
  return bytes
}

function openBlocks(blocks: Buffer, segments: readonly Segment[]) {
  const open = new Map<number, string[]>()
  return (height: number): RecordedBlock => {
    const segment = segments.find(({ from, to }) => from <= height && height <= to)
    if (!segment) throw new RangeError(`height ${height} is not in the recording`)
    let lines = open.get(segment.from)
    if (!lines) {
      const bytes = blocks.subarray(segment.offset, segment.offset + segment.length)
      lines = brotliDecompressSync(bytes).toString('utf8').split('\n')
      if (open.size >= OPEN_SEGMENTS) open.delete(open.keys().next().value ?? 0)
      open.set(segment.from, lines)
    }
    const at = (height - segment.from) * 2
    return { block: lines[at] ?? '', blockResults: lines[at + 1] ?? '' }
  }
}

/** Throws `DATA_DIR_DAMAGED` if a file does not match the manifest. */
export function openRecording(dir: string = DEFAULT_RECORDING): Recording {
  const manifest: Manifest = JSON.parse(readFileSync(`${dir}/manifest.json`, 'utf8'))
  if (manifest.format !== RECORDING_FORMAT) throw damaged(dir, `format ${manifest.format}`)
  const blocks = readFile(dir, 'blocks.bin', manifest)
  const state = brotliDecompressSync(readFile(dir, 'state.bin.br', manifest))
  const compressedSchema =
    manifest.files['schema.bin.br'] && readFile(dir, 'schema.bin.br', manifest)
  const compressedProofs =
    manifest.files['proofs.bin.br'] && readFile(dir, 'proofs.bin.br', manifest)
  let schema: Buffer | undefined
  let proofs: Proofs | undefined
  return {
    manifest,
    history: openStateHistory(state),
    schema: () => {
      if (compressedSchema) schema ??= brotliDecompressSync(compressedSchema)
      return schema
    },
    proofs: () => {
      if (compressedProofs) proofs ??= openProofs(brotliDecompressSync(compressedProofs))
      return proofs
    },
    block: openBlocks(blocks, manifest.segments),
  }
}

const readHash = (recording: Recording, height: number): string | undefined => {
  const { firstHeight, lastHeight } = recording.manifest
  if (height < firstHeight || height > lastHeight) return undefined
  return (JSON.parse(recording.block(height).block) as { block_id: { hash: string } }).block_id.hash
}

/** Throws `CHAIN_MISMATCH` if the log is of another chain or recording: a chain that is recorded again keeps its chain ID. */
export function requireSameChain(
  recording: Recording,
  { chainId, height, hash }: IndexedBlock,
): void {
  if (isDemoChain(chainId) && readHash(recording, height) === hash) return
  const message = isDemoChain(chainId)
    ? `the event log is of an earlier recording of the demo chain: this one has no block ${hash} at height ${height}; remove the data directory, or set DATA_DIR to another one: the demo is indexed again`
    : `the event log is of chain ${chainId}, but CHAIN_RPC_URLS is not set, which means the demo chain; set CHAIN_RPC_URLS to endpoints of ${chainId}, or DATA_DIR to another directory`
  throw new AppError('CHAIN_MISMATCH', message, { expose: true })
}
