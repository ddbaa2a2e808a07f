// Tests of the events of a proposal: the list, and one event whole, with a real ClickHouse.
import { createHash } from 'node:crypto'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { EventPage } from '../../api/schemas/evidence.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import { expectProblem } from '../support/api/api-rig.ts'
import { useListsRig, walkPages } from '../support/api/lists-rig.ts'
import {
  BEFORE_VOTE,
  BIG_VOTE,
  createEvent,
  eventRow,
  insertRows,
  LISTS_HEIGHT,
  TALLIED_VOTE,
} from '../support/api/lists-story.ts'
import { seed } from '../support/store/read-model-seed.ts'

const setup = useListsRig()

const EVENTS = `/api/proposals/${TALLIED_VOTE}/events`
const BIG_EVENTS = `/api/proposals/${BIG_VOTE}/events`

describe('the events of a proposal', () => {
  it('match their schema, 100 per page, in order, only those of the proposal', async () => {
    const { get } = await setup()
    const pages = await walkPages(get, BIG_EVENTS)
    for (const page of pages) expect(Compile(EventPage).Errors(page)).toEqual([])
    expect(pages.map(({ items }) => items.length)).toEqual([100, 100, 50])
    expect(pages[0].page).toEqual({ size: 100, totalItems: 250 })
    const indexes = pages.flatMap(({ items }) => items.map(({ index }: { index: number }) => index))
    expect(indexes).toEqual(Array.from({ length: 250 }, (_, n) => n + 1))
    const types = (await get(EVENTS)).items.map(({ type }: { type: string }) => type)
    expect(types).toEqual([
      'rollcall.proposal.submitted.v1',
      'rollcall.proposal.deposited.v1',
      'rollcall.proposal.closed.v1',
      ...Array(5).fill('rollcall.round.read.v1'),
    ])
  })

  it('have exactly the bytes of the log', { tags: 'api:events-are-unchanged' }, async () => {
    const { ask, tables, state } = await setup({ changes: true })
    const event = createEvent('proposal.deposited', {
      height: 101,
      index: 1,
      proposalId: BEFORE_VOTE,
    })
    const text = `{ "odd" : "spacing \\u0041 投票", ${JSON.stringify(event).slice(1)}`
    await insertRows(tables, TABLES.events.name, [eventRow(event, text)])
    await seed(tables, { height: 101, marks: [{ id: BEFORE_VOTE }] })
    await state.refresh()
    const answer = await ask(`/api/proposals/${BEFORE_VOTE}/events`)
    expect(answer.text).toContain(`{"items":[${text}],`)
  })

  it('are not kept for long while a later state may complete a final proposal', {
    tags: 'ingest:late-reads',
  }, async () => {
    const { ask, tables, state } = await setup({ changes: true })
    const readCaching = async (height: number, awaits: boolean) => {
      await seed(tables, { height, marks: [{ id: TALLIED_VOTE, final: true, awaits }] })
      await state.refresh()
      const { status, headers } = await ask(EVENTS)
      return [status, headers['cache-control']]
    }
    const short = 'public, max-age=1, stale-while-revalidate=30'
    expect(await readCaching(101, true)).toEqual([200, short])
    expect(await readCaching(102, false)).toEqual([200, 'public, max-age=86400, immutable'])
  })

  it('exist once each, however often the log repeats them', async () => {
    const { get, tables } = await setup({ changes: true })
    const repeated = createEvent('vote.cast', { height: 60, index: 7, proposalId: BIG_VOTE })
    await insertRows(tables, TABLES.events.name, [eventRow(repeated), eventRow(repeated)])
    const pages = await walkPages(get, BIG_EVENTS)
    expect(pages[0].page.totalItems).toBe(250)
    expect(pages.flatMap(({ items }) => items)).toHaveLength(250)
  })

  it('appear when their height is complete, and then count', async () => {
    const { get, tables, state } = await setup({ changes: true })
    await get(BIG_EVENTS)
    const event = createEvent('vote.cast', { height: 101, index: 1, proposalId: BIG_VOTE })
    await insertRows(tables, TABLES.events.name, [eventRow(event)])
    const total = async () => (await get(BIG_EVENTS)).page.totalItems
    expect(await total()).toBe(250)
    await seed(tables, { height: 101, marks: [{ id: BIG_VOTE }] })
    await state.refresh()
    expect(await total()).toBe(251)
  })

  it('are fewer per page if they are large, and at least one', async () => {
    const { get, tables, state } = await setup({ changes: true })
    const large = [1, 2, 3, 4].map((index) =>
      createEvent('proposal.deposited', {
        height: 101,
        index,
        proposalId: BEFORE_VOTE,
        data: { filler: 'x'.repeat(index === 3 ? 3_000_000 : 400_000) },
      }),
    )
    const rows = large.map((event) => eventRow(event))
    await insertRows(tables, TABLES.events.name, rows)
    await seed(tables, { height: 101, marks: [{ id: BEFORE_VOTE }] })
    await state.refresh()
    const pages = await walkPages(get, `/api/proposals/${BEFORE_VOTE}/events`)
    expect(pages.map(({ items }) => items.length)).toEqual([3, 1])
    expect(pages.map(({ page }) => page)).toEqual(Array(2).fill({ size: 100, totalItems: 4 }))
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
      const { ask, get, tables, state } = await setup({ changes: true })
      const event = createEvent('proposal.deposited', {
        height: 101,
        index: 1,
        proposalId: BEFORE_VOTE,
        data: { name: 'x', filler: 'x'.repeat(length) },
      })
      const text = `{ "odd" : "spacing \u0041 投票", ${JSON.stringify(event).slice(1)}`
      await insertRows(tables, TABLES.events.name, [eventRow(event, text)])
      await seed(tables, { height: 101, marks: [{ id: BEFORE_VOTE }] })
      await state.refresh()
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
    for (const at of ['x/1', '01/1', '1/01', '1/-1', '1/1?page=1']) {
      expectProblem(await ask(`${BIG_EVENTS}/${at}`), 400, 'invalid-parameter')
    }
    expectProblem(await ask('/api/proposals/7777/events/1/1'), 404, 'proposal-not-found')
  })
})
