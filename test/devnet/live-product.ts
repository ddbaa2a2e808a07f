// Runs the product beside a devnet, and compares the log that it wrote with the node at the height of each reading.
import { createMetrics } from '../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../ingest/comet/endpoints/node-pool.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import {
  type ChainAt,
  compareLiveTallies,
  createChainAt,
  type LiveTallies,
} from '../support/chain/live-tallies.ts'
import { silentLogger } from '../support/process/log-lines.ts'
import { createRunFolder, getJson, until } from '../support/process/rollcall-process.ts'
import type { Devnet } from './chain.ts'

const START_TIMEOUT_MS = 300_000
const CATCH_UP_TIMEOUT_MS = 300_000

export type RunFolder = Awaited<ReturnType<typeof createRunFolder>>

type LiveProduct = { folder: RunFolder; url: string }

/** Returns once it serves; it follows the chain until it is closed. */
export async function startProduct(
  devnet: Devnet,
  opened: (close: () => Promise<void>) => void,
): Promise<LiveProduct> {
  const folder = await createRunFolder()
  opened(() => folder.clean())
  const product = folder.run({ env: { CHAIN_RPC_URLS: devnet.rpcUrl, START_HEIGHT: 'earliest' } })
  return { folder, url: await product.untilServing(START_TIMEOUT_MS) }
}

export async function untilCaughtUp(url: string, height: number): Promise<void> {
  await until('the product caught up with the chain', CATCH_UP_TIMEOUT_MS, async () => {
    const health = await getJson<{ chain: { height: number } | null }>(url, '/api/health')
    return (health.chain?.height ?? 0) >= height ? true : undefined
  })
}

async function readLog(folder: RunFolder): Promise<GovernanceEvent[]> {
  const replay = folder.run({ args: ['replay'] })
  const { code } = await replay.ended
  if (code !== 0) throw new Error(`the replay ended with ${code}: ${replay.stderr()}`)
  return replay
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line): GovernanceEvent => JSON.parse(line))
}

/** `replaced` are queries that the rules of the chain answer in another way. */
export async function compareWithNode(
  devnet: Devnet,
  folder: RunFolder,
  replaced: Partial<ChainAt> = {},
): Promise<LiveTallies> {
  const node = await createChainNode({
    urls: [devnet.rpcUrl],
    logger: silentLogger(),
    metrics: createMetrics('test'),
  })
  try {
    return await compareLiveTallies(await readLog(folder), { ...createChainAt(node), ...replaced })
  } finally {
    await node.close()
  }
}
