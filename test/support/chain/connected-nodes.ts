// Connects to simulated nodes as one pool of endpoints, with short time limits. All of it ends with the test.
import { onTestFinished } from 'vitest'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../ingest/comet/endpoints/node-pool.ts'
import { recordingLogger } from '../process/log-lines.ts'
import { type NodeOptions, startNode } from '../simulator/nodes/node.ts'

const QUICK = { timeoutMs: 300, retryBudgetMs: 300, coolDownMs: 20, maxCoolDownMs: 40 }

export const connectTo = async (nodes: readonly NodeOptions[]) => {
  const started = await Promise.all(nodes.map(startNode))
  for (const each of started) onTestFinished(each.close)
  const { logger, lines } = recordingLogger()
  const node = await createChainNode({
    urls: started.map(({ url }) => url),
    settings: QUICK,
    logger,
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  return { node, nodes: started, lines }
}
