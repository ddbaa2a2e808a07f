// Tests of readers during a rebuild and a switch: no error, no mixed pages, no gap, and valid cursors.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { rebuild, type Step, switchGeneration } from '../../projections/rebuild/rebuild.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { createLog, type RebuildRig, startRebuildRig, until } from '../support/fold/rebuild-rig.ts'
import type { Answer } from '../support/http/inject.ts'
import { toLogEntry } from '../support/log/governance-events.ts'
import { generateStory } from '../support/log/governance-story.ts'

let rig: RebuildRig
const controller = new AbortController()
beforeAll(async () => {
  rig = await startRebuildRig()
})
beforeEach(() => rig.clear())
afterAll(async () => {
  controller.abort()
  await rig?.stop()
})

const POOLS = 250
const LIST = '/api/proposals'
const story = generateStory({ seed: 3, heights: 110, pools: POOLS, voters: 30 })

const startApi = async () => {
  const api = await createApiRig(rig.store, {}, rig.clock)
  void api.state.follow(controller.signal)
  return api
}
type Rig = Awaited<ReturnType<typeof startApi>>

/** Rows of generation 2 are marked in every column that the readers below check. */
const mark = async (step: Step): Promise<void> => {
  if (step.kind !== 'built') return
  const database = toDatabaseName(step.generation, rig.control)
  const change = async (table: string, column: string) => {
    await rig.store.command(
      `ALTER TABLE ${database}.${table} UPDATE ${column} = concat('second ', ${column}) WHERE true SETTINGS mutations_sync = 1`,
    )
  }
  await change('pool_votes', 'moniker')
  await change('proposals', 'title')
}

type Item = {
  rank?: number
  proposalId?: string
  title?: string
  pool?: { moniker: string }
}
const readGeneration = ({ title, pool }: Item): 1 | 2 =>
  (title ?? pool?.moniker ?? '').startsWith('second ') ? 2 : 1

/** The generation of all these rows. It must be the same. */
const only = (items: readonly Item[]): 1 | 2 => {
  const seen = new Set(items.map(readGeneration))
  expect([...seen], 'rows of one generation').toHaveLength(1)
  return [...seen][0] as 1 | 2
}

const readPage = (answer: Answer, url: string) => {
  expect([url, answer.status]).toEqual([url, 200])
  return answer.json() as {
    items: Item[]
    page: { totalItems: number; nextCursor: string | null; totalPages: number }
  }
}

/** From the first page to the last by cursor. All pages are of one generation. */
const walkByCursor = async ({ ask }: Rig, path: string, count: () => void) => {
  const items: Item[] = []
  let url = path
  for (;;) {
    const { items: pageItems, page } = readPage(await ask(url), url)
    count()
    items.push(...pageItems)
    if (page.nextCursor === null) {
      expect(items).toHaveLength(page.totalItems)
      return { items, generation: only(items) }
    }
    // A reader pauses on each page.
    await new Promise((resolve) => setTimeout(resolve, 15))
    url = `${path}?cursor=${page.nextCursor}`
  }
}

