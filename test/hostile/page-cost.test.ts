// Page numbers and cursors cannot cause queries for missing pages or repeated queries.
import { toBech32 } from '@cosmjs/encoding'
import { afterEach, describe, expect, it } from 'vitest'
import { proposalBallots } from '../../api/resources/ballots.ts'
import { proposalEvents } from '../../api/resources/events.ts'
import { proposals } from '../../api/resources/proposals.ts'
import { voterVotes } from '../../api/resources/records.ts'
import { proposalVotes } from '../../api/resources/votes.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { CLOSED_VOTE, OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { useTestStore } from '../support/store/test-store.ts'
import { watchStore } from '../support/store/watched-store.ts'

const testStore = useTestStore(seedStory)

type Rig = Awaited<ReturnType<typeof createApiRig>>
let rig: Rig | undefined
afterEach(() => rig?.close())

const setup = async () => {
  const store = watchStore(testStore.store)
  rig = await createApiRig(store)
  return { rig, store }
}

const readCacheBytes = async ({ metrics }: Rig): Promise<number> =>
  Number(/page_cache_bytes (\d+)/.exec(await metrics.registry.metrics())?.[1])

const BROWSER = { headers: { accept: 'text/html' } }
const VOTER = toBech32('test', new Uint8Array(20))

describe('a page past the end', () => {
  it.each([
    ['/api/proposals?q=proposal', {}],
    [`/api/proposals/${OPEN_VOTE}/votes`, {}],
    [`/api/voters/${VOTER}/votes`, {}],
    ['/proposals', BROWSER],
    [`/proposals/${OPEN_VOTE}`, BROWSER],
  ])(
    'of %s is empty or leads to the last one, and costs no query and no memory after the list is cached',
    async (path, options) => {
      const { rig, store } = await setup()
      const pageAt = (page: number) =>
        rig.ask(`${path}${path.includes('?') ? '&' : '?'}page=${page}`, options)
      expect((await pageAt(0)).status).toBe(200)
      const before = store.queries.length
      const bytesBefore = await readCacheBytes(rig)
      for (let n = 0; n < 20; n++) {
        const answer = await pageAt(1_000 + n)
        expect(answer.status).toBe(path.startsWith('/api') ? 200 : 303)
        if (path.startsWith('/api')) expect(answer.json().items).toEqual([])
        else expect(answer.headers.location).toMatch(/\?page=\d$/)
      }
      expect((await pageAt(2 ** 31 - 1)).status).toBe(path.startsWith('/api') ? 200 : 303)
      expect(store.queries.slice(before)).toEqual([])
      expect(await readCacheBytes(rig)).toBe(bytesBefore)
    },
  )
})

describe("a proposal's HTML page", () => {
  it.each([CLOSED_VOTE, OPEN_VOTE])(
    'of proposal %i computes turnout, powers and non-voting pools once for all clients',
    async (id) => {
      const { rig, store } = await setup()
      const urls = Array.from({ length: 30 }, (_, page) => `/proposals/${id}?page=${page}`)
      const again = [`/proposals/${id}`, `/proposals/${id}?round=1`, `/proposals/${id}?page=00`]
      const answers = await Promise.all([...urls, ...again].map((url) => rig.ask(url, BROWSER)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 303]))
      expect(answers[0]?.status).toBe(200)
      const turnout = store.queries.filter((sql) => sql.includes('is_ballot'))
      const silent = store.queries.filter((sql) =>
        /missed_votes|status = 'bonded' AND NOT jailed AND counted/.test(sql),
      )
      expect([turnout.length, silent.length]).toEqual([1, 1])
    },
  )
})

const GENERATION = 1
const OPEN = { proposalId: `${OPEN_VOTE}` }
const votesAt = (position: string) => proposalVotes.cursorAt(OPEN, position, GENERATION)
const ballotsAt = (position: string) => proposalBallots.cursorAt(OPEN, position, GENERATION)
const eventsAt = (position: string) => proposalEvents.cursorAt(OPEN, position, GENERATION)
const proposalsAt = (position: string) => proposals.cursorAt({}, position, GENERATION)
const voterAt = (position: string) => voterVotes.cursorAt({ address: VOTER }, position, GENERATION)

const FORGED: readonly (readonly [string, string, string])[] = [
  ['with a leading zero', `/api/proposals/${OPEN_VOTE}/votes`, votesAt('0100')],
  ['past the last row', `/api/proposals/${OPEN_VOTE}/votes`, votesAt('99900')],
  ['between two pages', `/api/proposals/${OPEN_VOTE}/ballots`, ballotsAt('17')],
  ['of many zeros', `/api/proposals/${OPEN_VOTE}/events`, eventsAt('0'.repeat(19))],
  ['below an unknown proposal', '/api/proposals', proposalsAt('4711')],
  ['after a row that is not there', `/api/voters/${VOTER}/votes`, voterAt('44~1~7')],
]

describe('a cursor that was not issued', () => {
  it.each(FORGED)(
    '%s of %s is refused with 400',
    { tags: 'api:forged-cursors-cost-nothing' },
    async (_what, path, forged) => {
      const { rig } = await setup()
      expectProblem(await rig.ask(`${path}?cursor=${forged}`), 400, 'invalid-parameter')
    },
  )

  it('is rejected if it is another encoding of an issued one', {
    tags: 'api:forged-cursors-cost-nothing',
  }, async () => {
    const { rig } = await setup()
    const first = await rig.ask(`/api/proposals/${OPEN_VOTE}/votes`)
    const issued: string = first.json().page.nextCursor
    const url = (text: string) => `/api/proposals/${OPEN_VOTE}/votes?cursor=${text}`
    expect((await rig.ask(url(issued))).status).toBe(200)
    // The last character of base64 has unused bits.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const twins = [...alphabet]
      .map((last) => `${issued.slice(0, -1)}${last}`)
      .filter((text) => text !== issued)
      .filter((text) => Buffer.from(text, 'base64url').equals(Buffer.from(issued, 'base64url')))
    const zeros = Buffer.from(issued, 'base64url').toString().replace(/^1\./, '01.')
    for (const text of [...twins, Buffer.from(zeros).toString('base64url')]) {
      expectProblem(await rig.ask(url(text)), 400, 'invalid-parameter')
    }
  })

  it.each([
    ['events', eventsAt],
    // Tools issue cursors after any row.
    ['votes', votesAt],
  ])(
    'of %s leaves nothing in memory',
    {
      tags: 'api:forged-cursors-cost-nothing',
    },
    async (list, cursorAt) => {
      const { rig } = await setup()
      const path = `/api/proposals/${OPEN_VOTE}/${list}`
      await rig.ask(path)
      const before = await readCacheBytes(rig)
      for (let n = 1; n <= 50; n++) {
        const forged = cursorAt(`${n}`)
        expect((await rig.ask(`${path}?cursor=${forged}`)).status).toBe(200)
      }
      expect(await readCacheBytes(rig)).toBe(before)
    },
  )
})
