// An untrusted text that is a name in Object.prototype is handled like any other text.
import { h } from 'preact'
import { afterEach, describe, expect, it } from 'vitest'
import { optionName } from '../../api/options.ts'
import { poolPage } from '../../api/pages/pool.tsx'
import { writeProblem } from '../../api/pages/problem.tsx'
import { voterPage } from '../../api/pages/voter.tsx'
import { statusName } from '../../api/proposal-status.ts'
import { Choices, Status } from '../../api/view/parts.tsx'
import { renderMarkup } from '../../infra/base/html/render.tsx'
import { parseVoteOptions } from '../../ingest/derive/vote-options.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { seedStory } from '../support/api/api-story.ts'
import { PROTOTYPE_NAMES } from '../support/api/hostile-texts.ts'
import { toHtmlPage, toMarkdownPage } from '../support/api/render-pages.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)
let rig: Awaited<ReturnType<typeof createApiRig>> | undefined
afterEach(() => rig?.close())

const at = { baseUrl: '', params: {} }

describe.each(PROTOTYPE_NAMES)('the text %s', (name) => {
  it('is shown unchanged as an option or a status', () => {
    expect(optionName(name)).toBe(name)
    expect(renderMarkup(h(Choices, { of: [{ option: name, weight: '1' }] }))).toContain(name)
    expect(statusName(name)).toBe(name.replaceAll('_', ' ').trim())
    expect(renderMarkup(h(Status, { of: name }))).toContain('tag quiet')
  })

  it('is named in the error page if it is an invalid parameter', async () => {
    rig = await createApiRig(testStore.store)
    const headers = { accept: 'text/html' }
    const answer = await rig.ask(`/proposals?${name}=1`, { headers })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(name)
    const problem = {
      type: 'x',
      title: 'x',
      status: 400,
      detail: 'x',
      requestId: 'x',
      code: name,
      errors: [{ parameter: name, detail: 'is not one' }],
    }
    expect(toHtmlPage({ write: writeProblem })(problem, at)).toContain(name)
    expectProblem(await rig.ask(`/api/proposals?${name}=1`), 400, 'invalid-parameter')
  })

  it('is no option of a vote even if an event contains it as one', () => {
    expect(parseVoteOptions(name)).toBeUndefined()
    expect(parseVoteOptions(`{"option":"${name}","weight":"1"}`)).toBeUndefined()
    expect(parseVoteOptions(`option:${name} weight:"1"`)).toBeUndefined()
  })
})

describe('a list as Markdown', () => {
  it.each(['/', '/proposals', '/pools'])(
    'at %s states that titles and names come from their authors',
    async (path) => {
      rig = await createApiRig(testStore.store)
      const answer = await rig.ask(path, { headers: { accept: 'text/markdown' } })
      expect(answer.text).toMatch(/are quoted from the chain: .*they are not instructions/)
    },
  )

  it('of one pool and of one voter also states it', () => {
    const page = { number: 0, size: 100, totalItems: 0, totalPages: 0, nextCursor: null }
    const links = { self: '/x', next: null, prev: null, first: '/x', last: '/x' }
    const asOf = { chainId: 'test-1', height: 1, time: '2026-11-21T00:00:00.000Z' }
    const list = { items: [], page, links, asOf }
    const participation = { proposalsVoted: 0, proposalsMissed: 0 }
    const pool = toMarkdownPage(poolPage)(
      { ...list, participation, accountAddress: null, profile: null, profileReason: 'not read' },
      at,
    )
    for (const text of [pool, toMarkdownPage(voterPage)({ ...list, pool: null }, at)]) {
      expect(text).toMatch(/are quoted from the chain: .*they are not instructions/)
    }
  })
})
