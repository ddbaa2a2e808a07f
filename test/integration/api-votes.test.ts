// Tests of votes in the API with a real ClickHouse: pages by rank, rounds, exact powers, cursors.

import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { VotePage } from '../../api/schemas/vote.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { OPEN_VOTE, RESTARTED_VOTE, STORY_HEIGHT, seedStory } from '../support/api/api-story.ts'
import {
  poolVoteRow,
  replaceRows,
  seed,
  seedMarks,
  seedRows,
  tallyRow,
} from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore()

const setup = async () => {
  const { store } = testStore
  await seedStory(store)
  const rig = await createApiRig(store)
  const get = async (url: string) => (await rig.ask(url)).json()
  return { ...rig, get, tables: store }
}

describe('the votes on a proposal', () => {
  it('match their schema, 100 per page, by rank', async () => {
    const { get } = await setup()
    const sizes: number[] = []
    const ranks: number[] = []
    for (let page = 0; page < 4; page++) {
      const votes = await get(`/api/proposals/${OPEN_VOTE}/votes?page=${page}`)
      expect(Compile(VotePage).Errors(votes)).toEqual([])
      expect(votes.page).toMatchObject({ number: page, size: 100, totalItems: 250, totalPages: 3 })
      sizes.push(votes.items.length)
      ranks.push(...votes.items.map(({ rank }: { rank: number }) => rank))
    }
    expect(sizes).toEqual([100, 100, 50, 0])
    expect(ranks).toEqual(Array.from({ length: 250 }, (_, rank) => rank))
  })

  it('are read ahead: paging through all pages needs one query for votes', async () => {
    const { get, store } = await setup()
    await get(`/api/proposals/${OPEN_VOTE}/votes?page=0`)
    const { selects } = store
    await get(`/api/proposals/${OPEN_VOTE}/votes?page=1`)
    await get(`/api/proposals/${OPEN_VOTE}/votes?page=2`)
    expect(store.selects).toBe(selects)
  })

  it('are not shown while one of their rows is newer than the watermark', async () => {
    const { get, tables, state } = await setup()
    const height = STORY_HEIGHT + 10
    const row = poolVoteRow(OPEN_VOTE, 120, { height, yes_atto: '9999000000000000000000' })
    const commit = { height, poolVotes: [row], marks: [{ id: OPEN_VOTE }] }
    await seedRows(tables, commit)
    const before = await get(`/api/proposals/${OPEN_VOTE}/votes?page=1`)
    expect([before.items[20].tally.yes, before.asOf.height]).toEqual(['2.5', STORY_HEIGHT])
    await replaceRows(tables)
    const pending = get(`/api/proposals/${OPEN_VOTE}/votes?round=1&page=1`)
    await seedMarks(tables, commit)
    await state.refresh()
    const { items, asOf } = await pending
    expect([items[20].tally.yes, asOf.height]).toEqual(['9999', height])
  })

  it('have exact powers, up to 18 places', async () => {
    const { get } = await setup()
    const [first] = (await get(`/api/proposals/${OPEN_VOTE}/votes`)).items
    expect(first.votingPower).toBe('1.5')
    expect(first.tally).toEqual({
      yes: '2.5',
      no: '2',
      abstain: '0',
      noWithVeto: '0.000000000000000001',
    })
    expect(first.delegators).toMatchObject({ ballots: 2, votingPower: '3', yes: '1', no: '2' })
  })

  it('have a null vote if only delegators voted, and null for unknown powers', {
    tags: 'api:delegators-alone',
  }, async () => {
    const { get } = await setup()
    const { items } = await get(`/api/proposals/${OPEN_VOTE}/votes?page=2`)
    expect(items[48]).toMatchObject({ vote: null, votingPower: '1.5' })
    expect(items[49].vote).toMatchObject({ height: null, time: null, txHash: null })
    expect(items[49]).toMatchObject({
      votingPower: null,
      bondedTokens: null,
      delegators: null,
      tally: null,
    })
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

  it('are sorted by voting power over the whole vote for sort=power', async () => {
    const { get, tables, state } = await setup()
    const height = STORY_HEIGHT + 1
    const powers = {
      7: '2000000000000000000',
      130: '10000000000000000000',
      240: '9000000000000000000',
    }
    await seed(tables, {
      height,
      poolVotes: Object.entries(powers).map(([rank, voting_power_atto]) =>
        poolVoteRow(OPEN_VOTE, Number(rank), { height, voting_power_atto }),
      ),
      marks: [{ id: OPEN_VOTE }],
    })
    await state.refresh()
    const path = `/api/proposals/${OPEN_VOTE}/votes`
    const first = await get(`${path}?sort=power`)
    const ranks = first.items.map(({ rank }: { rank: number }) => rank)
    expect(ranks.slice(0, 5)).toEqual([130, 240, 7, 0, 1])
    expect(first.links.next).toBe(`${path}?sort=power&page=1`)
    const others: { rank: number; votingPower: string | null }[] = []
    for (let cursor = first.page.nextCursor; cursor !== null; ) {
      const page = await get(`${path}?sort=power&cursor=${cursor}`)
      others.push(...page.items)
      cursor = page.page.nextCursor
    }
    expect(new Set([...ranks, ...others.map(({ rank }) => rank)]).size).toBe(250)
    expect(others.at(-1)).toMatchObject({ rank: 249, votingPower: null })
  })

  it('have one URL for the default order, and refuse a cursor of the other order', async () => {
    const { get, ask } = await setup()
    const path = `/api/proposals/${OPEN_VOTE}/votes`
    const usual = await get(`${path}?page=0`)
    expect(await get(`${path}?sort=rank`)).toEqual(usual)
    const other = await ask(`${path}?sort=power&cursor=${usual.page.nextCursor}`)
    expect([other.status, other.json().code]).toEqual([400, 'invalid-parameter'])
    const unknown = await ask(`${path}?sort=size`)
    expect(unknown.json().detail).toBe('sort must be power (largest first) or rank (default)')
  })

  it('can be paged by cursor without a gap or a repeat while rows change and pools appear', async () => {
    const { get, tables, state } = await setup()
    const ranks: number[] = []
    let url: string | null = `/api/proposals/${OPEN_VOTE}/votes`
    for (let page = 1; url !== null; page++) {
      const votes: { items: { rank: number }[]; page: { nextCursor: string | null } } =
        await get(url)
      ranks.push(...votes.items.map(({ rank }) => rank))
      const { nextCursor } = votes.page
      url = nextCursor === null ? null : `/api/proposals/${OPEN_VOTE}/votes?cursor=${nextCursor}`
      const height = STORY_HEIGHT + page
      await seed(tables, {
        height,
        tallies: [tallyRow(OPEN_VOTE, height, { pool_rows: 250 + page })],
        poolVotes: [
          poolVoteRow(OPEN_VOTE, 0, { height, moniker: `changed ${page}` }),
          poolVoteRow(OPEN_VOTE, 249 + page, { height }),
        ],
        marks: [{ id: OPEN_VOTE }],
      })
      await state.refresh()
    }
    expect(ranks).toEqual(Array.from({ length: 252 }, (_, rank) => rank))
  })
})
