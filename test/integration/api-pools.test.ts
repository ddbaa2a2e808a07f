// The list of pools: its search and its orders, its shares, and the account behind a pool, with a real ClickHouse.
import { toBech32 } from '@cosmjs/encoding'
import { beforeAll, describe, expect, it } from 'vitest'
import { TABLES } from '../../projections/contract/tables.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { walkPages } from '../support/api/lists-rig.ts'
import { ballotRow, insertRows, poolRow } from '../support/api/lists-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import {
  clearReadModel,
  poolVoteRow,
  proposalRow,
  seed,
  tallyRow,
} from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

const COUNT = 240
const PROPOSALS = 4
const toBytes = (n: number) => new Uint8Array(20).fill(n).fill(n >> 4, 0, 10)
const operatorAt = (n: number) => toBech32('cosmosvaloper', toBytes(n))
const accountAt = (n: number) => toBech32('cosmos', toBytes(n))
/** How many of the proposals a pool voted on, and how many it missed; the others were before its time. */
const createCounts = (n: number) => ({ voted: n % 4, missed: (n >> 2) % 2 })
const tokensOf = (n: number) => (n % 7) * 10 + 1

const pools = Array.from({ length: COUNT }, (_, n) =>
  poolRow(operatorAt(n), `${tokensOf(n)}`, {
    account_address: accountAt(n),
    moniker: n % 10 === 0 ? `Châlet ${n}` : `Pool ${n}`,
    status: n === 5 ? 'unbonded' : 'bonded',
    jailed: n === 6,
    counted: true,
  }),
)

const missedRow = (n: number) => ({
  operator_address: operatorAt(n),
  proposal_id: `${PROPOSALS}`,
  round: 1,
  moniker: '',
  bonded_tokens: '1',
  voting_power_atto: '1',
  version: '20',
})

beforeAll(async () => {
  const { store } = testStore
  await clearReadModel(store)
  await insertRows(store, TABLES.pools.name, pools)
  const all = Array.from({ length: COUNT }, (_, n) => n)
  await insertRows(
    store,
    TABLES.missedVotes.name,
    all.filter((n) => createCounts(n).missed > 0).map(missedRow),
  )
  await insertRows(store, TABLES.ballots.name, [
    ballotRow(1, 0, { height: 20, voter: accountAt(9) }),
  ])
  const ids = Array.from({ length: PROPOSALS }, (_, n) => n + 1)
  await seed(store, {
    height: 100,
    proposals: ids.map((id) => proposalRow(id, 20, { status: 'rejected', closed_height: '20' })),
    tallies: ids.map((id) => tallyRow(id, 20, { final: true, matches_chain: 'yes' })),
    poolVotes: all.flatMap((n) =>
      ids
        .slice(0, createCounts(n).voted)
        .map((id) => poolVoteRow(id, n, { height: 20, operator_address: operatorAt(n) })),
    ),
    marks: ids.map((id) => ({ id, height: 20, final: true })),
  })
})

type Pool = {
  operatorAddress: string
  moniker: string
  bondedTokens: string
  proposalsVoted: number
  proposalsMissed: number
  powerShare: string | null
}

const setup = async () => {
  const rig = await createApiRig(testStore.store)
  const get = async (url: string) => (await rig.ask(url)).json()
  const html = async (url: string) =>
    (await rig.ask(url, { headers: { accept: 'text/html' } })).text
  return { ...rig, get, html }
}

const shareOf = ({ proposalsVoted, proposalsMissed }: Pool): number =>
  proposalsVoted + proposalsMissed === 0 ? -1 : proposalsVoted / (proposalsVoted + proposalsMissed)

const KEYS = {
  power: (pool: Pool) => [Number(pool.bondedTokens)],
  participation: (pool: Pool) => [shareOf(pool), pool.proposalsVoted, Number(pool.bondedTokens)],
  missed: (pool: Pool) => [pool.proposalsMissed, Number(pool.bondedTokens)],
}

const isInOrder = (one: number[], other: number[]): boolean => {
  const at = one.findIndex((value, n) => value !== other[n])
  return at < 0 || (one[at] ?? 0) > (other[at] ?? 0)
}