/** By page number: each page is of one generation, and together they have every row once. */
const walkByNumber = async ({ ask }: Rig, path: string, count: () => void) => {
  const items: Item[] = []
  for (let number = 0; ; number++) {
    const url = `${path}?page=${number}`
    const { items: pageItems, page } = readPage(await ask(url), url)
    count()
    if (pageItems.length > 0) only(pageItems)
    items.push(...pageItems)
    if (number + 1 >= page.totalPages) {
      expect(items).toHaveLength(page.totalItems)
      return items
    }
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

const mostVoted = async (): Promise<string> => {
  const [row] = await rig.store.select<{ proposal_id: string }>(
    `SELECT proposal_id FROM ${toDatabaseName(1, rig.control)}.pool_votes FINAL WHERE round = 1
     GROUP BY proposal_id ORDER BY count() DESC, proposal_id LIMIT 1`,
  )
  return row?.proposal_id ?? ''
}

describe('readers during a rebuild, a switch and a rollback', () => {
  it('get no error, no mixed pages and no gap in hundreds of pages', {
    tags: 'projections:rebuild-is-invisible',
  }, async () => {
    await rig.start(await createLog(story))
    const api = await startApi()
    const votes = `/api/proposals/${await mostVoted()}/votes`
    const lists = [votes, LIST]
    const seen = new Set<number>()
    let requests = 0
    let isOver = false
    const count = () => {
      requests += 1
    }
    const read = async (path: string) => {
      while (!isOver) {
        const { items, generation } = await walkByCursor(api, path, count)
        seen.add(generation)
        const numbered = await walkByNumber(api, path, count)
        if (path === votes) {
          for (const walked of [items, numbered]) {
            expect(walked.map(({ rank }) => rank)).toEqual(walked.map((_, rank) => rank))
          }
        }
        const keys = numbered.map(({ rank, proposalId }) => rank ?? proposalId)
        expect(new Set(keys).size).toBe(keys.length)
      }
    }
    const readers = Promise.all([...lists, ...lists].map(read))
    const before = requests
    await rebuild(rig.createOptions({ onStep: mark, acceptsDifferences: true }))
    await until(() => seen.has(2))
    await until(() => requests - before > 200)
    expect(seen).toEqual(new Set([1, 2]))
    seen.clear()
    await switchGeneration(rig.createOptions(), 1)
    await until(() => seen.has(1))
    await until(() => requests - before > 300)
    isOver = true
    await readers
    await api.close()
  })

  it('continue with their cursor in its generation for 15 minutes, with current data', {
    tags: 'api:cursors-outlive-a-switch',
  }, async () => {
    const log = await createLog(story.slice(0, 95))
    const projections = await rig.start(log)
    const api = await startApi()
    const first = readPage(await api.ask(LIST), LIST)
    const cursor = `${LIST}?cursor=${first.page.nextCursor}`
    await rebuild(rig.createOptions({ onStep: mark, acceptsDifferences: true }))
    await until(() => api.state.current()?.generation === 2)
    for (const height of story.slice(95)) await log.append(height.map(toLogEntry))
    await until(() => projections.progress().isCaughtUp)
    const tip = 100 + story.length - 1
    await until(async () => (await api.ask(cursor)).json().asOf.height === tip)
    expect(only(readPage(await api.ask(cursor), cursor).items)).toBe(1)
    // An instance that started after the switch serves the cursor too.
    const cold = await startApi()
    expect(only(readPage(await cold.ask(cursor), cursor).items)).toBe(1)

    rig.clock.aheadMs += 14 * 60_000
    expect((await api.ask(cursor)).status).toBe(200)
    rig.clock.aheadMs += 2 * 60_000
    for (const instance of [api, cold]) {
      const answer = await instance.ask(cursor)
      expectProblem(answer, 410, 'cursor-expired')
      expect(answer.json().detail).toMatch(/Start again from the first page/)
    }
    expect((await api.ask(LIST)).status).toBe(200)
    await Promise.all([api.close(), cold.close()])
  })

  it('can use a cursor of a generation that is not yet known to this instance', {
    tags: 'api:cursors-outlive-a-switch',
  }, async () => {
    await rig.start(await createLog(story.slice(0, 95)))
    const deaf = await createApiRig(rig.store, {}, rig.clock)
    await rebuild(rig.createOptions({ onStep: mark, acceptsDifferences: true }))
    const quick = await startApi()
    const { page } = readPage(await quick.ask(LIST), LIST)
    expect(deaf.state.current()?.generation).toBe(1)
    const url = `${LIST}?cursor=${page.nextCursor}`
    expect(only(readPage(await deaf.ask(url), url).items)).toBe(2)
    await Promise.all([deaf.close(), quick.close()])
  })
})
