// Plays the year of the demo on a running chain, and fails if a proposal does not end as the story says.
import { QueryProposalsRequest, QueryProposalsResponse } from 'cosmjs-types/cosmos/gov/v1/query'
import { moduleAddress } from '../accounts.ts'
import type { Devnet } from '../chain.ts'
import type { Played } from '../scenario.ts'
import { type Chain, connectChain } from '../transactions.ts'
import { planStake } from './chain-spec.ts'
import { STATUSES } from './endings.ts'
import { listQueries } from './queries.ts'
import { scheduleEntry } from './schedule.ts'
import { scheduleSetting } from './setting.ts'
import { LIVE_MS, type Stage } from './story.ts'
import type { StoryClock } from './story-clock.ts'
import { createTimeline } from './timeline.ts'
import { STORY } from './year/year.ts'

async function checkEndings(
  { rpc }: Chain,
  proposals: ReadonlyMap<string, bigint>,
  height: number,
): Promise<void> {
  const request = QueryProposalsRequest.fromPartial({ pagination: { limit: 1_000n } })
  const bytes = await rpc.query(
    '/cosmos.gov.v1.Query/Proposals',
    QueryProposalsRequest.encode(request).finish(),
    height,
  )
  const found = QueryProposalsResponse.decode(bytes).proposals
  const wrong = STORY.flatMap(({ key, ending }) => {
    const proposal = found.find(({ id }) => id === proposals.get(key))
    if (proposal?.status === STATUSES[ending]) return []
    const tally = JSON.stringify(proposal?.finalTallyResult)
    return [`${key} is ${proposal?.status}, not ${ending}: ${proposal?.failedReason} ${tally}`]
  })
  if (wrong.length > 0) throw new Error(`the story ended otherwise:\n${wrong.join('\n')}`)
}

export type PlayOptions = {
  clock: StoryClock
  endMs: number
  /** Contracts, by their names in the story. */
  files: ReadonlyMap<string, string>
  progress: (line: string) => void
}

export async function playYear(devnet: Devnet, options: PlayOptions): Promise<Played> {
  const { clock, endMs, progress } = options
  const { accounts, spec, rpcUrl } = devnet
  const chain = await connectChain(rpcUrl, spec.chainId)
  try {
    await chain.untilHeight(2)
    const people = new Map(accounts.people.map((account) => [account.name, account]))
    const stage: Stage = {
      chain,
      governance: moduleAddress('gov', spec.addressPrefix),
      person(name) {
        const account = people.get(name)
        if (!account) throw new Error(`unknown account ${name}`)
        return account
      },
      made: new Map(options.files),
    }
    const electorate = {
      pools: accounts.operators.map((account, index) => ({ account, stake: planStake(index) })),
      delegators: accounts.whales,
    }
    const timing = { chain, clock, liveFromMs: endMs - LIVE_MS, endMs, progress }
    const { timeline, play } = createTimeline(timing)
    const proposals = new Map<string, bigint>()
    scheduleSetting({ stage, timeline, electorate })
    for (const [turn, entry] of STORY.entries())
      scheduleEntry({ stage, timeline, electorate, proposals }, entry, turn)
    await play()
    const lastHeight = chain.tip().height
    // One more block, so that the last height is committed and hash-linked.
    await chain.untilHeight(lastHeight + 1)
    await checkEndings(chain, proposals, lastHeight)
    progress(`played to height ${lastHeight}`)
    return { firstHeight: 1, lastHeight, proposals, queries: listQueries(stage) }
  } finally {
    await chain.close()
  }
}
