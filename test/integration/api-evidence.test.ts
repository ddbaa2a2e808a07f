// Tests of the evidence of a tally, with a real ClickHouse.
// It also tests what all lists other than the proposals refuse.
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { EvidencePage } from '../../api/schemas/evidence.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { useListsRig, walkPages } from '../support/api/lists-rig.ts'
import {
  BEFORE_VOTE,
  BIG_VOTE,
  BUSY,
  createVoter,
  EVIDENCE_BALLOTS,
  eventRow,
  evidenceEvents,
  FREQUENT,
  GOV_PARAMS,
  insertRows,
  LISTS_HEIGHT,
  SECOND_ROUND,
  TALLIED_VOTE,
} from '../support/api/lists-story.ts'
import { account } from '../support/simulator/addresses.ts'
import { proposalRow, seed, tallyRow } from '../support/store/read-model-seed.ts'

const setup = useListsRig()

const EVENTS = `/api/proposals/${TALLIED_VOTE}/events`
const BIG_EVENTS = `/api/proposals/${BIG_VOTE}/events`
const EVIDENCE = `/api/proposals/${TALLIED_VOTE}/evidence`
const LISTS = [
  EVENTS,
  BIG_EVENTS,
  EVIDENCE,
  `/api/proposals/${BIG_VOTE}/ballots`,
  '/api/pools',
  `/api/pools/${BUSY}/votes`,
  `/api/voters/${FREQUENT}/votes`,
]

describe('the evidence of a tally', () => {
  it('matches its schema: params, bonded total and pools first, then each voter', async () => {
    const { get } = await setup()
    const pages = await walkPages(get, EVIDENCE)
    for (const page of pages) {
      expect(Compile(EvidencePage).Errors(page)).toEqual([])
      expect(page).toMatchObject({ proposalId: `${TALLIED_VOTE}`, round: 1, strategy: 'inherit' })
      expect(page).toMatchObject({ complete: true, incompleteReason: null, asOf: { height: 50 } })
      expect(page.page).toEqual({ size: 1_000, totalItems: EVIDENCE_BALLOTS })
    }
    const [first, ...later] = pages
    expect(first).toMatchObject({ params: GOV_PARAMS, bondedTokens: '10000' })
    expect(first.pools.map(({ counted }: { counted: boolean }) => counted)).toEqual([
      false,
      true,
      true,
      true,
    ])
    for (const page of later) {
      for (const name of ['params', 'bondedTokens', 'pools']) expect(page).not.toHaveProperty(name)
    }
  })

  it('has every ballot once, in order, for any chunks in the log', async () => {
    const { get } = await setup()
    const pages = await walkPages(get, EVIDENCE)
    expect(pages.map(({ items }) => items.length)).toEqual([1_000, 1_000, 300])
    const ballots = pages.flatMap(({ items }) => items)
    const recorded = evidenceEvents(TALLIED_VOTE, 50).flatMap(
      ({ data }) => (data as unknown as { ballots: object[] }).ballots,
    )
    expect(ballots).toEqual(recorded)
    expect(ballots[0].voter).toBe(createVoter(0))
  })

  it('reports that it is incomplete, with the reason and the available counts', async () => {
    const { get, tables, state } = await setup({ changes: true })
    const [whole] = evidenceEvents(SECOND_ROUND, 102)
    const reason = 'the reads took longer than 120 s'
    const data = { chunks: 1, round: 2, complete: false, incompleteReason: reason }
    const ballots = [{ voter: createVoter(1), options: [], delegations: [] }]
    const event = { ...whole, data: { ...whole?.data, ...data, ballots } } as typeof whole
    await insertRows(tables, TABLES.events.name, event ? [eventRow(event)] : [])
    const closed = { status: 'rejected', closed_height: '102', round: 2 }
    await seed(tables, {
      height: 102,
      proposals: [proposalRow(SECOND_ROUND, 102, closed)],
      tallies: [tallyRow(SECOND_ROUND, 102, { round: 2, final: true, ballots: 2 })],
      marks: [{ id: SECOND_ROUND, final: true }],
    })
    await state.refresh()
    const evidence = await get(`/api/proposals/${SECOND_ROUND}/evidence`)
    expect(evidence).toMatchObject({ complete: false, incompleteReason: reason, round: 2 })
    expect([evidence.items.length, evidence.page.totalItems]).toEqual([1, 1])
    const earlier = await get(`/api/proposals/${SECOND_ROUND}/evidence?round=1`)
    expect(earlier).toMatchObject({ round: 1, items: [], complete: false, strategy: null })
    expect(earlier.incompleteReason).toBe('the log has no evidence of the tally')
  })

  it('is empty with the reason while the vote is open or if there was none, and 404 for other rounds', async () => {
    const { get, ask } = await setup()
    const empty = { items: [], complete: false, params: null, bondedTokens: null, pools: [] }
    const open = await get(`/api/proposals/${BIG_VOTE}/evidence`)
    expect(Compile(EvidencePage).Errors(open)).toEqual([])
    expect(open).toMatchObject({ ...empty, incompleteReason: 'the vote is still open' })
    const before = await get(`/api/proposals/${BEFORE_VOTE}/evidence`)
    expect(before).toMatchObject({ ...empty, round: 0, incompleteReason: 'there is no vote yet' })
    expectProblem(await ask(`${EVIDENCE}?round=2`), 404, 'round-not-found')
  })
})

