// Tests of proposals and their votes in the API with a real ClickHouse, one test for each promise of the contract.

import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { Health } from '../../api/schemas/health.ts'
import { ProposalDetail, ProposalPage } from '../../api/schemas/proposal.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import {
  CLOSED_VOTE,
  IN_DEPOSIT,
  OF_OLD,
  OPEN_VOTE,
  RESTARTED_VOTE,
  STORY_HEIGHT,
  seedStory,
} from '../support/api/api-story.ts'
import {
  CHAIN_ID,
  proposalRow,
  replaceRows,
  seedRows,
  tallyRow,
  timeAt,
} from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

const setup = async () => {
  const { store } = testStore
  await seedStory(store)
  return { ...(await createApiRig(store)), tables: store }
}
const NOW = { chainId: CHAIN_ID, height: STORY_HEIGHT, time: timeAt(STORY_HEIGHT) }

describe('the list of proposals', () => {
  it('matches its schema, newest first, 20 per page, with totals, links and asOf', {
    tags: ['api:pages-say-their-height', 'api:newest-first'],
  }, async () => {
    const { get } = await setup()
    const list = await get('/api/proposals')
    expect(Compile(ProposalPage).Errors(list)).toEqual([])
    const ids = list.items.map(({ proposalId }: { proposalId: string }) => Number(proposalId))
    expect(ids).toEqual(Array.from({ length: 20 }, (_, n) => 45 - n))
    expect(list.page).toMatchObject({ number: 0, size: 20, totalItems: 45, totalPages: 3 })
    expect(list.links).toEqual({
      self: '/api/proposals?page=0',
      next: '/api/proposals?page=1',
      prev: null,
      first: '/api/proposals?page=0',
      last: '/api/proposals?page=2',
    })
    expect(list.asOf).toEqual(NOW)
    expect(list.items[0]).not.toHaveProperty('messages')
  })

  it('returns 200 and no items for a page past the end, up to the largest page number', {
    tags: 'api:newest-first',
  }, async () => {
    const { ask } = await setup()
    for (const page of ['3', '99', '2147483647']) {
      const answer = await ask(`/api/proposals?page=${page}`)
      expect([answer.status, answer.json().items]).toEqual([200, []])
      expect(answer.json().page).toMatchObject({ totalItems: 45, totalPages: 3 })
      expect(answer.json().links.next).toBeNull()
    }
    const beyond = await ask('/api/proposals?page=9999999999999999999999')
    expect([beyond.status, beyond.json().detail]).toEqual([
      400,
      'page must be an integer from 0 to 2147483647; pages start at 0',
    ])
  })

  it('is filtered by status, proposer and text, and keeps the filter in its links', {
    tags: 'api:proposals-are-filtered',
  }, async () => {
    const { get } = await setup()
    const readIds = async (url: string) =>
      (await get(url)).items.map((item: { proposalId: string }) => Number(item.proposalId))
    expect(await readIds('/api/proposals?status=deposit_period')).toEqual([IN_DEPOSIT])
    expect(await readIds('/api/proposals?q=OBSERVATORY')).toEqual([CLOSED_VOTE])
    expect(await readIds('/api/proposals?q=%E6%8A%95%E7%A5%A8')).toEqual([OPEN_VOTE])
    const others = await get('/api/proposals?proposer=test1other&status=passed')
    expect(others.page.totalItems).toBe(40)
    expect(others.links.next).toBe('/api/proposals?status=passed&proposer=test1other&page=1')
    expect((await get('/api/proposals?q=nothing+like+it')).page).toMatchObject({
      totalItems: 0,
      totalPages: 0,
    })
  })

  it('can be paged by cursor without a gap or a repeat while new proposals arrive', async () => {
    const { get, commit } = await setup()
    const seen: number[] = []
    let url: string | null = '/api/proposals'
    for (let page = 0; url !== null; page++) {
      const list: { items: { proposalId: string }[]; page: { nextCursor: string | null } } =
        await get(url)
      seen.push(...list.items.map(({ proposalId }) => Number(proposalId)))
      const { nextCursor } = list.page
      url = nextCursor === null ? null : `/api/proposals?cursor=${nextCursor}`
      const height = STORY_HEIGHT + page + 1
      const id = 100 + page
      await commit({ height, proposals: [proposalRow(id, height)], marks: [{ id }] })
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, n) => 45 - n))
    expect((await get('/api/proposals')).items[0].proposalId).toBe('102')
  })
})

