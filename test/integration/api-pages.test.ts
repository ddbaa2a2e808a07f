// The HTML and Markdown pages over a real ClickHouse: own files only, pagination without scripts, and their media types.
import { describe, expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { OPEN_VOTE, seedStory } from '../support/api/api-story.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8'
const MARKDOWN = 'text/markdown'

const setup = async (changes: Parameters<typeof createApiRig>[1] = {}) => {
  const rig = await createApiRig(testStore.store, changes)
  const read = (url: string, accept = HTML) => rig.ask(url, { headers: { accept } })
  return { ...rig, read }
}

const idsIn = (html: string): number[] =>
  [...html.matchAll(/<li class="entry" id="proposal-(\d+)">/g)].map(([, id]) => Number(id))

describe('an HTML page', () => {
  it('loads files of this service only, with a content hash in their names and permanent caching', {
    tags: 'api:own-files-only',
  }, async () => {
    const { read, ask } = await setup()
    const page = await read(`/proposals/${OPEN_VOTE}`)
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = page.headers['content-security-policy']
    expect(policy).toMatch(/^default-src 'none'; style-src 'self'; script-src 'self'; /)
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(page.text).not.toMatch(/<(?:script|img)[^>]* src="(?!\/assets\/)/)
    expect(page.text).not.toMatch(/<link rel="(?:stylesheet|icon)"[^>]* href="(?!\/assets\/)/)
    const files = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
      ([, path]) => path!,
    )
    expect(files.length).toBeGreaterThanOrEqual(5)
    let scriptBytes = 0
    for (const path of files) {
      const file = await ask(path)
      expect([path, file.status]).toEqual([path, 200])
      expect(file.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      if (path.endsWith('.js')) scriptBytes += file.text.length
      const again = await ask(path, { headers: { 'if-none-match': file.headers['etag'] ?? '' } })
      expect(again.status).toBe(304)
    }
    expect(scriptBytes).toBeLessThan(32_000)
    expect((await ask(files[0]!.replace(/-[0-9a-f]+/, '-000000000000'))).status).toBe(404)
  })

  it('links all proposals, and all validators of a vote, without scripts', {
    tags: 'api:pages-need-no-script',
  }, async () => {
    const { read } = await setup()
    const walk = async (first: string) => {
      const texts: string[] = []
      for (let url: string | undefined = first; url; ) {
        const { status, text } = await read(url)
        expect([url, status]).toEqual([url, 200])
        texts.push(text)
        url = /rel="next" href="([^"#]+)/.exec(text)?.[1]?.replaceAll('&amp;', '&')
      }
      return texts
    }
    const lists = await walk('/proposals')
    expect(lists.flatMap(idsIn)).toEqual(Array.from({ length: 45 }, (_, n) => 45 - n))
    const votes = await walk(`/proposals/${OPEN_VOTE}`)
    const ranks = votes.flatMap((text) =>
      [...text.matchAll(/data-rank="(\d+)"/g)].map(([, n]) => Number(n)),
    )
    // All powers of this vote are equal, except for the last one, which is not known.
    expect(ranks).toEqual(Array.from({ length: 250 }, (_, n) => n))
    expect(votes[0]).toContain('Largest voting power first')
  })

  it('links a transaction to the configured explorer', async () => {
    const explorerTxUrl = 'https://explorer.example.org/tx/{txHash}?at={height}'
    const { read } = await setup({ explorerTxUrl })
    expect((await read(`/proposals/${OPEN_VOTE}`)).text).toMatch(
      /href="https:\/\/explorer\.example\.org\/tx\/[A-F0-9]{64}\?at=\d+" rel="external noopener noreferrer"/,
    )
  })
})

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
      const page = await read(url, MARKDOWN)
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
})

it('the home page and the sitemap are served while the store is unavailable', async () => {
  const { ask, read, store, state } = await setup({ baseUrl: 'https://gov.example.org' })
  store.isAway = true
  await expect(state.refresh()).rejects.toThrow()
  const fresh = await createApiRig(store)
  const page = await fresh.ask('/', { headers: { accept: MARKDOWN } })
  expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(page.text).toContain('No data is available at the moment')
  expect((await fresh.ask('/proposals', { headers: { accept: MARKDOWN } })).status).toBe(503)
  expect((await ask('/')).status).toBe(200)
  const { status, text } = await ask('/sitemap.xml')
  expect([status, text.includes(`/proposals/${OPEN_VOTE}<`)]).toEqual([200, true])
  store.isAway = false
  expect((await read('/', MARKDOWN)).status).toBe(200)
})
