// Tests of addresses in bech32, capital letters and hex: they find the same account, with a real ClickHouse.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import { TABLES } from '../../projections/contract/tables.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { BIG_VOTE, ballotRow, insertRows, poolRow } from '../support/api/lists-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { clearReadModel, proposalRow, seed } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

const ACCOUNT = new Uint8Array(20).fill(0xab)
const CONTRACT = new Uint8Array(32).fill(0xcd)
const POOL = new Uint8Array(20).fill(0xef)

const CHAINS = [
  { account: 'cosmos', operator: 'cosmosvaloper' },
  { account: 'iaa', operator: 'iva' },
  { account: 'lava@', operator: 'lava@valoper' },
]

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

/** One open vote with the ballots of two voters; one of them proposed it, the other is named in a title. */
const setup = async (prefixes: (typeof CHAINS)[number], hasPools = true) => {
  const { store } = testStore
  const voters = [ACCOUNT, CONTRACT].map((bytes) => toBech32(prefixes.account, bytes))
  const operatorAddress = toBech32(prefixes.operator, POOL)
  const pool = poolRow(operatorAddress, '10', {
    account_address: toBech32(prefixes.account, POOL),
  })
  await clearReadModel(store)
  if (hasPools) await insertRows(store, TABLES.pools.name, [pool])
  const ballots = voters.map((voter, rank) => ballotRow(BIG_VOTE, rank, { height: 60, voter }))
  await insertRows(store, TABLES.ballots.name, ballots)
  await seed(store, {
    height: 100,
    proposals: [
      proposalRow(BIG_VOTE, 60, { proposer: voters[0] ?? null }),
      proposalRow(1, 50, { title: `Pay ${voters[1]}` }),
      proposalRow(2, 40, { title: `Pay ${toHex(CONTRACT).toUpperCase()}` }),
    ],
    marks: [BIG_VOTE, 1, 2].map((id) => ({ id, height: 60 })),
  })
  const rig = await createMcpRig(store)
  const { ask } = await createApiRig(store)
  const findIds = async (query: Record<string, string>): Promise<string[]> => {
    const answer = await ask(`/api/proposals?${new URLSearchParams(query)}`)
    return answer.json().items.map(({ proposalId }: { proposalId: string }) => proposalId)
  }
  return { ...rig, ask, findIds, voters, operatorAddress }
}

