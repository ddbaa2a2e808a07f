// One chain in memory behind several nodes that may report false events, and ingest of it.

import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import type { IngestConfig } from '../../../ingest/config.ts'
import { openMemoryLog } from '../log/memory-log.ts'
import { recordingLogger } from '../process/log-lines.ts'
import { alterChain } from '../simulator/block-chain.ts'
import { type NodeOptions, type RunningNode, startNode } from '../simulator/nodes/node.ts'
import type { ServedBlock, ServedChain } from '../simulator/rpc/served-chain.ts'
import { readEvents, startOver } from './ingest-run.ts'
import { type MemoryChain, showChain } from './memory-chain.ts'
import { waitUntil } from './source-rig.ts'

/** Changes a block before a node reports it; absent: the node is honest. */
export type Forgery = (block: ServedBlock, height: number) => ServedBlock

export type CrossedNode = Pick<NodeOptions, 'delayMs' | 'strike' | 'abci'> & { forgery?: Forgery }

const forged = (chain: ServedChain, { forgery = (block) => block }: CrossedNode): ServedChain =>
  alterChain(chain, { block: (height) => forgery(chain.block(height), height) })

/** Makes the log end directly before a height that is not indexed. */
const EACH_HEIGHT = { maxBatchHeights: 1 }

/** Nodes answer in the order of their delays. The caller stops the run. */
export const startCrossed = async (
  chain: MemoryChain,
  nodes: readonly CrossedNode[],
  {
    env = {},
    config,
    prepare,
    serve,
  }: {
    env?: Record<string, string>
    config?: Partial<IngestConfig>
    prepare?: (nodes: RunningNode[]) => void
    /** The responses of each node instead of the chain. */
    serve?: (chain: ServedChain, order: number) => Pick<NodeOptions, 'chain' | 'reply'>
  } = {},
) => {
  const shown = showChain(chain)
  const started = await Promise.all(
    nodes.map((node, order) =>
      startNode({
        delayMs: () => order * 15,
        ...node,
        chain: forged(shown, node),
        ...serve?.(shown, order),
      }),
    ),
  )
  prepare?.(started)
  const log = openMemoryLog()
  const { logger, lines } = recordingLogger()
  const metrics = createMetrics('ingest')
  const urls = started.map(({ url }) => url)
  const ingest = await startOver(urls)(log, {
    env: { RPC_TIMEOUT_SECONDS: '2', ...env },
    config: { ...EACH_HEIGHT, ...config },
    logger,
    metrics,
  })
  let fault: unknown
  ingest.done.catch((error: unknown) => {
    fault = error
  })
  const height = async () => (await log.last())?.height ?? 0
  return {
    nodes: started,
    names: urls.map((url) => new URL(url).host),
    lines,
    ingest,
    height,
    events: () => readEvents(log),
    metricsText: () => metrics.registry.metrics(),
    /** Runs until the log has the height. */
    reached: async (wanted: number): Promise<void> => {
      const isThere = () => fault !== undefined || ingest.progress().height >= wanted
      await waitUntil(isThere, `height ${wanted}`)
      if (fault !== undefined) throw fault
    },
    stop: async () => {
      await ingest.close()
      for (const node of started) await node.close()
    },
  }
}
