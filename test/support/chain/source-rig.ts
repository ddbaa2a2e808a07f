// Nodes of one chain and a block source with short timeouts, so that tests of faults take milliseconds.

import type { TrustedHeader } from '../../../infra/base/proof/trusted-header.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import type { EventSelection } from '../../../ingest/comet/blocks/event-collector.ts'
import { createNodeHealth } from '../../../ingest/comet/endpoints/endpoint-health.ts'
import type { SourcedBlock } from '../../../ingest/comet/endpoints/node.ts'
import type { NodePoolSettings } from '../../../ingest/comet/endpoints/node-pool.ts'
import { createChainNode } from '../../../ingest/comet/endpoints/node-pool.ts'
import { createWakeUp, type WakeUpSettings } from '../../../ingest/comet/wake-up/wake-up.ts'
import { createBlockSource } from '../../../ingest/source/block-source.ts'
import { recordingLogger } from '../process/log-lines.ts'
import { type BlockChain, type BlockContent, createBlockChain } from '../simulator/block-chain.ts'
import { type NodeOptions, type RunningNode, startNode } from '../simulator/nodes/node.ts'

export type SourceRigOptions = {
  chain?: BlockChain
  /** One node per element. */
  nodes?: readonly Partial<NodeOptions>[]
  chainId?: string
  verifyHeaders?: boolean
  pool?: Partial<NodePoolSettings>
  wakeUp?: Partial<WakeUpSettings> | 'none'
  pollMs?: number
  timeDisputeMs?: number
  selection?: EventSelection
  trustedHeader?: TrustedHeader
  /** Runs before the first call to the nodes. */
  prepare?: (nodes: readonly RunningNode[]) => void
}

type Start = { from?: number; previousHash?: string | null; previousTime?: string | null }

const FAST_POOL: Partial<NodePoolSettings> = {
  // A machine that runs other tests, too, answers later than an idle one.
  timeoutMs: 5_000,
  retryBudgetMs: 0,
  connectBudgetMs: 10_000,
  outageAfterMs: 2_000,
  coolDownMs: 50,
  maxCoolDownMs: 300,
  lagToleranceBlocks: 2,
  statusGraceMs: 50,
}
const FAST_WAKE_UP: Partial<WakeUpSettings> = {
  silenceMs: 400,
  reconnect: { baseDelayMs: 20, maxDelayMs: 100 },
}
const WAIT_TIMEOUT_MS = 60_000

export const waitUntil = async (holds: () => boolean, what: string): Promise<void> => {
  const untilMs = performance.now() + WAIT_TIMEOUT_MS
  while (!holds()) {
    if (performance.now() > untilMs) throw new Error(`never came: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

export type SourceRig = Awaited<ReturnType<typeof startSourceRig>>

export const startSourceRig = async (options: SourceRigOptions = {}) => {
  const chain = options.chain ?? createBlockChain({ blocks: 30 })
  const nodes = await Promise.all(
    (options.nodes ?? [{}]).map((each) => startNode({ chain, ...each })),
  )
  options.prepare?.(nodes)
  const { logger, lines } = recordingLogger()
  const metrics = createMetrics('ingest')
  const health = createNodeHealth()
  const urls = nodes.map(({ url }) => url)
  const node = await createChainNode({
    urls,
    chainId: options.chainId ?? chain.chainId,
    settings: { ...FAST_POOL, ...options.pool },
    verifyHeaders: options.verifyHeaders ?? false,
    health,
    ...(options.selection ? { selection: options.selection } : {}),
    logger,
    metrics,
  })
  const wakeUp =
    options.wakeUp === 'none'
      ? undefined
      : createWakeUp({
          urls,
          chainId: chain.chainId,
          settings: { ...FAST_WAKE_UP, ...options.wakeUp },
          logger,
          metrics,
        })
  const pollMs = options.pollMs ?? 50
  const { timeDisputeMs } = options
  const source = createBlockSource({
    node,
    pollMs,
    trustedHeader: options.trustedHeader,
    logger,
    metrics,
    ...(wakeUp ? { wakeUp } : {}),
    ...(timeDisputeMs === undefined ? {} : { timeDisputeMs }),
  })
  const delivered: SourcedBlock[] = []
  const stopping = new AbortController()
  /** Stops following the chain; the nodes keep running. */
  const end = async () => {
    stopping.abort()
    await node.close()
  }
  return {
    chain,
    nodes,
    node,
    health,
    lines,
    metrics,
    /** All delivered blocks in order of delivery. */
    delivered: delivered as readonly SourcedBlock[],
    /** Appends a block to the chain, and notifies the subscribers of one node. */
    addBlock: (order = 0, content: BlockContent = {}) => {
      chain.add(content)
      nodes[order]?.announce()
    },
    /** Begins to follow the chain; rejects with the error that ended it. */
    follow: async ({ from = chain.firstHeight, ...previous }: Start = {}): Promise<void> => {
      const { signal } = stopping
      const range = { from, previousHash: null, ...previous, signal }
      for await (const each of source.follow(range)) delivered.push(each)
    },
    /** Resolves once `height` was delivered. */
    reached: (height: number) =>
      waitUntil(() => delivered.at(-1)?.block.height === height, `height ${height}`),
    end,
    stop: async () => {
      await end()
      for (const each of nodes) await each.close()
    },
  }
}
