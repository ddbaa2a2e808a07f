// Tests that the results of MCP tools fit an assistant on a chain of the size of the Cosmos Hub.
import { encode as encodeOlder } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { ballotRow, createEvent, eventRow, poolRow } from '../support/api/lists-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { account, operator } from '../support/simulator/addresses.ts'
import {
  clearReadModel,
  poolVoteRow,
  proposalRow,
  seed,
  tallyRow,
  timestampAt,
} from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const POOLS = 180
const PROPOSALS = 120
const VOTER = account('voter')
const hash = (n: number) => account(`hash ${n}`).slice(-32).toUpperCase().repeat(2)
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const pool = (n: number) => operator(`pool ${n}`)
const atto = (n: number) => `8993531634435162173089538379${495 + n}`

/** As the longest summary of the Cosmos Hub. */
const SUMMARY = 'This paragraph explains what the proposal does, and why. '
  .repeat(200)
  .slice(0, 10_000)

const createVote = (id: number, rank: number) =>
  poolVoteRow(id, rank, {
    height: 60,
    operator_address: pool(rank),
    moniker: `Validator number ${rank}`,
    vote_tx_hash: hash(rank),
    voting_power_atto: atto(rank),
    bonded_tokens: '9000000123457',
    delegator_power_atto: atto(rank),
    delegator_yes_atto: atto(rank),
    yes_atto: atto(rank),
  })

const createDeposit = (n: number) =>
  eventRow(
    createEvent('proposal.deposited', {
      height: 60,
      index: n + 1,
      proposalId: PROPOSALS,
      data: {
        depositor: account(`depositor ${n}`),
        txHash: hash(n),
        amount: [{ denom: 'uatom', amount: '250000000' }],
      },
    }),
  )

const seedHub = async (store: Store): Promise<void> => {
  await clearReadModel(store)
  const ids = numbers(PROPOSALS).map((n) => n + 1)
  const ended = ids.filter((id) => id < PROPOSALS)
  const closed = { status: 'passed', closed_time: timestampAt(60), closed_height: '60' }
  const title = 'Increase the maximum number of validators and the community tax'
  const delegations = numbers(8).map((n) => ({
    operator_address: pool(n),
    shares: `5234567${n}.000000000000000000`,
    voting_power_atto: atto(n),
  }))
  const ofVoter = { height: 60, voter: VOTER, delegations }
  await seed(store, {
    height: 100,
    pools: numbers(POOLS).map((n) => poolRow(pool(n), `${9_000_000_123_457 - n}`)),
    ballots: ended.map((id) => ballotRow(id, 0, { ...ofVoter, voting_power_atto: atto(id) })),
    events: numbers(150).map(createDeposit),
    proposals: ids.map((id) =>
      proposalRow(id, 60, { title, summary: SUMMARY, ...(id < PROPOSALS ? closed : {}) }),
    ),
    tallies: ids.map((id) => tallyRow(id, 60, { pool_rows: id < PROPOSALS ? 1 : POOLS })),
    poolVotes: [
      ...ended.map((id) => createVote(id, 0)),
      ...numbers(POOLS).map((rank) => createVote(PROPOSALS, rank)),
    ],
    marks: ids.map((id) => ({ id, height: 60, final: id < PROPOSALS })),
  })
}

const testStore = useTestStore(seedHub)

const countTokens = (text: string): number =>
  Math.max(encode(text).length, encodeOlder(text).length)

it('the list of tools has at most 4,000 tokens', {
  tags: 'api:mcp-fits-an-assistant',
}, async () => {
  const { rpc } = await createMcpRig(testStore.store)
  const { tools } = (await rpc('tools/list')).result
  expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(4_000)
})

describe('a default result of an MCP tool', { tags: 'api:mcp-fits-an-assistant' }, () => {
  const proposalId = `${PROPOSALS}`
  it.each([
    ['list_proposals', {}, 20],
    ['get_proposal', { proposalId }, 10],
    ['list_proposal_votes', { proposalId }, 30],
    ['list_proposal_votes', { proposalId, sort: 'power' }, 30],
    ['list_proposal_deposits', { proposalId }, 60],
    ['list_pool_votes', { operatorAddress: pool(0) }, 25],
    ['list_pools', {}, 70],
    ['list_voter_votes', { address: VOTER }, 10],
  ] as const)('of %s %j has at most 12,000 tokens', async (name, args, rows) => {
    const { call } = await createMcpRig(testStore.store)
    const { content, structuredContent } = await call(name, args)
    const [{ text }] = content
    const data = JSON.stringify(structuredContent)
    const items = structuredContent.items ?? structuredContent.votes.items
    expect(items.length).toBeGreaterThanOrEqual(rows)
    expect(countTokens(text) + countTokens(data)).toBeLessThanOrEqual(12_000)
    expect(countTokens(text)).toBeLessThanOrEqual(1_200)
  })

  it.each([
    ['search', { query: 'validators' }],
    ['search', { query: 'how did Validator number 7 vote on proposal 120' }],
    ['fetch', { id: `proposal:${proposalId}` }],
    ['fetch', { id: `validator:${pool(0)}` }],
    ['fetch', { id: `voter:${VOTER}` }],
  ] as const)('of %s %j has at most 12,000 tokens, twice the same', async (name, args) => {
    const { call } = await createMcpRig(testStore.store)
    const { content, structuredContent } = await call(name, args)
    expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }])
    expect(2 * countTokens(content[0].text)).toBeLessThanOrEqual(12_000)
  })

  it('has the vote of each validator, and the text of the proposer as far as it fits', async () => {
    const { call } = await createMcpRig(testStore.store)
    const { text, url } = (await call('fetch', { id: `proposal:${proposalId}` })).structuredContent
    expect(text.match(/^- "Validator number \d+": yes$/gm)).toHaveLength(POOLS)
    expect(text).toContain(SUMMARY.slice(0, 200))
    expect(url).toMatch(new RegExp(`^https?://.*/proposals/${proposalId}$`))
  })

  it('has the whole summary of a proposal, and the start of those in a list', async () => {
    const { call } = await createMcpRig(testStore.store)
    expect((await call('get_proposal', { proposalId })).structuredContent.summary).toBe(SUMMARY)
    const { content, structuredContent } = await call('list_proposals')
    const [first] = structuredContent.items
    expect(first).toMatchObject({ truncated: true, wholeAt: `/api/proposals/${proposalId}` })
    expect(SUMMARY.startsWith(first.summary.slice(0, -1))).toBe(true)
    expect(content[0].text).toContain('Long texts of rows are shortened')
    expect(content[0].text).toContain(structuredContent.page.nextCursor)
  })
})
