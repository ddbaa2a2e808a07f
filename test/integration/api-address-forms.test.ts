// Tests of addresses in bech32, capital letters and hex: they find the same account, with a real ClickHouse.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import { addressKey, decodeAddress } from '../../ingest/contract/address.ts'
import { expectProblem } from '../support/api/api-rig.ts'
import { BIG_VOTE, ballotRow, createEvent, eventRow, poolRow } from '../support/api/lists-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { clearReadModel, proposalRow, seed } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

const ACCOUNT = new Uint8Array(20).fill(0xab)
const CONTRACT = new Uint8Array(32).fill(0xcd)
const POOL = new Uint8Array(20).fill(0xef)
const UNKNOWN = new Uint8Array(20).fill(0x12)

const COSMOS = { account: 'cosmos', operator: 'cosmosvaloper' }
const CHAINS = [
  COSMOS,
  { account: 'iaa', operator: 'iva' },
  { account: 'lava@', operator: 'lava@valoper' },
]

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`

/** One open vote with the ballots of two voters; one of them proposed it, a title names the other in hex. */
const setup = async (prefixes: typeof COSMOS, hasPools = true) => {
  const { store } = testStore
  const voters = [ACCOUNT, CONTRACT].map((bytes) => toBech32(prefixes.account, bytes))
  const operatorAddress = toBech32(prefixes.operator, POOL)
  const pool = poolRow(operatorAddress, '10', {
    account_address: toBech32(prefixes.account, POOL),
  })
  await clearReadModel(store)
  await seed(store, {
    height: 100,
    pools: hasPools ? [pool] : [],
    ballots: voters.map((voter, rank) => ballotRow(BIG_VOTE, rank, { height: 60, voter })),
    proposals: [
      proposalRow(BIG_VOTE, 60, { proposer: voters[0] ?? null }),
      proposalRow(1, 50, { title: `Pay ${toHex(CONTRACT).toUpperCase()}` }),
    ],
    marks: [BIG_VOTE, 1].map((id) => ({ id, height: 60 })),
  })
  return { ...(await createMcpRig(store)), voters, operatorAddress }
}

describe.each(CHAINS)('on a chain with the prefixes $account and $operator', (prefixes) => {
  it('an operator address leads to the votes of its account, and an account to its pool', {
    tags: 'api:accounts-have-one-record',
  }, async () => {
    const { ask, operatorAddress } = await setup(prefixes)
    const account = toBech32(prefixes.account, POOL)
    for (const path of [`/api/voters/${operatorAddress}/votes`, `/voters/${operatorAddress}`]) {
      const moved = await ask(path)
      const canonical = path.replace(operatorAddress, account)
      expect([moved.status, moved.headers['location']]).toEqual([308, canonical])
      expect((await ask(canonical)).status).toBe(200)
    }
    for (const path of [`/api/pools/${account}/votes`, `/pools/${account}`]) {
      const moved = await ask(path)
      const canonical = path.replace(account, operatorAddress)
      expect([moved.status, moved.headers['location']]).toEqual([308, canonical])
      expect((await ask(canonical)).status).toBe(200)
    }
    // Of nobody in the log.
    const [other, own] = [prefixes.operator, prefixes.account].map((each) =>
      toBech32(each, UNKNOWN),
    )
    const moved = await ask(`/api/voters/${other}/votes`)
    expect(moved.headers['location']).toBe(`/api/voters/${own}/votes`)
  })

  it('an address of another chain is 404 with the prefix of this one, and the same account', {
    tags: 'api:accounts-have-one-record',
  }, async () => {
    const { ask } = await setup(prefixes)
    const voter = toBech32(prefixes.account, UNKNOWN)
    const cases = [
      [`/api/voters/${toBech32('osmo', UNKNOWN)}/votes`, voter],
      [`/voters/${toBech32('osmovaloper', UNKNOWN)}`, voter],
    ] as const
    for (const [path, own = ''] of cases) {
      const refused = await ask(path, { headers: { accept: 'application/json' } })
      expectProblem(refused, 404, 'foreign-address')
      expect(refused.json().detail).toContain(own)
      expect((await ask(refused.json().links.suggested)).status).toBe(200)
    }
    const query = `status=passed&proposer=${toBech32('osmo', UNKNOWN)}`
    const filter = await ask(`/api/proposals?${query}`)
    expectProblem(filter, 400, 'invalid-parameter')
    expect(filter.json().detail).toContain(voter)
    const own = new URLSearchParams({ status: 'passed', proposer: voter })
    const suggested = `/proposals?${own}`
    expect(filter.json().links.suggested).toBe(`/api${suggested}`)
    expect((await ask(`/api${suggested}`)).status).toBe(200)
    const page = await ask(`/proposals?${query}`, { headers: { accept: 'text/html' } })
    expect(page.text).toContain(`href="${suggested.replace('&', '&amp;')}"`)
    const other = await ask(`/api/proposals?proposer=${toBech32('osmovalcons', UNKNOWN)}`)
    expect([other.status, other.json().links]).toEqual([400, undefined])
    const pool = await ask(`/api/pools/${toBech32('osmovaloper', UNKNOWN)}/votes`)
    expectProblem(pool, 404, 'foreign-address')
  })

  it('voters and pools redirect from hex to their canonical URL, which answers, and searches and tools find them', async () => {
    const { ask, call, voters, operatorAddress } = await setup(prefixes)
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
    const named = (await ask(`/api/proposals?q=${toHex(CONTRACT)}`)).json()
    expect(named.items).toMatchObject([{ proposalId: '1' }])
    const tool = await call('list_pool_votes', { operatorAddress: toHex(POOL) })
    expect(tool.structuredContent).toMatchObject({
      accountAddress: toBech32(prefixes.account, POOL),
    })
  })
})

it('the prefix of accounts comes from a proposer while no pool is known', async () => {
  for (const prefixes of CHAINS) {
    const { ask, voters } = await setup(prefixes, false)
    const moved = await ask(`/api/voters/${toHex(ACCOUNT)}/votes`)
    expect(moved.headers['location']).toBe(`/api/voters/${voters[0]}/votes`)
    expectProblem(await ask(`/api/pools/${toHex(POOL)}/votes`), 404, 'pool-not-found')
  }
})

it.each([
  `/api/voters/${toHex(ACCOUNT)}0/votes`,
  `/api/pools/${toHex(CONTRACT)}00/votes`,
  '/api/proposals?proposer=0x12',
])('an address in hex of another length is refused with the lengths: %s', async (url) => {
  const { ask } = await setup(COSMOS)
  const refused = await ask(url)
  expectProblem(refused, 400, 'invalid-parameter')
  expect(refused.json().detail).toContain('0x with 40 or 64 hex digits')
})

describe('an account whose text in the log has another prefix', () => {
  const own = { account: 'side', operator: 'sidevaloper' }
  const HEX_VOTER = toHex(new Uint8Array(20).fill(0x34))
  const TEXTS = {
    segwit: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    taproot: 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0',
    hex: HEX_VOTER,
    foreign: toBech32('osmo', CONTRACT),
  }
  const PROPOSER = toBech32('bc', UNKNOWN)
  const DEPOSITOR = toHex(new Uint8Array(32).fill(0x56))

  const setupTexts = async () => {
    const { store } = testStore
    await clearReadModel(store)
    const account = toBech32(own.account, POOL)
    const pool = poolRow(toBech32(own.operator, POOL), '10', { account_address: account })
    const deposit = createEvent('proposal.deposited', {
      height: 60,
      index: 1,
      proposalId: BIG_VOTE,
      data: { depositor: DEPOSITOR, depositorReason: null, amount: [], txHash: null },
    })
    await seed(store, {
      height: 100,
      pools: [pool],
      ballots: Object.values(TEXTS).map((voter, rank) =>
        ballotRow(BIG_VOTE, rank, { height: 60, voter }),
      ),
      events: [{ ...eventRow(deposit), depositor_key: addressKey(DEPOSITOR) }],
      proposals: [proposalRow(BIG_VOTE, 60, { proposer: PROPOSER })],
      marks: [{ id: BIG_VOTE, height: 60 }],
    })
    return createMcpRig(store)
  }

  /** Every text of the same bytes. */
  const listForms = (text: string): string[] => {
    const bytes = decodeAddress(text)?.bytes ?? Buffer.from(text.slice(2), 'hex')
    const forms = [text, text.toUpperCase(), toBech32('side', bytes), toBech32('juno', bytes)]
    return bytes.length === 33 ? forms : [...forms, toHex(bytes), toHex(bytes).toUpperCase()]
  }

  it.each(Object.entries(TEXTS))('is found by each of its texts: %s', async (_, text) => {
    const { ask, call } = await setupTexts()
    const follow = async (path: string) => {
      const answer = await ask(path)
      const { location } = answer.headers
      return typeof location === 'string' ? ask(location) : answer
    }
    for (const form of listForms(text)) {
      const votes = (await follow(`/api/voters/${form}/votes`)).json()
      expect([form, votes.items?.[0]?.proposalId]).toEqual([form, `${BIG_VOTE}`])
      expect([form, (await follow(`/voters/${form}`)).status]).toEqual([form, 200])
      const filtered = await ask(`/api/proposals/${BIG_VOTE}/ballots?voter=${form}`)
      expect([form, filtered.json().items?.map(({ voter }: { voter: string }) => voter)]).toEqual([
        form,
        [text],
      ])
      const lookUp = await ask(`/voters?address=${form}`)
      expect([form, lookUp.status]).toEqual([form, 303])
      expect((await follow(`${lookUp.headers['location']}`)).status).toBe(200)
      const tool = await call('list_voter_votes', { address: form })
      expect([form, tool.structuredContent?.['page']]).toMatchObject([form, { totalItems: 1 }])
    }
  })

  it('is found as a proposer, and is no address of another chain if it proposed or deposited', async () => {
    const { ask } = await setupTexts()
    for (const form of listForms(PROPOSER)) {
      for (const name of ['proposer', 'q']) {
        const answer = await ask(`/api/proposals?${name}=${form}`)
        expect([form, name, answer.json().page?.totalItems]).toEqual([form, name, 1])
      }
    }
    for (const text of [PROPOSER, DEPOSITOR]) {
      const votes = await ask(`/api/voters/${text}/votes`)
      expect([text, votes.status, votes.json().page?.totalItems]).toEqual([text, 200, 0])
    }
    const unknown = await ask(
      '/api/voters/bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3/votes',
    )
    expectProblem(unknown, 404, 'foreign-address')
  })
})
