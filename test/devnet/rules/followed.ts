// Plays the votes of one chain while the product follows it, and collects what the product served.
import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveTallies } from '../../support/chain/live-tallies.ts'
import type { NodeBinary } from '../build-node.ts'
import type { Devnet } from '../chain.ts'
import { compareWithNode, startProduct, untilCaughtUp } from '../live-product.ts'
import { listProposals, type ProposalAnswer } from '../product-api.ts'
import { createRawRpc } from '../rpc.ts'
import { type ChainTally, readTally } from './gov-reads.ts'
import { type Rule, startRulesChain } from './rules-chain.ts'
import { openStage, type Stage } from './stage.ts'
import { playRules, type RulesPlayed } from './stories.ts'

const PAUSE_MS = 500

/** The tally of an open vote, as the API had it at a height. `stakeAt`: between two readings stake is older than votes. */
export type ServedTally = {
  proposalId: string
  height: number
  stakeAt: number | null
  counts: ChainTally
  reported: boolean
}

export type Followed = {
  devnet: Devnet
  stage: Stage
  played: RulesPlayed
  /** During the votes. */
  served: ServedTally[]
  /** After the votes. */
  items: ProposalAnswer[]
  /** Every open vote at the height of each reading, against the node. */
  live: LiveTallies
}

/** A chain without a veto has no count of it, which is as if it were zero. */
export const withVeto = (tally: ChainTally): ChainTally => ({
  ...tally,
  noWithVeto: tally.noWithVeto || '0',
})

async function readServed(url: string): Promise<ServedTally[]> {
  const { items, heights } = await listProposals(url)
  const [height] = new Set(heights)
  return items.flatMap(({ proposalId, tally }) => {
    if (!tally || tally.final || tally.ballots === 0 || height === undefined) return []
    const { yes, no, abstain, noWithVeto, rule, stakeAt } = tally
    // All null: there is no number to compare.
    if (yes === null && no === null) return []
    const counts = withVeto({ yes, no, abstain, noWithVeto: noWithVeto ?? '' })
    return [{ proposalId, height, stakeAt, counts, reported: rule.reported }]
  })
}

/** Until `isOver`. */
async function collectServed(url: string, isOver: () => boolean): Promise<ServedTally[]> {
  const served: ServedTally[] = []
  while (!isOver()) {
    served.push(...(await readServed(url)))
    await sleep(PAUSE_MS)
  }
  return served
}

/** The chain makes blocks until it is closed, the product only until this returns. */
export async function followRule(
  rule: Rule,
  options: { dir: string; binary: NodeBinary },
  opened: (close: () => Promise<void>) => void,
): Promise<Followed> {
  const devnet = await startRulesChain(rule, options)
  opened(() => devnet.stop())
  let closeProduct = async (): Promise<void> => {}
  try {
    const { folder, url } = await startProduct(devnet, (close) => {
      closeProduct = close
    })
    const stage = await openStage(rule, devnet)
    opened(() => stage.chain.close())
    let isOver = false
    const play = playRules(stage).finally(() => {
      isOver = true
    })
    const [played, served] = await Promise.all([play, collectServed(url, () => isOver)])
    await untilCaughtUp(url, played.lastHeight)
    const { items } = await listProposals(url)
    const rpc = createRawRpc(devnet.rpcUrl)
    const live = await compareWithNode(devnet, folder, {
      tally: async (id, height) => withVeto(await readTally(rpc, rule, BigInt(id), height)),
    })
    return { devnet, stage, played, served, items, live }
  } finally {
    await closeProduct()
  }
}
