// The HTML pages over a real ClickHouse: own files only, forms, rounds and pagination without scripts.
import { describe, expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { CLOSED_VOTE, OPEN_VOTE, RESTARTED_VOTE, seedStory } from '../support/api/api-story.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const setup = async () => {
  const rig = await createApiRig(testStore.store)
  const read = (url: string, headers: Record<string, string> = {}) =>
    rig.ask(url, { headers: { ...HTML, ...headers } })
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

  it('is revalidated even if its data is final', async () => {
    const { read, ask } = await setup()
    const page = await read(`/proposals/${CLOSED_VOTE}`)
    expect(page.headers['cache-control']).not.toContain('immutable')
    expect((await ask(`/api/proposals/${CLOSED_VOTE}`)).headers['cache-control']).toContain(
      'immutable',
    )
    const again = await read(`/proposals/${CLOSED_VOTE}`, {
      'if-none-match': page.headers['etag'] ?? '',
    })
    expect(again.status).toBe(304)
  })

  it('shows proposals in voting period first', async () => {
    const { read } = await setup()
    const { text } = await read('/')
    const [open = '', newest = ''] = text.split('id="newest"')
    expect(idsIn(open)).toEqual([OPEN_VOTE, RESTARTED_VOTE])
    expect(idsIn(newest)).not.toContain(OPEN_VOTE)
    expect(idsIn(newest)).toHaveLength(18)
    expect(text).toContain('All 45 proposals')
  })

  it('accepts a form with empty fields, and shows the filters in the form', async () => {
    const { read } = await setup()
    const all = await read('/proposals?status=&q=&proposer=')
    expect([all.status, idsIn(all.text).length]).toEqual([200, 20])
    const some = await read('/proposals?status=passed&q=Observatory&proposer=')
    expect(idsIn(some.text)).toEqual([CLOSED_VOTE])
    expect(some.text).toContain('<option value="passed" selected>')
    expect(some.text).toContain('value="Observatory"')
    const evil = await read(`/proposals?q=${encodeURIComponent('"><script>x')}`)
    expect(evil.text).not.toContain('<script>x')
    expect(evil.text).toContain('No proposals match.')
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

  it('shows the votes of each round of a restarted vote', async () => {
    const { read } = await setup()
    const ranks = async (url: string) => (await read(url)).text.match(/data-rank=/g)?.length
    const url = `/proposals/${RESTARTED_VOTE}`
    expect([await ranks(url), await ranks(`${url}?round=1`)]).toEqual([1, 3])
    expect((await read(`${url}?round=1`)).text).toContain('href="/proposals/43?round=2"')
    expect((await read(`${url}?round=3`)).status).toBe(404)
  })
})
