// Follows votes live on a provider chain, where governance counts the first bonded pools only: every tally must be that of the node.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { toBase64 } from '@cosmjs/encoding'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConsensusKey } from './accounts.ts'
import { buildProviderNode } from './build-node.ts'
import { type Devnet, startDevnet } from './chain.ts'
import {
  type ChainEvent,
  findAttribute,
  readGovernanceEvents,
  STAKE_EVENTS,
} from './chain-facts.ts'
import { operatorAddress } from './genesis.ts'
import { compareWithNode, type RunFolder, startProduct, untilCaughtUp } from './live-product.ts'
import { createNodeRest } from './node-rest.ts'
import { listProposals, type ProposalAnswer } from './product-api.ts'
import { type CountedPools, readCountedPools, sumAtTally } from './provider/counted-pools.ts'
import { ENDINGS, LIMITS, listLimitsAtTally, type Name } from './provider/proposals.ts'
import { GENESIS_LIMIT, PROVIDER_CHAIN } from './provider/provider-chain.ts'
import { PROVIDER_PERIODS, type ProviderPlayed, playProvider } from './provider/scenario.ts'
import { createRawRpc } from './rpc.ts'

const progress = (line: string) => console.log(`${new Date().toISOString()} ${line}`)

type Stage = {
  devnet: Devnet
  folder: RunFolder
  url: string
  played: ProviderPlayed
  events: ChainEvent[]
  /** By height, from the first to the last one of the scenario. */
  pools: Map<number, CountedPools>
  items: ProposalAnswer[]
}

async function readAllPools(devnet: Devnet, lastHeight: number) {
  const rpc = createRawRpc(devnet.rpcUrl)
  const pools = new Map<number, CountedPools>()
  for (let height = 1; height <= lastHeight; height++) {
    pools.set(height, await readCountedPools(rpc, height))
  }
  return pools
}

async function runStage(dir: string, opened: (close: () => Promise<void>) => void): Promise<Stage> {
  const binary = await buildProviderNode(progress)
  const devnet = await startDevnet({
    dir,
    binary,
    spec: PROVIDER_CHAIN,
    periods: PROVIDER_PERIODS,
  })
  opened(() => devnet.stop())
  const { folder, url } = await startProduct(devnet, opened)
  const played = await playProvider(devnet, progress)
  await untilCaughtUp(url, played.lastHeight)
  const range = { from: 1, to: played.lastHeight }
  const events = await readGovernanceEvents(devnet.rpcUrl, range, STAKE_EVENTS)
  const pools = await readAllPools(devnet, played.lastHeight)
  const { items } = await listProposals(url)
  return { devnet, folder, url, played, events, pools, items }
}

const listOperators = (pools: readonly { operator: string }[]) => pools.map((pool) => pool.operator)

