// The Markdown pages over a real ClickHouse: content negotiation, caching and entity tags as for JSON.
import { describe, expect, it } from 'vitest'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { BUSY, FREQUENT, IDLE, JAILED, seedListsStory } from '../support/api/lists-story.ts'
import { account, operator } from '../support/simulator/addresses.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const MARKDOWN = { accept: 'text/markdown' }

const setup = async () => {
  const rig = await createApiRig(testStore.store)
  const read = (url: string, headers: Record<string, string> = {}) =>
    rig.ask(url, { headers: { ...MARKDOWN, ...headers } })
  return { ...rig, read }
}

describe('a Markdown page', () => {
  it('is served to clients that accept Markdown, with its JSON in Link', {
    tags: 'api:pages-for-agents',
  }, async () => {
    const { read, ask } = await setup()
    const twins: [string, string][] = [
      ['/', '/api/proposals'],
      ['/proposals', '/api/proposals?page=0'],
      [`/proposals/${OPEN_VOTE}`, `/api/proposals/${OPEN_VOTE}`],
      ['/status', '/api/health'],
    ]
    for (const [url, twin] of twins) {
      const page = await read(url)
      expect([page.status, page.headers['content-type']]).toEqual([
        200,
        'text/markdown; charset=utf-8',
      ])
      const link = `${page.headers['link']}`
      expect(link).toMatch(/^<[^>]+>; rel="alternate"; type="application\/json"/)
      expect(link.split('>', 1)).toEqual([`<${twin}`])
      // The home page links every document for agents.
      expect(link.includes('rel="api-catalog"')).toBe(url === '/')
      expect((await ask(twin)).status).toBe(200)
      expect(page.headers['vary']).toBe('Accept, Accept-Encoding, Authorization')
      expect(page.headers['access-control-allow-origin']).toBe('*')
      expect(page.text).toMatch(/^# \S/)
    }
  })

  it('has the data of the JSON of a proposal, with an escaped title', async () => {
    const { read, ask } = await setup()
    const { text } = await read(`/proposals/${OPEN_VOTE}`)
    const json = (await ask(`/api/proposals/${OPEN_VOTE}`)).json()
    expect(text).toMatch(
      /^# Proposal 45: &lt;script&gt;alert\("1"\)&lt;\/script&gt; &amp; "quoted"/,
    )
    expect(text).not.toMatch(/<script>|\p{Bidi_Control}|(?!\n)\p{Cc}/u)
    expect(text).toContain(`| Yes | ${json.tally.yes} |`)
    const [, votes = ''] = text.split(/^## Votes by validator$/m)
    const [shown = ''] = votes.split(/^## /m)
    expect(shown.match(/^\| \[/gm)).toHaveLength(json.votes.items.length)
    expect(shown).toContain('Largest voting power first.')
    expect(shown).toContain('[next page](</proposals/45?page=1#votes>)')
    expect(shown).toContain('- JSON: `GET /api/proposals/45/votes?sort=power&page=0`')
    expect(text).toContain(`As of block ${json.asOf.height} of test-1`)
  })

  it('has its own strong ETag, 304, HEAD, and the caching of its JSON', async () => {
    const { read, ask } = await setup()
    for (const [page, twin] of [
      // No earlier proposal is open.
      ['/proposals/40', '/api/proposals/40'],
      ['/proposals', '/api/proposals'],
    ] as const) {
      const first = await read(page)
      const json = await ask(twin)
      expect(first.headers['cache-control']).toBe(json.headers['cache-control'])
      expect(first.headers['etag']).toMatch(/^"[^"]+"$/)
      expect(first.headers['etag']).not.toBe(json.headers['etag'])
      const again = await read(page, { 'if-none-match': first.headers['etag'] ?? '' })
      expect([again.status, again.text]).toEqual([304, ''])
      const head = await ask(page, { method: 'HEAD', headers: MARKDOWN })
      expect([head.status, head.text, head.headers['etag']]).toEqual([
        200,
        '',
        first.headers['etag'],
      ])
      const coded = await read(page, { 'accept-encoding': 'br' })
      expect(coded.headers['etag']).not.toBe(first.headers['etag'])
    }
  })

  it('is served from memory without another query', async () => {
    const { read, store } = await setup()
    const url = `/proposals/${OPEN_VOTE}`
    await read(url)
    const { selects } = store
    for (let n = 0; n < 3; n++) await read(url)
    expect(store.selects).toBe(selects)
  })

  it('links all proposals by its pagination', async () => {
    const { read } = await setup()
    const seen: string[] = []
    for (let url: string | undefined = '/proposals'; url; ) {
      const { text } = await read(url)
      seen.push(...[...text.matchAll(/^\| \[(\d+)\]/gm)].map(([, id]) => id ?? ''))
      url = /\[next page\]\(<([^>]+)>\)/.exec(text)?.[1]
    }
    expect(seen).toEqual(Array.from({ length: 45 }, (_, n) => `${45 - n}`))
  })

  it('is also the form of a problem', async () => {
    const { read, ask } = await setup()
    for (const [url, status] of [
      ['/proposals/999', 404],
      ['/proposals/x', 400],
      ['/proposals?page=x', 400],
      ['/pools/nonsense', 400],
    ] as const) {
      const page = await read(url)
      expect([page.status, page.headers['content-type']]).toEqual([
        status,
        'text/markdown; charset=utf-8',
      ])
      expect([page.headers['cache-control'], page.text.slice(0, 2)]).toEqual(['no-store', '# '])
    }
    const headers = { accept: 'application/problem+json' }
    expectProblem(await ask('/proposals/999', { headers }), 404, 'proposal-not-found')
  })

  it('falls back to HTML, and is never refused for its media type', async () => {
    const { ask } = await setup()
    const readContentType = async (url: string, accept: string) =>
      (await ask(url, { headers: { accept } })).headers['content-type']
    expect(await readContentType('/', '*/*')).toBe('text/html; charset=utf-8')
    expect(await readContentType('/', 'text/markdown, text/html, */*')).toMatch(/^text\/markdown/)
    expect(await readContentType('/proposals', 'image/png')).toMatch(/^text\//)
  })

  it('serves the home page while the store is unavailable', async () => {
    const { ask, read, store, state } = await setup()
    store.isAway = true
    await expect(state.refresh()).rejects.toThrow()
    const fresh = await createApiRig(store)
    const page = await fresh.ask('/', { headers: MARKDOWN })
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(page.text).toContain('No data is available at the moment')
    expect((await fresh.ask('/proposals', { headers: MARKDOWN })).status).toBe(503)
    expect((await ask('/')).status).toBe(200)
    store.isAway = false
    expect((await read('/')).status).toBe(200)
  })
})

describe('the Markdown page of a validator or a voter', () => {
  it('has the same participation as the list of pools', async () => {
    await seedListsStory(testStore.store)
    const { ask } = await setup()
    type Counted = { operatorAddress: string; proposalsVoted: number; proposalsMissed: number }
    const { items } = (await ask('/api/pools')).json() as { items: Counted[] }
    for (const address of [BUSY, IDLE, JAILED]) {
      const counted = items.filter(({ operatorAddress }) => operatorAddress === address)
      const { participation } = (await ask(`/api/pools/${address}/votes`)).json()
      expect(counted).toMatchObject([participation])
    }
    const idle = (await ask(`/api/pools/${IDLE}/votes`)).json()
    expect(idle.participation).toEqual({ proposalsVoted: 0, proposalsMissed: 7 })
  })

  it('has the rows of its JSON, and links its proposals and its next page', async () => {
    await seedListsStory(testStore.store)
    const { read, ask } = await setup()
    for (const [page, twin] of [
      [`/pools/${BUSY}`, `/api/pools/${BUSY}/votes?page=0`],
      [`/voters/${FREQUENT}`, `/api/voters/${FREQUENT}/votes?page=0`],
    ] as const) {
      const { text, headers } = await read(page)
      const json = (await ask(twin)).json()
      const ids = [...text.matchAll(/^\| \[(\d+)\]\(<\/proposals\/(\d+)>\)/gm)].map(([, id]) => id)
      expect(ids).toEqual(json.items.map((item: { proposalId: string }) => item.proposalId))
      expect(headers['link']).toBe(`<${twin}>; rel="alternate"; type="application/json"`)
      expect(text).toContain(`[next page](<${page}?page=1>)`)
      expect((await read(`${page}?page=1`)).status).toBe(200)
    }
    expect((await read(`/pools/${operator('absent')}`)).status).toBe(404)
    expect((await read(`/voters/${account('absent')}`)).text).toContain(
      'No ballots of this address.',
    )
  })
})
