// Blocks from sketches: transactions and ABCI events by phase. Each block names the hash of the one before.
import { createHash } from 'node:crypto'
import type { ChainEvent, ServedBlock } from './rpc/served-chain.ts'

type Attributes = Readonly<Record<string, string>> | readonly (readonly [string, string])[]
export type EventSketch = readonly [type: string, attributes: Attributes]
export type TxSketch = { events: readonly EventSketch[]; code?: number; bytes?: Uint8Array }
export type BlockSketch = {
  begin?: readonly EventSketch[]
  txs?: readonly TxSketch[]
  end?: readonly EventSketch[]
  time?: string
  changesValidators?: boolean
}

export const sha256 = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').toUpperCase()

export const timeAt = (height: number): string =>
  new Date(Date.UTC(2026, 0, 1) + height * 6_000).toISOString()

const hashAt = (height: number): string => sha256(`block ${height}`)

const toEvent = ([type, attributes]: EventSketch): ChainEvent => ({
  type,
  attributes: Array.isArray(attributes) ? attributes : Object.entries(attributes),
})

/** `firstHeight`: the first block of the chain. */
export const createBlock = (
  height: number,
  sketch: BlockSketch = {},
  firstHeight = 1,
): ServedBlock => ({
  time: sketch.time ?? timeAt(height),
  hash: hashAt(height),
  previousHash: height === firstHeight ? '' : hashAt(height - 1),
  begin: (sketch.begin ?? []).map(toEvent),
  txs: (sketch.txs ?? []).map(({ bytes, code = 0, events }, index) => ({
    bytes: bytes ?? Buffer.from(`tx ${height}/${index}`),
    code,
    events: events.map(toEvent),
  })),
  end: (sketch.end ?? []).map(toEvent),
  changesValidators: sketch.changesValidators ?? false,
})
