// Tests of the events of a proposal and of the evidence of its tally, with a real ClickHouse.
import { createHash } from 'node:crypto'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { EvidencePage } from '../../api/schemas/evidence.ts'
import { expectProblem, walkPages } from '../support/api/api-rig.ts'
import {
  BEFORE_VOTE,
  BIG_VOTE,
  createEvent,
  createVoter,
  EVIDENCE_BALLOTS,
  eventRow,
  evidenceEvents,
  GOV_PARAMS,
  LISTS_HEIGHT,
  SECOND_ROUND,
  TALLIED_VOTE,
  useListsRig,
} from '../support/api/lists-story.ts'
import { proposalRow, seedRows, tallyRow } from '../support/store/read-model-seed.ts'

const setup = useListsRig()

const EVENTS = `/api/proposals/${TALLIED_VOTE}/events`
const BIG_EVENTS = `/api/proposals/${BIG_VOTE}/events`
const EVIDENCE = `/api/proposals/${TALLIED_VOTE}/evidence`

describe('the events of a proposal', () => {
  it('have exactly the bytes of the log', { tags: 'api:events-are-unchanged' }, async () => {
    const { ask, commit } = await setup({ changes: true })
    const event = createEvent('proposal.deposited', {
      height: 101,
      index: 1,
      proposalId: BEFORE_VOTE,
    })
    const text = `{ "odd" : "spacing \\u0041 投票", ${JSON.stringify(event).slice(1)}`
    await commit({ height: 101, events: [eventRow(event, text)], marks: [{ id: BEFORE_VOTE }] })
    const answer = await ask(`/api/proposals/${BEFORE_VOTE}/events`)
    expect(answer.text).toContain(`{"items":[${text}],`)
  })

  it('are not kept for long while a later state may complete a final proposal', {
    tags: 'ingest:late-reads',
  }, async () => {
    const { ask, commit } = await setup({ changes: true })
    const readCaching = async (height: number, awaits: boolean) => {
      await commit({ height, marks: [{ id: TALLIED_VOTE, final: true, awaits }] })
      const { status, headers } = await ask(EVENTS)
      return [status, headers['cache-control']]
    }
    const short = 'public, max-age=1, stale-while-revalidate=30'
    expect(await readCaching(101, true)).toEqual([200, short])
    expect(await readCaching(102, false)).toEqual([200, 'public, max-age=86400, immutable'])
  })

  it('exist once each, however often the log repeats them, when their height is complete', async () => {
    const { get, commit, tables } = await setup({ changes: true })
    const vote = { index: 7, proposalId: BIG_VOTE }
    const repeated = eventRow(createEvent('vote.cast', { height: 60, ...vote }))
    const later = eventRow(createEvent('vote.cast', { height: 101, ...vote }))
    await seedRows(tables, { height: 101, events: [repeated, repeated, later] })
    const readAll = async () => {
      const pages = await walkPages(get, BIG_EVENTS)
      return [pages[0].page.totalItems, pages.flatMap(({ items }) => items).length]
    }
    expect(await readAll()).toEqual([250, 250])
    await commit({ height: 101, marks: [{ id: BIG_VOTE }] })
    expect(await readAll()).toEqual([251, 251])
  })

  it.each([
    ['at most 1 MiB', 400_000, { name: 'x', filler: expect.stringMatching(/^x+…$/) }],
    ['more than 1 MiB', 3_000_000, {}],
  ])(
    'are shortened above 64 KiB in every format, and whole at their own URL: %s',
    {
      tags: 'api:events-are-unchanged',
    },
    async (_, length, shortened) => {
      const { ask, get, commit } = await setup({ changes: true })
      const event = createEvent('proposal.deposited', {
        height: 101,
        index: 1,
        proposalId: BEFORE_VOTE,
        data: { name: 'x', filler: 'x'.repeat(length) },
      })
      const text = `{ "odd" : "spacing \u0041 投票", ${JSON.stringify(event).slice(1)}`
      await commit({ height: 101, events: [eventRow(event, text)], marks: [{ id: BEFORE_VOTE }] })
      const list = `/api/proposals/${BEFORE_VOTE}/events`
      const [listed] = (await get(list)).items
      const wholeAt = `${list}/101/1`
      const { data, ...envelope } = event
      expect(listed).toMatchObject({ ...envelope, odd: 'spacing A 投票' })
      expect(listed.data).toMatchObject({ ...shortened, truncated: true, wholeAt })
      for (const accept of ['application/json', 'application/x-ndjson', 'text/csv']) {
        const page = await ask(list, { headers: { accept } })
        expect([accept, page.status, page.bytes.length < 2 * 2 ** 16]).toEqual([accept, 200, true])
      }
      const whole = await ask(wholeAt)
      expect(whole.text).toBe(text)
      expect(whole.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-length': `${Buffer.byteLength(text)}`,
        'cache-control': 'public, max-age=86400, immutable',
        etag: `"${createHash('sha256').update(text).digest('hex')}"`,
      })
      const again = await ask(wholeAt, { headers: { 'if-none-match': `${whole.headers['etag']}` } })
      expect([again.status, again.text]).toEqual([304, ''])
    },
  )

  it('are all listed if their bytes end a page', async () => {
    const { get, commit } = await setup({ changes: true })
    const events = [1, 2, 3].map((index) => {
      const data = { filler: 'x'.repeat(600_000) }
      const at = { height: 101, index, proposalId: BEFORE_VOTE, data }
      return eventRow(createEvent('proposal.deposited', at))
    })
    await commit({ height: 101, events, marks: [{ id: BEFORE_VOTE }] })
    const pages = await walkPages(get, `/api/proposals/${BEFORE_VOTE}/events`)
    expect(pages.map(({ items }) => items.length)).toEqual([2, 1])
  })

  it('each have a URL that refuses other heights and indexes', async () => {
    const { ask, get } = await setup()
    const { height, index } = (await get(BIG_EVENTS)).items[0]
    expect((await ask(`${BIG_EVENTS}/${height}/${index}`)).json()).toMatchObject({ height, index })
    for (const at of [
      `${height}/999`,
      `${LISTS_HEIGHT + 1}/0`,
      '9999999999/9999999999',
      // A position is a height and an index: this one would be that of the event.
      `${height - 1}/${2 ** 32 + index}`,
    ]) {
      expectProblem(await ask(`${BIG_EVENTS}/${at}`), 404, 'event-not-found')
    }
    expectProblem(await ask(`${EVENTS}/${height}/${index + 200}`), 404, 'event-not-found')
  })
})