describe('every list other than the proposals', () => {
  it('has an ETag with 304, the caching of its proposal, HEAD, CORS and asOf', async () => {
    const { ask } = await setup()
    for (const url of LISTS) {
      const answer = await ask(url)
      expect(answer.status, url).toBe(200)
      const etag = answer.headers['etag'] ?? ''
      expect((await ask(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
      const head = await ask(url, { method: 'HEAD' })
      expect([head.status, head.text, head.headers['etag']]).toEqual([200, '', etag])
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      const isFinal = url.includes(`/${TALLIED_VOTE}/`)
      expect(answer.headers['cache-control']).toMatch(isFinal ? /immutable/ : /max-age=1,/)
      expect(answer.json().asOf.height).toBe(isFinal ? 50 : LISTS_HEIGHT)
    }
  })

  it('is served from memory, with one read for concurrent requests', async () => {
    const { ask, store, tables } = await setup()
    for (const url of LISTS) {
      const alone = await createApiRig(tables)
      const start = alone.store.selects
      await alone.ask(url)
      const needed = alone.store.selects - start
      const { selects } = store
      await Promise.all(Array.from({ length: 10 }, () => ask(url)))
      expect(store.selects - selects, url).toBeLessThanOrEqual(needed)
    }
  })

  it('refuses other methods with 405 and supports preflight requests', async () => {
    const { ask } = await setup()
    for (const url of LISTS) {
      const refused = await ask(url, { method: 'POST' })
      expectProblem(refused, 405, 'method-not-allowed')
      expect(refused.headers['allow']).toBe('GET, HEAD, OPTIONS')
      expect((await ask(url, { method: 'OPTIONS' })).status).toBe(204)
    }
  })

  it('reports invalid parameters, also page if only cursors exist', async () => {
    const { ask } = await setup()
    for (const url of LISTS) {
      for (const query of ['cursor=abc', 'page=x', 'limit=5']) {
        const refused = await ask(`${url}?${query}`)
        expectProblem(refused, 400, 'invalid-parameter')
        expect(refused.json().errors[0].parameter).toBe(query.split('=')[0])
      }
    }
    expectProblem(await ask(`${EVENTS}?page=0`), 400, 'invalid-parameter')
    expectProblem(await ask(`${EVIDENCE}?round=0`), 400, 'invalid-parameter')
    expectProblem(await ask(`${EVENTS}?access_token=x`), 400, 'token-not-in-header')
  })

  it('refuses the cursor of another list or vote', async () => {
    const { get, ask } = await setup()
    const cursorIn = (url: string) => new URL(url, 'http://x').searchParams.get('cursor')
    const cursors = [
      cursorIn((await get(`/api/proposals/${BIG_VOTE}/ballots`)).links.next),
      cursorIn((await get(BIG_EVENTS)).links.next),
      cursorIn((await get(EVIDENCE)).links.next),
      (await get('/api/pools')).page.nextCursor,
      (await get(`/api/pools/${BUSY}/votes`)).page.nextCursor,
      (await get(`/api/voters/${FREQUENT}/votes`)).page.nextCursor,
    ]
    expect(new Set(cursors).size).toBe(6)
    for (const url of LISTS) {
      const answers = await Promise.all(cursors.map((cursor) => ask(`${url}?cursor=${cursor}`)))
      const taken = answers.filter(({ status }) => status === 200)
      expect(taken.length, url).toBeLessThanOrEqual(1)
      for (const answer of answers.filter(({ status }) => status !== 200)) {
        expectProblem(answer, 400, 'invalid-parameter')
      }
    }
  })

  it('returns 400 for invalid IDs and addresses, also for a wrong checksum, without a query', async () => {
    const { ask, store } = await setup()
    // The prefixes of addresses, which a refusal names, are read once.
    await ask('/api/pools/x/votes')
    const { selects } = store
    for (const list of ['ballots', 'events', 'evidence']) {
      expectProblem(await ask(`/api/proposals/x/${list}`), 400, 'invalid-parameter')
      expectProblem(await ask(`/api/proposals/9999/${list}`), 404, 'proposal-not-found')
      const moved = await ask(`/api/proposals/007/${list}`)
      expect([moved.status, moved.headers['location']]).toEqual([308, `/api/proposals/7/${list}`])
    }
    const slip = account('alice').replace(/.$/, (last) => (last === 'q' ? 'p' : 'q'))
    for (const address of ['x', slip, 'cosmos1Qq', '%F0%9F%97%B3', 'a'.repeat(300)]) {
      const pool = await ask(`/api/pools/${address}/votes`)
      expectProblem(pool, 400, 'invalid-parameter')
      expect(pool.json().errors[0].parameter).toBe('operatorAddress')
      const voter = await ask(`/api/voters/${address}/votes`)
      expectProblem(voter, 400, 'invalid-parameter')
      expect(voter.json().errors[0].parameter).toBe('address')
    }
    const path = `/api/voters/${FREQUENT}/votes`
    const { status, headers } = await ask(path.replace(FREQUENT, FREQUENT.toUpperCase()))
    expect([status, headers['location']]).toEqual([308, path])
    expect(store.selects).toBe(selects)
  })
})
