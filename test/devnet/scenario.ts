// Plays the whole scenario on a running devnet and returns the planned end of each proposal.
import type { Devnet } from './chain.ts'
import type { ProposalKey } from './proposal-texts.ts'
import { STORIES } from './scenario/plot.ts'
import { createVoters, prepare } from './scenario/prepare.ts'
import { createScene, SCENE_SECONDS } from './scenario/scene.ts'
import type { RecordedQuery } from './state-reader.ts'
import { connectChain } from './transactions.ts'

export type Ending =
  | 'passed'
  | 'rejected'
  | 'failed'
  | 'dropped'
  | 'canceled'
  | 'voting_period'
  | 'deposit_period'

/** The expected status of each proposal on the chain at the last height of the scene. */
export const ENDINGS: Record<ProposalKey, Ending> = {
  constitution: 'passed',
  quorum: 'passed',
  ambassadors: 'rejected',
  airdrop: 'rejected',
  translations: 'rejected',
  bridge: 'failed',
  mascot: 'dropped',
  typo: 'canceled',
  relayers: 'canceled',
  patch: 'passed',
  oracle: 'passed',
  vanished: 'canceled',
  council: 'passed',
  followUp: 'passed',
  unicode: 'passed',
  treasury: 'passed',
  ethics: 'rejected',
  standards: 'rejected',
  communityTax: 'passed',
  smartAccounts: 'voting_period',
  outage: 'voting_period',
  hackathon: 'deposit_period',
}

export type Played = {
  firstHeight: number
  lastHeight: number
  /** The ids of proposals by their names in the scenario. */
  proposals: ReadonlyMap<string, bigint>
  /** Queries whose answers belong to the recording. */
  queries?: readonly RecordedQuery[]
}

export async function playScenario(
  devnet: Devnet,
  options: { contractPath: string; progress?: (line: string) => void },
): Promise<Played> {
  const progress = options.progress ?? (() => {})
  const chain = await connectChain(devnet.rpcUrl, devnet.spec.chainId)
  try {
    await chain.untilHeight(2)
    const scene = createScene(devnet, chain, await createVoters())
    await prepare(scene, options.contractPath)
    scene.begin()
    progress(`prepared at height ${chain.tip().height}, the plot takes ${SCENE_SECONDS} s`)
    await Promise.all(STORIES.map((story) => story(scene)))
    await scene.at(SCENE_SECONDS)
    const lastHeight = chain.tip().height
    // One more block, so that the last height is committed and hash-linked.
    await chain.untilHeight(lastHeight + 1)
    progress(`played to height ${lastHeight}`)
    return { firstHeight: 1, lastHeight, proposals: scene.proposals }
  } finally {
    await chain.close()
  }
}
