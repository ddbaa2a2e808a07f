// Follows votes on a provider chain, where governance counts the first bonded pools only: every tally must be that of the node.
import { toBase64 } from '@cosmjs/encoding'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createConsensusKey, toPoolAddress } from './accounts.ts'
import { findAttribute, listCloses } from './chain-facts.ts'
import { compareTallies } from './comparison.ts'
import { type Followed, followChain } from './followed-chain.ts'
import type { ProposalAnswer } from './product-api.ts'
import { type CountedPools, readCountedPools, sumAtTally } from './provider/counted-pools.ts'
import { GENESIS_LIMIT, PROVIDER_CHAIN } from './provider/provider-chain.ts'
import { ENDINGS, LIMITS, playProvider } from './provider/stories.ts'

const listOperators = (pools: readonly { operator: string }[]) => pools.map((pool) => pool.operator)

describe('a chain that counts the first pools only', () => {
  let run: Followed
  /** By height, from the first to the last one of the scenario. */
  const pools = new Map<number, CountedPools>()
  const closers: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    const bondedTokens = async (scene: Followed['scene'], height: number) =>
      String((await readCountedPools(scene, height)).tokens)
    const story = {
      spec: PROVIDER_CHAIN,
      play: playProvider,
      // The node has no query for the base of the quorum.
      replace: (scene: Followed['scene']) => ({
        bondedTokens: (height: number) => bondedTokens(scene, height),
      }),
      verified: [['outsideOnly'], ['countedOfThree'], ['late 7']],
    } as const
    run = await followChain(story, (close) => closers.push(close))
    for (let height = 1; height <= run.lastHeight; height++)
      pools.set(height, await readCountedPools(run.scene, height))
  })
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })

  const at = (height: number): CountedPools => {
    const found = pools.get(height)
    if (!found) throw new Error(`height ${height} is not part of the scenario`)
    return found
  }
  const heights = () => [...pools.keys()].filter((height) => height > 1)
  const findClose = (id: string | bigint): number => listCloses(run.events, id).at(-1)?.height ?? 0

  it('lets those pools sign that the order of the test counts, at every height', async () => {
    const { accounts } = run.devnet
    const byKey = new Map(
      accounts.operators.map((operator, index) => [
        toBase64(createConsensusKey(String(index)).publicKey),
        toPoolAddress(operator),
      ]),
    )
    for (const height of heights()) {
      // The pools that are counted after a block sign from the second block after it.
      const params = { height: String(height + 2), per_page: '100' }
      const { validators } = await run.scene.chain.rpc.call('validators', params)
      const signing = validators.map((each: { pub_key: { value: string } }) =>
        byKey.get(each.pub_key.value),
      )
      expect(signing.sort(), `height ${height}`).toEqual(listOperators(at(height).counted).sort())
    }
  })

  it('has pools that enter and leave during the votes, and some that count with fewer tokens than others', () => {
    const entered = heights().filter((height) => {
      const before = new Set(listOperators(at(height - 1).counted))
      const isSameLimit = at(height - 1).limit === at(height).limit
      return isSameLimit && listOperators(at(height).counted).some((each) => !before.has(each))
    })
    expect(entered.length).toBeGreaterThan(10)
    const ties = heights().filter((height) => {
      const { counted, others } = at(height)
      const [last, next] = [counted.at(-1), others[0]]
      return last && next && last.power === next.power && last.tokens < next.tokens
    })
    expect(ties.length).toBeGreaterThan(20)
    expect(heights().filter((height) => at(height).others.length === 0)).toEqual([])
  })

  it('changes its limit within the end block in which other votes close', () => {
    const closes = new Set(Object.keys(LIMITS).map((name) => findClose(run.scene.id(name))))
    expect(closes.size).toBe(1)
    const [height = 0] = closes
    expect([at(height - 1).limit, at(height).limit]).toEqual([GENESIS_LIMIT, 3])
  })

  // Which of these meets a closing block depends on the machine.
  it('jails and unjails counted pools during the votes, and moves and slashes stake', () => {
    const jailed = heights().filter((height) => {
      const outside = new Set(listOperators(at(height).outside))
      return listOperators(at(height - 1).counted).some((operator) => outside.has(operator))
    })
    const unjailed = heights().filter((height) => {
      const outside = new Set(listOperators(at(height - 1).outside))
      const bonded = [...at(height).counted, ...at(height).others]
      return listOperators(bonded).some((operator) => outside.has(operator))
    })
    expect(jailed.length).toBeGreaterThan(0)
    expect(unjailed.length).toBeGreaterThan(0)
    const moved = run.events.filter(({ height }) => heights().includes(height))
    expect(moved.map(({ type }) => type)).toEqual(expect.arrayContaining(['delegate', 'unbond']))
    const slashes = run.events.filter(({ type }) => type === 'slash')
    expect(slashes.map((event) => findAttribute(event, 'reason'))).toContain('double_sign')
  })

  it('ends each vote as the counted pools decide, and says why', () => {
    const served = run.items.map(({ title, status, outcomeReason }) => [
      title,
      { status, outcomeReason },
    ])
    const planned = Object.entries(ENDINGS).map(([name, status]) => {
      const reason = name === 'belowQuorum' ? 'quorum_not_reached' : 'threshold_not_met'
      return [name, { status, outcomeReason: status === 'passed' ? null : reason }]
    })
    expect(Object.fromEntries(served)).toMatchObject(Object.fromEntries(planned))
  })

  compareTallies(() => run)

  it('has turnouts that are shares of the counted pools’ tokens at the tally', () => {
    const limits = new Map<string, number>(Object.entries(LIMITS))
    const read = ({ title, tally }: ProposalAnswer) => {
      const base = BigInt(tally?.bondedTokens ?? 0)
      const { yes = '0', no = '0', abstain = '0', noWithVeto = '0' } = tally ?? {}
      const votes = BigInt(yes) + BigInt(no) + BigInt(abstain) + BigInt(noWithVeto)
      const share = Number((votes * 1_000_000n) / base) / 1_000_000
      return { title, base, isShare: Math.abs(Number(tally?.turnout) - share) <= 0.0001 }
    }
    const expected = run.items.map(({ title, proposalId }) => {
      const [before, after] = [at(findClose(proposalId) - 1), at(findClose(proposalId))]
      const limit = limits.get(title) ?? after.limit
      return { title, base: sumAtTally({ before, after, limit }), isShare: true }
    })
    expect(run.items.map(read)).toEqual(expected)
  })
})