describe('a chain that counts the first pools only', () => {
  let stage: Stage
  const closers: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const dir = await mkdtemp(`${tmpdir()}/rollcall-provider-`)
    closers.push(() => rm(dir, { recursive: true, force: true }))
    stage = await runStage(dir, (close) => closers.push(close))
  })
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })

  const at = (height: number): CountedPools => {
    const pools = stage.pools.get(height)
    if (!pools) throw new Error(`height ${height} is not part of the scenario`)
    return pools
  }
  const heights = () => [...stage.pools.keys()].filter((height) => height > 1)
  const closings = () => stage.events.filter(({ type }) => type === 'active_proposal')
  const closingHeights = () => new Set(closings().map(({ height }) => height))
  const findClosing = (name: Name) => {
    const id = String(stage.played.proposals.get(name))
    return closings().findLast((event) => findAttribute(event, 'proposal_id') === id)
  }

  it('lets those pools sign that the order of the test counts, at every height', async () => {
    const rpc = createRawRpc(stage.devnet.rpcUrl)
    const operatorOf = new Map(
      stage.devnet.accounts.operators.map(({ address }, index) => [
        toBase64(createConsensusKey(String(index)).publicKey),
        operatorAddress(address),
      ]),
    )
    for (const height of heights().slice(0, -2)) {
      // The pools that are counted after a block sign from the second block after it.
      const answer = await rpc.call('validators', { height: String(height + 2), per_page: '100' })
      const signing = answer.validators.map((each: { pub_key: { value: string } }) =>
        operatorOf.get(each.pub_key.value),
      )
      expect(signing.sort(), `height ${height}`).toEqual(listOperators(at(height).counted).sort())
    }
  })

  it('has more bonded pools than it counts, and pools that enter and leave during the votes', () => {
    let entered = 0
    for (const height of heights()) {
      expect(at(height).others.length, `height ${height}`).toBeGreaterThan(0)
      const before = new Set(listOperators(at(height - 1).counted))
      const isSameLimit = at(height - 1).limit === at(height).limit
      if (isSameLimit && listOperators(at(height).counted).some((each) => !before.has(each))) {
        entered += 1
      }
    }
    progress(`a pool entered the counted ones at ${entered} heights`)
    expect(entered).toBeGreaterThan(10)
  })

  it('counts a pool with fewer tokens than one that it does not count', () => {
    const ties = heights().filter((height) => {
      const { counted, others } = at(height)
      const [last, next] = [counted.at(-1), others[0]]
      return last && next && last.power === next.power && last.tokens < next.tokens
    })
    expect(ties.length).toBeGreaterThan(20)
  })

  it('changes its limit within the end block in which other votes close', () => {
    const closes = LIMITS.map((name) => findClosing(name)?.height)
    expect(new Set(closes).size).toBe(1)
    const [height = 0] = closes
    expect([at(height - 1).limit, at(height).limit]).toEqual([GENESIS_LIMIT, 3])
  })

  it('jails and unjails counted pools in closing blocks, and moves stake there', () => {
    const inClosings = [...closingHeights()].map((height) => {
      const before = at(height - 1)
      const jailed = new Set(listOperators(at(height).outside))
      const wasOutside = new Set(listOperators(before.outside))
      return {
        jailed: before.counted.filter(({ operator }) => jailed.has(operator)).length,
        unjailed: [...at(height).counted, ...at(height).others].filter(({ operator }) =>
          wasOutside.has(operator),
        ).length,
      }
    })
    const types = new Set(
      stage.events.filter(({ height }) => closingHeights().has(height)).map(({ type }) => type),
    )
    expect([...types]).toEqual(expect.arrayContaining(['delegate', 'unbond']))
    expect(stage.events.some(({ type }) => type === 'slash')).toBe(true)
    expect(inClosings.reduce((sum, { jailed }) => sum + jailed, 0)).toBeGreaterThan(0)
    expect(inClosings.reduce((sum, { unjailed }) => sum + unjailed, 0)).toBeGreaterThan(0)
  })

  it('ends each vote as the counted pools decide', async () => {
    const rest = createNodeRest(stage.devnet.restUrl)
    const ended: Record<string, string | undefined> = {}
    for (const [name, id] of stage.played.proposals) {
      const proposal = await rest.proposal(String(id), stage.played.lastHeight)
      ended[name] = proposal?.status.replace('PROPOSAL_STATUS_', '').toLowerCase()
    }
    expect(ended).toEqual(ENDINGS)
  })
  it('has tallies that match the chain, all of them', () => {
    const { proposals, convoys } = stage.played
    const matches = stage.items.map(({ proposalId, tally }) => ({
      proposalId,
      final: tally?.final,
      matchesChain: tally?.matchesChain,
      reason: tally?.matchesChainReason,
    }))
    const others = matches.filter((each) => each.matchesChain !== 'yes' || !each.final)
    progress(`closes: ${closings().length}, ${others.length} do not match the chain`)
    expect(others).toEqual([])
    expect(matches.length).toBe(proposals.size + convoys.length)
  })

  it('has turnouts that are shares of the counted pools’ tokens at the tally', () => {
    const limits = listLimitsAtTally(GENESIS_LIMIT)
    const names = new Map([...stage.played.proposals].map(([name, id]) => [String(id), name]))
    const read = ({ proposalId, tally }: ProposalAnswer) => {
      const base = BigInt(tally?.bondedTokens ?? 0)
      const { yes = '0', no = '0', abstain = '0', noWithVeto = '0' } = tally ?? {}
      const votes = BigInt(yes) + BigInt(no) + BigInt(abstain) + BigInt(noWithVeto)
      const share = Number((votes * 1_000_000n) / base) / 1_000_000
      return { proposalId, base, isShare: Math.abs(Number(tally?.turnout) - share) <= 0.0001 }
    }
    const expected = stage.items.map(({ proposalId }) => {
      const closing = closings().findLast(
        (event) => findAttribute(event, 'proposal_id') === proposalId,
      )
      const [before, after] = [at((closing?.height ?? 0) - 1), at(closing?.height ?? 0)]
      const name = names.get(proposalId)
      const limit = (name ? limits.get(name) : undefined) ?? after.limit
      return { proposalId, base: sumAtTally({ before, after, limit }), isShare: true }
    })
    expect(stage.items.map(read)).toEqual(expected)
  })

  it('says why votes were rejected: by the quorum of the counted pools, or by their votes', () => {
    const reasons = Object.fromEntries(
      [...stage.played.proposals].map(([name, id]) => {
        const item = stage.items.find(({ proposalId }) => proposalId === String(id))
        return [name, item?.outcomeReason ?? null]
      }),
    )
    expect(reasons).toMatchObject({
      belowQuorum: 'quorum_not_reached',
      atQuorum: null,
      outsideOnly: 'threshold_not_met',
      countedOfFour: 'threshold_not_met',
      countedOfThree: 'threshold_not_met',
    })
  })

  it('had live tallies that equal the answer of the node at the height of each reading of every vote', async () => {
    const live = await compareWithNode(stage.devnet, stage.folder, {
      // The node has no query for the base of the quorum.
      bondedTokens: async (height) => String(at(height).tokens),
    })
    progress(
      `live: ${live.compared} tallies and ${live.poolRows} pool rows compared, ` +
        `${live.differences.length} facts differ`,
    )
    expect(live.differences.slice(0, 20)).toEqual([])
    expect(live.unknown).toBe(0)
    // Each vote is read at its start and after 30 seconds.
    expect(live.compared).toBeGreaterThan(30)
  })

  it('gives evidence from which anybody can recompute them', async () => {
    const { proposals, convoys } = stage.played
    const named = [...LIMITS, 'outsideOnly', 'restarted'] as const
    const chosen = [...named.map((name) => proposals.get(name)), ...convoys.slice(-1)]
    const restarted = [String(proposals.get('restarted')), '--round', '1']
    for (const args of [...chosen.map((id) => [String(id)]), restarted]) {
      const verify = stage.folder.run({ args: ['tally', 'verify', ...args, '--url', stage.url] })
      const { code } = await verify.ended
      expect(code, `${args.join(' ')}: ${verify.stdout()}${verify.stderr()}`).toBe(0)
    }
  })
})
