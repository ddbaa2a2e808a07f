// Plays a story on a chain of its own while the product follows it, and collects what the product serves of it at the end.
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import {
  type ChainAt,
  compareLiveTallies,
  type LiveTallies,
} from '../support/chain/live-tallies.ts'
import { createRunFolder, getJson, readList, until } from '../support/process/rollcall-process.ts'
import { type Devnet, startDevnet } from './chain.ts'
import { type ChainEvent, readEvents } from './chain-facts.ts'
import type { ChainSpec } from './genesis.ts'
import type { PoolAnswer, ProposalAnswer } from './product-api.ts'
import { openScene, type Scene } from './scene.ts'

const START_TIMEOUT_MS = 300_000
const CATCH_UP_TIMEOUT_MS = 480_000

const progress = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

export type Story = {
  spec: ChainSpec
  voters?: number
  play(scene: Scene): Promise<void>
  /** What the node has no query for. */
  replace?(scene: Scene): Partial<ChainAt>
  /** Names of proposals, and further arguments of `rollcall tally verify`. */
  verified?: readonly (readonly [string, ...string[]])[]
}

export type Followed = {
  devnet: Devnet
  scene: Scene
  url: string
  /** All votes are closed there. */
  lastHeight: number
  events: ChainEvent[]
  items: ProposalAnswer[]
  /** By id and round. */
  pools: ReadonlyMap<string, PoolAnswer[]>
  /** Every open vote at the height of each reading, against the node. */
  live: LiveTallies
  /** What `rollcall tally verify` printed for each evidence that it rejects. */
  rejected: string[]
}

type RunFolder = Awaited<ReturnType<typeof createRunFolder>>

export type Opened = (close: () => Promise<unknown>) => void

/** Returns once it serves; it follows the chain until it is closed. */
export async function startProduct(
  { rpcUrl }: Devnet,
  opened: Opened,
  env: Readonly<Record<string, string>>,
): Promise<{ folder: RunFolder; url: string }> {
  const folder = await createRunFolder()
  opened(() => folder.clean())
  const product = folder.run({ env: { CHAIN_RPC_URLS: rpcUrl, ...env } })
  return { folder, url: await product.untilServing(START_TIMEOUT_MS) }
}

async function untilClosed({ chain, state, proposals }: Scene): Promise<number> {
  for (const id of proposals.values()) {
    while (/_period$/.test((await state.proposal(id, 0))?.status ?? '')) {
      await chain.untilHeight(chain.tip().height + 1)
    }
  }
  const lastHeight = chain.tip().height
  await chain.untilHeight(lastHeight + 2)
  return lastHeight
}

async function readLog(folder: RunFolder): Promise<GovernanceEvent[]> {
  const replay = folder.run({ args: ['replay'] })
  const { code } = await replay.ended
  if (code !== 0) throw new Error(`the replay ended with ${code}: ${replay.stderr()}`)
  const lines = replay.stdout().split('\n')
  return lines.filter((line) => line !== '').map((line): GovernanceEvent => JSON.parse(line))
}

async function readPools(url: string, items: readonly ProposalAnswer[]) {
  const pools = new Map<string, PoolAnswer[]>()
  for (const { proposalId, round: last } of items) {
    for (let round = 1; round <= last; round++) {
      const path = `/api/proposals/${proposalId}/votes?round=${round}`
      pools.set(`${proposalId}/${round}`, await readList<PoolAnswer>(url, path))
    }
  }
  return pools
}

/** What it opens is closed in reverse order. */
export async function followChain(
  { spec, voters, play, replace, verified = [] }: Story,
  opened: Opened,
): Promise<Followed> {
  const devnet = await startDevnet(spec)
  opened(() => devnet.stop())
  const { folder, url } = await startProduct(devnet, opened, { START_HEIGHT: 'earliest' })
  const scene = await openScene(devnet, voters)
  opened(() => scene.chain.close())
  await play(scene)
  const lastHeight = await untilClosed(scene)
  await until('the product caught up with the chain', CATCH_UP_TIMEOUT_MS, async () => {
    const health = await getJson<{ chain: { height: number } | null }>(url, '/api/health')
    return (health.chain?.height ?? 0) >= lastHeight ? true : undefined
  })
  const items = await readList<ProposalAnswer>(url, '/api/proposals')
  const chainAt = { ...scene.state, ...replace?.(scene) }
  const live = await compareLiveTallies(await readLog(folder), chainAt)
  const rejected: string[] = []
  for (const [name, ...more] of verified) {
    const args = ['tally', 'verify', `${scene.id(name)}`, ...more, '--url', url]
    const verify = folder.run({ args })
    const { code } = await verify.ended
    if (code !== 0) rejected.push(`${args.join(' ')}: ${verify.stdout()}${verify.stderr()}`)
  }
  progress(
    `${spec.chainId}: ${items.length} votes, ${lastHeight} heights, ${live.compared} live tallies ` +
      `(${live.reported} reported) and ${live.poolRows} pool rows, ${live.differences.length} differ`,
  )
  const events = await readEvents(devnet.rpcUrl, lastHeight)
  const pools = await readPools(url, items)
  return { devnet, scene, url, lastHeight, events, items, pools, live, rejected }
}