describe('a proposal', () => {
  it('matches its schema and includes page 0 of its votes, equal to the votes resource', {
    tags: 'api:detail-carries-votes',
  }, async () => {
    const { get } = await setup()
    for (const id of [OPEN_VOTE, CLOSED_VOTE, RESTARTED_VOTE, IN_DEPOSIT, OF_OLD]) {
      const proposal = await get(`/api/proposals/${id}`)
      expect(Compile(ProposalDetail).Errors(proposal)).toEqual([])
      expect(proposal.votes).toEqual(await get(`/api/proposals/${id}/votes`))
    }
  })

  it('has the turnout truncated to four places, rates without trailing zeros, and amounts as text', {
    tags: 'api:amounts-are-text',
  }, async () => {
    const { get } = await setup()
    const { tally, totalDeposit, updatedAt, votes } = await get(`/api/proposals/${OPEN_VOTE}`)
    expect(tally).toMatchObject({ turnout: '0.4312', quorum: '0.4', threshold: '0.5', yes: '4000' })
    expect(totalDeposit).toEqual([{ denom: 'utest', amount: '500000000' }])
    expect(updatedAt).toEqual({ height: 60 })
    // Powers have all of their 18 places.
    expect(votes.items[0]).toMatchObject({
      votingPower: '1.5',
      tally: { yes: '2.5', no: '2', abstain: '0', noWithVeto: '0.000000000000000001' },
      delegators: { ballots: 2, votingPower: '3', yes: '1', no: '2' },
    })
  })

  it('has null, never 0, for unknown values', { tags: 'api:unknown-is-null' }, async () => {
    const { get } = await setup()
    const old = await get(`/api/proposals/${OF_OLD}`)
    expect(old).toMatchObject({ submittedAt: null, closedTime: null, proposer: null })
    expect(old).toMatchObject({ history: 'partial', historyReason: expect.any(String) })
    expect(old.tally).toMatchObject({
      turnout: null,
      bondedTokens: null,
      poolsVoted: null,
      ballots: null,
      quorum: null,
      yes: '4000',
    })
    expect(await get(`/api/proposals/${OF_OLD}/proof?round=1`)).toMatchObject({
      code: 'proof-not-found',
      detail: expect.stringContaining('closed before the first height'),
    })
  })

  it('is as of the newest height while it is open, and as of its own last height after its close', {
    tags: 'api:pages-say-their-height',
  }, async () => {
    const { get, commit } = await setup()
    expect((await get(`/api/proposals/${OPEN_VOTE}`)).asOf).toEqual(NOW)
    await commit({ height: 120 })
    const now = { chainId: CHAIN_ID, height: 120, time: timeAt(120) }
    const open = await get(`/api/proposals/${OPEN_VOTE}`)
    expect([open.asOf, open.votes.asOf]).toEqual([now, now])
    const final = { chainId: CHAIN_ID, height: 50, time: timeAt(50) }
    const closed = await get(`/api/proposals/${CLOSED_VOTE}`)
    expect([closed.asOf, closed.votes.asOf]).toEqual([final, final])
  })

  it('is shown as closed at its final watermark, and not before', async () => {
    const { ask, commit, tables } = await setup()
    const closing = {
      height: 110,
      proposals: [proposalRow(OPEN_VOTE, 110, { status: 'passed', title: 'closed' })],
      tallies: [tallyRow(OPEN_VOTE, 110, { final: true, pool_rows: 250 })],
      marks: [{ id: OPEN_VOTE, final: true }],
    }
    await seedRows(tables, closing)
    // Another process, which has nothing in memory.
    const other = await createApiRig(tables)
    const open = (await other.ask(`/api/proposals/${OPEN_VOTE}`)).json()
    await other.close()
    expect(open).toMatchObject({ status: 'voting_period', asOf: NOW, tally: { final: false } })
    await replaceRows(tables)
    const early = await ask(`/api/proposals/${OPEN_VOTE}`)
    expect([early.status, early.json().code]).toEqual([503, 'settling'])
    expect(early.headers['retry-after']).toBe('1')
    await commit(closing)
    const after = await ask(`/api/proposals/${OPEN_VOTE}`)
    expect(after.json()).toMatchObject({ status: 'passed', asOf: { height: 110 } })
  })
})

