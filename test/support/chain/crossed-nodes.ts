// One chain in memory behind several fake nodes that may report false events, and ingest of it.
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import type { IngestConfig } from '../../../ingest/config.ts'
import { startIngest } from '../../../ingest/main.ts'
import { openMemoryLog } from '../log/memory-log.ts'
import { recordingLogger } from '../process/log-lines.ts'
import type { FakeBlock, FakeChain } from './fake-chain.ts'
import { answerStateQuery, toShownChain } from './fake-gov-chain.ts'
import { type FakeNode, type FakeNodeOptions, startFakeNode } from './fake-node.ts'
import type { GovChain } from './gov-chain.ts'
import { hurried, ingestConfig, readEvents } from './ingest-run.ts'
import type { LightBlockJson } from './signed-headers.ts'
import { waitUntil } from './source-rig.ts'

/** Changes a block before a node reports it; absent: the node is honest. */
export type Forgery = (block: FakeBlock, height: number) => FakeBlock

export type CrossedNode = Pick<FakeNodeOptions, 'delayMs' | 'strike' | 'abci'> & {
  forgery?: Forgery
  time?: (height: number, time: string) => string
  /** Changes a light block; absent: the node serves the block of the chain. */
  signed?: (json: LightBlockJson, height: number) => LightBlockJson | undefined
}

const forged = (chain: FakeChain, { forgery, time, signed }: CrossedNode): FakeChain => ({
  ...chain,
  get tip() {
    return chain.tip
  },
  blockAt: (height) => {
    const block = chain.blockAt(height)
    return forgery?.(block, height) ?? block
  },
  signedAt: (height) => {
    const json = chain.signedAt?.(height)
    return json && signed ? signed(json, height) : json
  },
  timeAt: (height) => time?.(height, chain.timeAt(height)) ?? chain.timeAt(height),
})

/** Makes the log end directly before a height that is not indexed. */
const EACH_HEIGHT = { maxBatchHeights: 1 }

/** Nodes answer in the order of their delays. The caller stops the run. */
export const startCrossed = async (
  chain: GovChain,
  nodes: readonly CrossedNode[],
  {
    env = {},
    config,
    prepare,
    serve,
  }: {
    env?: Record<string, string>
    config?: Partial<IngestConfig>
    prepare?: (nodes: FakeNode[]) => void
    /** The responses of each node instead of the chain. */
    serve?: (chain: FakeChain, order: number) => Pick<FakeNodeOptions, 'chain' | 'reply'>
  } = {},
) => {
  const shown = toShownChain(chain, chain.tip)
  const started = await Promise.all(
    nodes.map((node, order) =>
      startFakeNode({
        abci: (request) => answerStateQuery(chain, request),
        delayMs: () => order * 15,
        ...node,
        chain: forged(shown.chain, node),
        ...serve?.(shown.chain, order),
      }),
    ),
  )
  prepare?.(started)
  const log = openMemoryLog()
  const { logger, lines } = recordingLogger()
  const metrics = createMetrics('ingest')
  const urls = started.map(({ url }) => url)
  const ingest = await startIngest({
    config: ingestConfig(
      { CHAIN_RPC_URLS: urls.join(','), RPC_TIMEOUT_SECONDS: '2', ...env },
      { ...EACH_HEIGHT, ...config },
    ),
    log,
    logger,
    metrics,
    clock: hurried,
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
