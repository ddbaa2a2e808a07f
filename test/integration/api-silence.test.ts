// A chain without new blocks, over a real ClickHouse: every answer about the present says since when, and none counts down.
import { expect, it } from 'vitest'
import { OPEN_VOTE, RESTARTED_VOTE, STORY_HEIGHT, seedStory } from '../support/api/api-story.ts'
import { poolRow } from '../support/api/lists-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { createFakeClock } from '../support/process/fake-clock.ts'
import { seed, seedMarks, seedRows, tallyRow, timeAt } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const LAST = timeAt(STORY_HEIGHT)
const SENTENCE = `No new block since ${LAST.slice(0, 19).replace('T', ' ')} UTC`
const HOUR_MS = 3_600_000

const setup = async (elapsedMs: number) => {
  const clock = createFakeClock({ startMs: Date.parse(LAST) })
  const rig = await createMcpRig(testStore.store, {}, clock)
  clock.advance(elapsedMs)
  const page = async (path: string, accept = 'text/html') =>
    (await rig.ask(path, { headers: { accept } })).text
  const health = async () => (await rig.ask('/api/health')).json()
  const tool = async (name: string) => (await rig.call(name, {})).content[0].text
  return { ...rig, clock, page, health, tool }
}

it('a chain without a block for an hour is announced by health, pages, Markdown and tools', {
  tags: 'api:silence-is-said',
}, async () => {
  const { page, health, tool } = await setup(HOUR_MS)
  expect(await health()).toMatchObject({ status: 'degraded', noBlockSince: LAST })
  for (const path of ['/', '/proposals', `/proposals/${OPEN_VOTE}`, '/status']) {
    expect(await page(path)).toContain(SENTENCE)
    expect(await page(path, 'text/markdown')).toContain(SENTENCE)
  }
  for (const name of ['list_proposals', 'get_service_status'])
    expect(await tool(name)).toContain(SENTENCE)
})

it('the notice appears while the service runs, and ends with the next block', async () => {
  const { page, health, clock, state } = await setup(1_000)
  expect((await health()).noBlockSince).toBeNull()
  expect(await page('/')).toContain('class="left"')
  clock.advance(HOUR_MS)
  expect(await page('/')).toContain(SENTENCE)
  expect(await page('/')).not.toContain('class="left"')
  await seedMarks(testStore.store, { height: STORY_HEIGHT + 1 })
  await state.refresh()
  expect((await health()).noBlockSince).toBeNull()
  expect(await page('/')).not.toContain('No new block')
})

it('a vote is missing in the gauges only at the tip: a silent node never makes one missing', {
  tags: 'api:not-voted-is-known',
}, async () => {
  const pool = (rank: number) =>
    poolRow(`testvaloper1${rank}`, '1000', { moniker: `pool "${rank}"` })
  // 248 has a row without a vote of its own, and 999 none.
  await seedRows(testStore.store, { height: STORY_HEIGHT, pools: [0, 248, 999].map(pool) })
  const { ask, clock, state } = await setup(0)
  const read = async () => {
    const { status, headers, text } = await ask('/api/metrics/governance?pools=bonded')
    expect([status, headers['content-type']]).toEqual([200, expect.stringContaining('text/plain')])
    return text
  }
  const voted = (text: string, id = OPEN_VOTE) =>
    [...text.matchAll(/^rollcall_pool_voted\{(.*)\} ([01])$/gm)]
      .filter(([, labels]) => labels?.includes(`proposal_id="${id}"`))
      .map(([, labels, value]) => `${/testvaloper1\d+/.exec(labels ?? '')} ${value}`)
      .sort()
  const current = await read()
  expect(voted(current)).toEqual(['testvaloper10 1', 'testvaloper1248 0', 'testvaloper1999 0'])
  // The pools of this vote have not been read yet.
  expect(voted(current, RESTARTED_VOTE)).toEqual(['testvaloper10 1'])
  expect(current).toMatch(/^rollcall_governance_current\{chain_id="[^"]+"\} 1$/m)
  expect(current).toContain('moniker="pool \\"0\\""')
  clock.advance(HOUR_MS)
  const silent = await read()
  expect(voted(silent)).toEqual(['testvaloper10 1'])
  expect(silent).toMatch(/^rollcall_governance_current\{.*\} 0$/m)
  const height = STORY_HEIGHT + 2
  const votes = { pool_rows: 250, pools_voted: null, stake_height: '1' }
  const unread = tallyRow(OPEN_VOTE, height, votes)
  await seed(testStore.store, { height, tallies: [unread], marks: [{ id: OPEN_VOTE }] })
  await state.refresh()
  const lacking = await read()
  expect(lacking).toMatch(/^rollcall_governance_current\{.*\} 1$/m)
  expect(voted(lacking)).toEqual(['testvaloper10 1'])
})