describe('the evidence of a tally', () => {
  it('has params, bonded total and pools first, and each ballot once, in order, for any chunks in the log', async () => {
    const { get } = await setup()
    const pages = await walkPages(get, EVIDENCE)
    for (const page of pages) {
      expect(Compile(EvidencePage).Errors(page)).toEqual([])
      expect(page).toMatchObject({ complete: true, incompleteReason: null, asOf: { height: 50 } })
      expect(page.page).toEqual({ size: 1_000, totalItems: EVIDENCE_BALLOTS })
    }
    const [first, ...later] = pages
    expect(first).toMatchObject({ params: GOV_PARAMS, bondedTokens: '10000' })
    const counted = first.pools.map((pool: { counted: boolean }) => pool.counted)
    expect(counted).toEqual([false, true, true, true])
    for (const page of later) {
      for (const name of ['params', 'bondedTokens', 'pools']) expect(page).not.toHaveProperty(name)
    }
    const recorded = evidenceEvents(TALLIED_VOTE, 50).flatMap(
      ({ data }) => (data as unknown as { ballots: object[] }).ballots,
    )
    expect(pages.flatMap(({ items }) => items)).toEqual(recorded)
  })

  it('reports that it is incomplete, with the reason and the available counts', async () => {
    const { get, commit } = await setup({ changes: true })
    const [whole] = evidenceEvents(SECOND_ROUND, 102)
    const reason = 'the reads took longer than 120 s'
    const data = { chunks: 1, round: 2, complete: false, incompleteReason: reason }
    const ballots = [{ voter: createVoter(1), options: [], delegations: [] }]
    const event = { ...whole, data: { ...whole?.data, ...data, ballots } } as typeof whole
    const closed = { status: 'rejected', closed_height: '102', round: 2 }
    await commit({
      height: 102,
      events: event ? [eventRow(event)] : [],
      proposals: [proposalRow(SECOND_ROUND, 102, closed)],
      tallies: [tallyRow(SECOND_ROUND, 102, { round: 2, final: true, ballots: 2 })],
      marks: [{ id: SECOND_ROUND, final: true }],
    })
    const evidence = await get(`/api/proposals/${SECOND_ROUND}/evidence`)
    expect(evidence).toMatchObject({ complete: false, incompleteReason: reason, round: 2 })
    expect([evidence.items.length, evidence.page.totalItems]).toEqual([1, 1])
    const earlier = await get(`/api/proposals/${SECOND_ROUND}/evidence?round=1`)
    expect(earlier).toMatchObject({ round: 1, items: [], complete: false, strategy: null })
    expect(earlier.incompleteReason).toBe('the log has no evidence of the tally')
  })
})