describe.each(CHAINS)('on a chain with the prefixes $account and $operator', (prefixes) => {
  it('an operator address leads to the votes of its account, and an account names the operator', async () => {
    const { ask, operatorAddress } = await setup(prefixes)
    const account = toBech32(prefixes.account, POOL)
    for (const path of [`/api/voters/${operatorAddress}/votes`, `/voters/${operatorAddress}`]) {
      const moved = await ask(path)
      const canonical = path.replace(operatorAddress, account)
      expect([moved.status, moved.headers['location']]).toEqual([308, canonical])
      expect((await ask(canonical)).status).toBe(200)
    }
    for (const path of [`/api/pools/${account}/votes`, `/pools/${account}`]) {
      const refused = await ask(path, { headers: { accept: 'application/json' } })
      expectProblem(refused, 404, 'pool-not-found')
      expect(refused.json().detail).toContain(operatorAddress)
      expect(refused.json().links.suggested).toBe(path.replace(account, operatorAddress))
    }
    const page = await ask(`/pools/${account}`, { headers: { accept: 'text/html' } })
    expect(page.text).toContain(`href="/pools/${operatorAddress}"`)
    const markdown = await ask(`/pools/${account}`, { headers: { accept: 'text/markdown' } })
    expect(markdown.text).toContain(`/pools/${operatorAddress}`)
  })

  it('an address of another chain is 404 with the prefix of this one, and the same account', async () => {
    const { ask, voters, operatorAddress } = await setup(prefixes)
    const cases = [
      [`/api/voters/${toBech32('osmo', ACCOUNT)}/votes`, voters[0]],
      [`/voters/${toBech32('osmovaloper', ACCOUNT)}`, voters[0]],
      [`/api/pools/${toBech32('osmovaloper', POOL)}/votes`, operatorAddress],
    ] as const
    for (const [path, own = ''] of cases) {
      const refused = await ask(path, { headers: { accept: 'application/json' } })
      expectProblem(refused, 404, 'foreign-address')
      expect(refused.json().detail).toContain(own)
      expect((await ask(refused.json().links.suggested)).status).toBe(200)
    }
    const query = `status=passed&proposer=${toBech32('osmo', ACCOUNT)}`
    const filter = await ask(`/api/proposals?${query}`)
    expectProblem(filter, 400, 'invalid-parameter')
    expect(filter.json().detail).toContain(voters[0])
    const own = new URLSearchParams({ status: 'passed', proposer: voters[0] ?? '' })
    const suggested = `/proposals?${own}`
    expect(filter.json().links.suggested).toBe(`/api${suggested}`)
    expect((await ask(`/api${suggested}`)).status).toBe(200)
    const page = await ask(`/proposals?${query}`, { headers: { accept: 'text/html' } })
    expect(page.text).toContain(`href="${suggested.replace('&', '&amp;')}"`)
    const unknown = await ask(`/api/proposals?proposer=${toBech32('osmovalcons', ACCOUNT)}`)
    expect([unknown.status, unknown.json().links]).toEqual([400, undefined])
  })

  it('voters and pools redirect from hex to their canonical URL, which answers', async () => {
    const { ask, voters, operatorAddress } = await setup(prefixes)
    const cases = [
      ...[ACCOUNT, CONTRACT].flatMap((bytes, rank) => [
        [`/api/voters/${toHex(bytes)}/votes?page=0`, `/api/voters/${voters[rank]}/votes?page=0`],
        [`/voters/0X${toHex(bytes).slice(2).toUpperCase()}`, `/voters/${voters[rank]}`],
      ]),
      [`/api/pools/${toHex(POOL)}/votes`, `/api/pools/${operatorAddress}/votes`],
      [`/pools/${toHex(POOL).replace('ef', 'eF')}`, `/pools/${operatorAddress}`],
    ] as const
    for (const [given = '', canonical = ''] of cases) {
      const moved = await ask(given)
      expect([given, moved.status, moved.headers['location']]).toEqual([given, 308, canonical])
      expect([canonical, (await ask(canonical)).status]).toEqual([canonical, 200])
    }
    expect((await ask(`/api/voters/${voters[1]}/votes`)).json().page.totalItems).toBe(1)
  })

  it('the look-up opens the voter or the pool of each form', async () => {
    const { ask, voters, operatorAddress } = await setup(prefixes)
    const lookUp = async (given: string) => {
      const answer = await ask(`/voters?${new URLSearchParams({ address: given })}`)
      return [answer.status, answer.headers['location']]
    }
    const [voter = '', contract = ''] = voters.map(encodeURIComponent)
    for (const given of [toHex(ACCOUNT), voters[0], voters[0]?.toUpperCase()]) {
      expect(await lookUp(given ?? '')).toEqual([303, `/voters/${voter}`])
    }
    expect(await lookUp(toHex(CONTRACT).toUpperCase())).toEqual([303, `/voters/${contract}`])
    for (const given of [operatorAddress, operatorAddress.toUpperCase()]) {
      expect(await lookUp(given)).toEqual([303, `/pools/${encodeURIComponent(operatorAddress)}`])
    }
  })

  it('the filters of proposals find an account by each form', async () => {
    const { findIds, voters } = await setup(prefixes)
    for (const form of [voters[0], voters[0]?.toUpperCase(), toHex(ACCOUNT)]) {
      expect([form, await findIds({ proposer: form ?? '' })]).toEqual([form, [`${BIG_VOTE}`]])
      expect([form, await findIds({ q: form ?? '' })]).toEqual([form, [`${BIG_VOTE}`]])
    }
    expect(await findIds({ q: toHex(CONTRACT) })).toEqual(['2', '1'])
    expect(await findIds({ q: voters[1] ?? '' })).toEqual(['1'])
    expect(await findIds({ proposer: toHex(CONTRACT) })).toEqual([])
  })

  it('the tools of MCP answer for hex as for bech32', async () => {
    const { call, voters, operatorAddress } = await setup(prefixes)
    const same = [
      ['list_pool_votes', { operatorAddress }, { operatorAddress: toHex(POOL) }],
      ['list_proposals', { proposer: voters[0] }, { proposer: toHex(ACCOUNT).toUpperCase() }],
    ] as const
    for (const [name, canonical, hex] of same) {
      const { structuredContent } = await call(name, hex)
      expect(structuredContent).toBeDefined()
      expect(structuredContent).toEqual((await call(name, canonical)).structuredContent)
    }
  })
})

it('the prefix of accounts comes from a proposer while no pool is known', async () => {
  for (const prefixes of CHAINS) {
    const { ask, voters } = await setup(prefixes, false)
    const moved = await ask(`/api/voters/${toHex(ACCOUNT)}/votes`)
    expect(moved.headers['location']).toBe(`/api/voters/${voters[0]}/votes`)
    expectProblem(await ask(`/api/pools/${toHex(POOL)}/votes`), 400, 'invalid-parameter')
  }
})

it('an address in hex of another length is refused with the lengths', async () => {
  const { ask } = await setup(CHAINS[0] as (typeof CHAINS)[number])
  for (const url of [
    '/api/voters/0xabcdef/votes',
    `/api/voters/${toHex(ACCOUNT)}0/votes`,
    `/api/pools/${toHex(CONTRACT)}00/votes`,
    '/api/proposals?proposer=0x12',
  ]) {
    const refused = await ask(url)
    expectProblem(refused, 400, 'invalid-parameter')
    expect(refused.json().detail).toContain('0x with 40 or 64 hex digits')
  }
})
