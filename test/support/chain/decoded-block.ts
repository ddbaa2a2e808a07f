// Blocks of a chain as ingest decodes them from the responses of a node, without the node.
import { createHash } from 'node:crypto'
import type { Block } from '../../../ingest/comet/blocks/block.ts'
import { EventCollector } from '../../../ingest/comet/blocks/event-collector.ts'
import { eventSelection } from '../../../ingest/derive/event-selection.ts'
import { type BlockSketch, createBlock as createServedBlock } from '../simulator/blocks.ts'
import type { ChainEvent, ServedBlock } from '../simulator/rpc/served-chain.ts'

const toRpcEvents = (events: readonly ChainEvent[] = []) =>
  events.map(({ type, attributes }) => ({
    type,
    attributes: attributes.map(([key, value]) => ({ key, value })),
  }))

const hashTx = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').toUpperCase()

/** Without the events that ingest drops. */
export const decodeBlock = (block: ServedBlock, chainId: string, height: number): Block => {
  const { begin, txs = [], end, time, hash, previousHash } = block
  const collector = new EventCollector(eventSelection)
  collector.addResults({
    begin_block_events: toRpcEvents(begin),
    txs_results: txs.map(({ events }) => ({ events: toRpcEvents(events) })),
    end_block_events: toRpcEvents(end),
  })
  return {
    chainId,
    height,
    time,
    hash,
    previousHash,
    txs: txs.map(({ bytes, code = 0 }) => ({
      hash: hashTx(bytes),
      bytes,
      size: bytes.length,
      code,
    })),
    events: collector.takeEvents(),
  }
}

export const createBlock = (
  height: number,
  { chainId = 'test-1', ...sketch }: BlockSketch & { chainId?: string } = {},
): Block => decodeBlock(createServedBlock(height, sketch), chainId, height)