describe('the list of pools', () => {
  it.each(['power', 'participation', 'missed'] as const)(
    'by %s has each pool once, in order, by number and by cursor',
    async (sort) => {
      const { get } = await setup()
      const pages = await walkPages(get, `/api/pools?sort=${sort}`)
      const items: Pool[] = pages.flatMap((page) => page.items)
      expect(new Set(items.map(({ operatorAddress }) => operatorAddress)).size).toBe(COUNT)
      const keys = items.map(KEYS[sort])
      const wrong = keys.slice(1).filter((key, n) => !isInOrder(keys[n] ?? [], key))
      expect(wrong).toEqual([])
      const byCursor = [...pages[0].items]
      for (let { nextCursor } = pages[0].page; nextCursor !== null; ) {
        const page = await get(`/api/pools?sort=${sort}&cursor=${nextCursor}`)
        byCursor.push(...page.items)
        nextCursor = page.page.nextCursor
      }
      expect(byCursor).toEqual(items)
    },
  )

  it('can be searched by a part of the name without accents, and by an address', async () => {
    const { get } = await setup()
    const named = await get('/api/pools?q=chalet')
    expect([named.page.totalItems, named.items.length]).toEqual([24, 24])
    for (const q of [operatorAt(42), accountAt(42), operatorAt(42).slice(0, 40)]) {
      const { items } = await get(`/api/pools?q=${q}`)
      expect([q, items.map((pool: Pool) => pool.moniker)]).toEqual([q, ['Pool 42']])
    }
    expect((await get('/api/pools?q=nothing')).page.totalItems).toBe(0)
  })

  it('refuses another order with the ones that exist, and a cursor of another order', async () => {
    const { ask, get } = await setup()
    expectProblem(await ask('/api/pools?sort=rank'), 400, 'invalid-parameter')
    const { page } = await get('/api/pools')
    const mixed = await ask(`/api/pools?sort=missed&cursor=${page.nextCursor}`)
    expectProblem(mixed, 400, 'invalid-parameter')
  })

  it('has the share of the power of each bonded pool', async () => {
    const { get } = await setup()
    const pages = await walkPages(get, '/api/pools')
    const items: Pool[] = pages.flatMap((page) => page.items)
    const find = (n: number) => items.find((pool) => pool.operatorAddress === operatorAt(n))
    const whole = pools
      .filter(({ status, jailed }) => status === 'bonded' && !jailed)
      .reduce((sum, { tokens }) => sum + Number(tokens), 0)
    expect(Number(find(13)?.powerShare)).toBeCloseTo(tokensOf(13) / whole, 3)
    expect([find(5)?.powerShare, find(6)?.powerShare]).toEqual(['0', '0'])
  })

  it('has the same order and search through MCP', async () => {
    const { get } = await setup()
    const { call } = await createMcpRig(testStore.store)
    const { structuredContent } = await call('list_pools', {
      q: 'chalet',
      sort: 'missed',
      limit: 5,
    })
    const { items } = await get('/api/pools?q=chalet&sort=missed')
    expect(structuredContent.items).toEqual(items.slice(0, 5))
  })
})

describe('a pool and the account of its operator', () => {
  it('name each other in the API', async () => {
    const { get } = await setup()
    expect((await get(`/api/pools/${operatorAt(9)}/votes`)).accountAddress).toBe(accountAt(9))
    expect((await get(`/api/voters/${accountAt(9)}/votes`)).pool).toEqual({
      operatorAddress: operatorAt(9),
      moniker: 'Pool 9',
    })
    const other = toBech32('cosmos', new Uint8Array(20).fill(0xee))
    expect((await get(`/api/voters/${other}/votes`)).pool).toBeNull()
  })

  it('link to each other on their pages', async () => {
    const { html } = await setup()
    expect(await html(`/pools/${operatorAt(9)}`)).toContain(`href="/voters/${accountAt(9)}"`)
    expect(await html(`/voters/${accountAt(9)}`)).toContain(`href="/pools/${operatorAt(9)}"`)
  })

  it('can be found on the page of validators, with the filters in the form and in the links', async () => {
    const { html } = await setup()
    const page = await html('/pools?q=pool&sort=participation')
    expect(page).toContain('value="pool"')
    expect(page).toContain('<option value="participation" selected>')
    expect(page).toMatch(/rel="next" href="\/pools\?q=pool&amp;sort=participation&amp;page=1"/)
    expect(await html('/pools?q=&sort=')).toContain('Share of the power')
    expect(await html('/pools?q=nothing')).toContain('No validators match.')
  })
})
