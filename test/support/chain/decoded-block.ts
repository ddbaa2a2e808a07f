// Blocks of a chain as ingest decodes them from the responses of a node, without the node.
import { createHash } from 'node:crypto'
import {
  type BlockSketch,
  createBlock as createServedBlock,
} from '../../../infra/app/chain/blocks.ts'
import type { ChainEvent, ServedBlock } from '../../../infra/app/chain/served-chain.ts'
import type { AbciEvent, Block } from '../../../ingest/comet/block.ts'

type Position = Pick<AbciEvent, 'phase' | 'txIndex'>

const place = (events: readonly ChainEvent[] | undefined, position: Position) =>
  (events ?? []).map((event) => ({ event, position }))

const hashTx = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').toUpperCase()

/** Events have numbers in the order of execution. */
export const decodeBlock = (block: ServedBlock, chainId: string, height: number): Block => {
  const { begin, txs = [], end, time, hash, previousHash, changesValidators = false } = block
  const placed = [
    ...place(begin, { phase: 'begin', txIndex: null }),
    ...txs.flatMap(({ events }, txIndex) => place(events, { phase: 'tx', txIndex })),
    ...place(end, { phase: 'end', txIndex: null }),
  ]
  return {
    chainId,
    height,
    time,
    hash,
    previousHash,
    changesValidators,
    txs: txs.map(({ bytes, code = 0 }) => ({ hash: hashTx(bytes), bytes, code })),
    events: placed.map(({ event, position }, index) => ({
      ordinal: index + 1,
      type: event.type ?? '',
      attributes: event.attributes.map(([key, value]) => ({ key, value })),
      ...position,
    })),
  }
}

export const createBlock = (
  height: number,
  { chainId = 'test-1', ...sketch }: BlockSketch & { chainId?: string } = {},
): Block => decodeBlock(createServedBlock(height, sketch), chainId, height)
