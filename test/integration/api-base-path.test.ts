// A service whose public URL has a path, behind a proxy that strips it: every link begins with that path and leads somewhere.
import { expect, it } from 'vitest'
import { PATHS } from '../../auth/contract/service.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { seedStory } from '../support/api/api-story.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

const ORIGIN = 'https://gov.example.org'
const BASE = `${ORIGIN}/hub`
const STARTS = ['/', '/llms.txt', '/openapi.json', '/sitemap.xml', '/feed.atom']
const FORMATS = ['text/html', 'application/json', 'text/markdown']
const MOST_PATHS = 300
/** Auth answers them, and the stream never ends. */
const ELSEWHERE: readonly string[] = [...Object.values(PATHS), '/api/stream']

/** URLs of this service anywhere in a text, and paths in the attributes of elements. */
const readLinks = (text: string): string[] => {
  const read = text.replaceAll('&amp;', '&').replaceAll('&#39;', "'")
  const absolute = read.match(/https:\/\/gov\.example\.org[^\s"'`<>()\\|]*/g) ?? []
  const paths = [...read.matchAll(/\s(?:href|src|action|data-[a-z]+)="(\/[^"]*)"/g)]
  return [...absolute, ...paths.map(([, path = '']) => ORIGIN + path)]
    .map((link) => link.replace(/[.,;:]+$/, '').split('#', 1)[0] ?? '')
    .filter((link) => !/[{}$…]|%7B/.test(link))
}

/** RFC 8414 and RFC 9728 put the path of a service behind that of its metadata. */
const isRight = (link: string): boolean =>
  link === BASE ||
  /^\/hub[/?]|^\/\.well-known\/oauth-[a-z-]+\/hub\b/.test(link.slice(ORIGIN.length))

it('a public URL with a path is the beginning of every link and redirect, and each has an answer', async () => {
  const wrong = new Set<string>()
  const missing: string[] = []
  let visited = 0
  const rig = await createApiRig(testStore.store, { baseUrl: BASE })
  const queue = [...STARTS]
  const known = new Set(queue)
  const follow = (from: string, link: string): void => {
    if (!isRight(link)) wrong.add(`${link} in ${from}`)
    const path = link.slice(BASE.length) || '/'
    const isFollowed = link.startsWith(BASE) && !ELSEWHERE.some((other) => path.startsWith(other))
    if (!isFollowed || known.has(path)) return
    known.add(path)
    queue.push(path)
  }
  for (let path = queue.shift(); path && visited < MOST_PATHS; path = queue.shift()) {
    visited += 1
    for (const accept of FORMATS) {
      const { text } = await rig.ask(path, { headers: { accept } })
      // Examples in documents name proposals that this chain does not have.
      if (text.includes('/problems/route-not-found')) missing.push(path)
      for (const link of path.endsWith('.js') ? [] : readLinks(text)) follow(path, link)
    }
  }
  expect(visited).toBeGreaterThan(100)
  expect([...wrong]).toEqual([])
  expect(missing).toEqual([])
  for (const path of ['/api/proposals/2/votes', '/proposals/2']) {
    const { headers } = await rig.ask(path.replace('/2', '/002'))
    expect(headers['location']).toBe(BASE + path)
  }
  await rig.close()
})
