// A deployment that has not read all of the past, over a real ClickHouse: each page, Markdown answer and tool says so in one line.
import { expect, it } from 'vitest'
import { CLOSED_VOTE, OPEN_VOTE, STORY_HEIGHT, seedStory } from '../support/api/api-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { createFakeClock } from '../support/process/fake-clock.ts'
import { seedMarks, timeAt } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const PAGES = ['/', '/proposals', `/proposals/${OPEN_VOTE}`, '/pools', '/voters', '/status']
const TOOLS = ['list_proposals', 'list_pools', 'get_service_status']

/** Each `follow` is one commit, some time later. */
const setup = async () => {
  const clock = createFakeClock({ startMs: Date.parse(timeAt(STORY_HEIGHT)) })
  const rig = await createMcpRig(testStore.store, {}, clock)
  const follow = async (marks: Parameters<typeof seedMarks>[1], afterMs: number) => {
    clock.advance(afterMs)
    await seedMarks(testStore.store, marks)
    await rig.state.refresh()
  }
  const page = async (path: string, accept = 'text/html') =>
    (await rig.ask(path, { headers: { accept } })).text
  const tool = async (name: string, given = {}) => (await rig.call(name, given)).content[0].text
  const everything = new Map([
    ...PAGES.map((path) => [`HTML of ${path}`, () => page(path)] as const),
    ...PAGES.map((path) => [`Markdown of ${path}`, () => page(path, 'text/markdown')] as const),
    ...TOOLS.map((name) => [name, () => tool(name)] as const),
    ['an error', () => page('/proposals/999999')],
    ['a failed call', () => tool('get_proposal', { proposalId: '999999' })],
  ])
  /** What says the sentence, and what does not. */
  const find = async (sentence: string) => {
    const said: string[] = []
    const silent: string[] = []
    for (const [name, read] of everything) {
      if ((await read()).includes(sentence)) said.push(name)
      else silent.push(name)
    }
    return { said, silent }
  }
  const health = async () => (await rig.ask('/api/health')).json()
  return { follow, page, find, health }
}

it('says which height of how many is served, and how long the rest takes, until the tip is reached', async () => {
  const { follow, page, find, health } = await setup()
  const tip = STORY_HEIGHT + 1_000
  await follow({ height: STORY_HEIGHT + 100, tip }, 1_000)
  const first = `Height ${STORY_HEIGHT + 100} of ${tip}: later proposals and votes are still to come.`
  expect((await find(first)).silent).toEqual([])

  // Nine seconds for 300 heights, with 600 to come.
  await follow({ height: STORY_HEIGHT + 400, tip }, 9_000)
  const later = `Height ${STORY_HEIGHT + 400} of ${tip}, about 18 seconds left: later proposals and votes are still to come.`
  expect((await find(later)).silent).toEqual([])
  expect((await health()).catchUp).toEqual({
    of: 'heights',
    done: STORY_HEIGHT + 400,
    total: tip,
    secondsLeft: 18,
  })
  // A decided proposal misses nothing.
  expect(await page(`/proposals/${CLOSED_VOTE}`)).not.toContain('still to come')

  await follow({ height: tip, tip }, 18_000)
  expect((await find('still to come')).said).toEqual([])
  expect((await health()).catchUp).toBeNull()
})

it('says at the tip how many earlier votes are read, without those that no endpoint can show', async () => {
  const { follow, find } = await setup()
  const at = (done: number, height: number) => {
    const history = { at: STORY_HEIGHT, total: 12, done, unreachable: 2, reason: 'pruned' }
    return { height, checkpoint: { history: JSON.stringify(history) } }
  }
  const tip = STORY_HEIGHT + 1_001
  await follow(at(4, tip), 1_000)
  await follow(at(6, tip + 1), 10_000)
  const sentence =
    '6 of 10 earlier proposals, about 20 seconds left: the votes on the others are still to come.'
  expect((await find(sentence)).silent).toEqual([])
  await follow(at(10, tip + 2), 20_000)
  expect((await find('still to come')).said).toEqual([])
})
