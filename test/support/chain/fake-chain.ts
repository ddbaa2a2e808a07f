// A small generated chain of blocks that are linked by hashes, in the format of each CometBFT version.
import { createHash } from 'node:crypto'
import type { LightBlockJson } from './signed-headers.ts'

export type FakeEvent = {
  /** If absent, the response has no such member, like on dYdX. */
  type?: string
  attributes: readonly (readonly [key: string, value: string])[]
}

export type FakeTx = { bytes?: Uint8Array; code?: number; events?: readonly FakeEvent[] }

export type FakeBlock = {
  txs?: readonly FakeTx[]
  begin?: readonly FakeEvent[]
  end?: readonly FakeEvent[]
  /** Whether begin and end are joined without `mode`, like by CometBFT 0.38.0 to 0.38.9 for earlier heights. */
  unmarked?: boolean
  /** RFC 3339; by default six seconds per block from 2026-01-01. */
  time?: string
  /** Whether the block has validator updates. */
  changesValidators?: boolean
}

export type FakeChain = {
  readonly chainId: string
  readonly initialHeight: number
  readonly tip: number
  /** Appends a block; returns its height. */
  add(block?: FakeBlock): number
  blockAt(height: number): FakeBlock
  timeAt(height: number): string
  /** Upper-case hex; empty before the first block. */
  hashAt(height: number): string
  /** Header, commit and validators in the format of the RPC; absent if the chain has none. */
  signedAt?(height: number): LightBlockJson | undefined
  /** The same blocks with different hashes: another chain with the same id. */
  forked(): FakeChain
}

const START_MS = Date.UTC(2026, 0, 1)
const BLOCK_MS = 6_000

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').toUpperCase()

const toFakeChain = (
  { chainId, initialHeight, salt }: { chainId: string; initialHeight: number; salt: string },
  made: FakeBlock[],
): FakeChain => ({
  chainId,
  initialHeight,
  get tip() {
    return initialHeight + made.length - 1
  },
  add: (block = {}) => initialHeight + made.push(block) - 1,
  blockAt: (height) => made[height - initialHeight] ?? {},
  timeAt: (height) =>
    made[height - initialHeight]?.time ??
    `${new Date(START_MS + height * BLOCK_MS).toISOString().slice(0, -1)}000000Z`,
  hashAt: (height) => (height < initialHeight ? '' : sha256(`${chainId}/${salt}/${height}`)),
  forked: () => toFakeChain({ chainId, initialHeight, salt: `${salt}fork` }, made),
})

/** `blocks`: their contents, or a number of empty blocks. */
export const createFakeChain = ({
  chainId = 'fake-1',
  initialHeight = 1,
  blocks = [],
}: {
  chainId?: string
  initialHeight?: number
  blocks?: readonly FakeBlock[] | number
} = {}): FakeChain =>
  toFakeChain(
    { chainId, initialHeight, salt: '' },
    typeof blocks === 'number' ? Array.from({ length: blocks }, () => ({})) : [...blocks],
  )

/** Default bytes of a transaction, different at every position of the chain. */
export const txBytes = (tx: FakeTx, height: number, index: number): Uint8Array =>
  tx.bytes ?? Buffer.from(`tx ${index} of ${height}`)