describe('the votes on a proposal', () => {
  it('have a null vote if only delegators voted, and null for unknown powers', {
    tags: 'api:delegators-alone',
  }, async () => {
    const { get } = await setup()
    const { items } = await get(`/api/proposals/${OPEN_VOTE}/votes?page=2`)
    expect(items[48]).toMatchObject({ vote: null, votingPower: '1.5' })
    expect(items[49].vote).toMatchObject({ height: null, time: null, txHash: null })
    const unknown = { votingPower: null, bondedTokens: null, delegators: null, tally: null }
    expect(items[49]).toMatchObject(unknown)
  })

  it('are those of the current round, or with round=1 those before the restart', {
    tags: 'api:rounds-are-kept',
  }, async () => {
    const { get, ask } = await setup()
    const now = await get(`/api/proposals/${RESTARTED_VOTE}/votes`)
    expect(now.items.map(({ pool }: { pool: { moniker: string } }) => pool.moniker)).toEqual([
      'second round',
    ])
    const before = await get(`/api/proposals/${RESTARTED_VOTE}/votes?round=1`)
    expect(before.items).toHaveLength(3)
    expect(before.links.self).toBe(`/api/proposals/${RESTARTED_VOTE}/votes?round=1&page=0`)
    const never = await ask(`/api/proposals/${RESTARTED_VOTE}/votes?round=3`)
    expect([never.status, never.json().code]).toEqual([404, 'round-not-found'])
  })
})

describe('health', () => {
  it('is never ok far behind the chain, whatever the wait', {
    tags: 'api:health-is-true',
  }, async () => {
    const { get, commit } = await setup()
    const fresh = await get('/api/health')
    expect(Compile(Health).Errors(fresh)).toEqual([])
    expect(fresh).toMatchObject({ status: 'ok', chain: NOW, tip: STORY_HEIGHT + 1, lagEvents: 0 })
    const tip = STORY_HEIGHT + 445
    await commit({ height: STORY_HEIGHT + 1, tip })
    const health = await get('/api/health')
    expect(health).toMatchObject({ status: 'catching_up', behind: { heights: 444 } })
    expect(health.freshnessSeconds).toBeLessThan(10)
    const served = Date.parse(health.chain.time)
    expect(Math.abs(health.behind.seconds - (Date.now() - served) / 1_000)).toBeLessThan(60)

    await commit({ height: tip })
    expect(await get('/api/health')).toMatchObject({
      status: 'ok',
      behind: { heights: 0, seconds: 0 },
    })
  })

  const aMinuteAgo = () =>
    new Date(Date.now() - 60_000).toISOString().replace('T', ' ').replace('Z', '')

  it('is catching up while the oldest waiting height is old and heights advance', {
    tags: 'api:health-is-true',
  }, async () => {
    const { get, commit } = await setup()
    const checkpoint = { oldest_waiting_since: aMinuteAgo(), lag_events: '500' }
    await commit({ height: 101, checkpoint })
    const health = await get('/api/health')
    expect(health).toMatchObject({ status: 'catching_up', lagEvents: 500 })
    expect(health.freshnessSeconds).toBeGreaterThan(59)
  })

  it('is degraded after a long silence of the projections', async () => {
    const { get, commit } = await setup()
    await commit({ height: 102, checkpoint: { written_at: aMinuteAgo() } })
    expect((await get('/api/health')).status).toBe('degraded')
  })
})
