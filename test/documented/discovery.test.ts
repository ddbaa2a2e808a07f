// A client that has only the host name finds every document, and no link is broken.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson } from '../support/process/rollcall-process.ts'

type Fetched = { url: string; status: number; type: string; text: string; headers: Headers }

const fetchText = async (url: string, init: RequestInit = {}): Promise<Fetched> => {
  const signal = AbortSignal.timeout(60_000)
  const response = await fetch(url, { redirect: 'manual', signal, ...init })
  const text = await response.text()
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0] ?? ''
  return { url, status: response.status, type, text, headers: response.headers }
}

/** Ends a link in text before the punctuation of the sentence. */
const bareUrl = (text: string): string => text.replace(/[.,;:]+$/, '')

/** Absolute URLs of this service anywhere in the text; relative URLs only in links. */
const addressesIn = ({ url, type, text: source, headers }: Fetched, base: string): string[] => {
  // One of these entities occurs in URLs of Rollcall, the other next to them.
  const read = (page: string) => page.replaceAll('&#39;', "'").replaceAll('&amp;', '&')
  const isMarkup = type === 'text/html' || type.endsWith('+xml')
  const text = isMarkup ? read(source) : source
  const absolute = [...text.matchAll(/https?:\/\/[^\s"'`<>()\\|]+/g)].map(([match]) => match)
  const relative = type === 'text/html' ? [...text.matchAll(/href="([^"#][^"]*)"/g)] : []
  const linked = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>/g)]
  const resolved = [...relative, ...linked].map(([, href = '']) => new URL(href, url).href)
  const all = [...absolute.map(bareUrl), ...resolved]
  return all.map((each) => each.split('#', 1)[0] ?? '').filter((each) => each.startsWith(base))
}

/** URLs with placeholders for the reader are not followed. */
const isTemplate = (url: string): boolean => /[{}$]|%7B|…/.test(url)

/** URLs that accept only POST: they answer GET with 405. */
const POSTS = [
  '/agent/identity',
  '/agent/identity/claim',
  '/oauth2/token',
  '/oauth2/revoke',
  '/oauth2/register',
  '/mcp',
  ...['attempt', 'text', 'complete', 'deny'].map((step) => `/delegation/${step}`),
]
/** Without parameters, it answers GET with a page that says so. */
const INCOMPLETE = '/oauth2/authorize'
/** Its response never ends. */
const STREAM = '/api/stream'
/** HTML pages only have to exist. Files of the claim page are only for that page. */
const PAGES = /^(?:\/|\/delegation(?:\/[\w.-]+)?|\/problems\/[\w-]+)?$/

const wrongWithDocument = async (found: Fetched): Promise<string[]> => {
  const { url, type, text, headers } = found
  const problems: string[] = []
  const addProblem = (what: string) => problems.push(`${url}: ${what}`)
  if (headers.get('access-control-allow-origin') !== '*') addProblem('not for every origin')
  const head = await fetchText(url, { method: 'HEAD' })
  if (head.status !== 200 || head.text !== '' || head.type !== type)
    addProblem(`HEAD ${head.status}`)
  const caching = headers.get('cache-control') ?? ''
  if (caching === 'no-store') return problems
  const etag = headers.get('etag') ?? ''
  if (!/^"[^"]+"$/.test(etag)) addProblem(`has no strong entity tag but ${etag}`)
  if (!/max-age=\d+/.test(caching)) addProblem('has no cache lifetime')
  const again = await fetchText(url, { headers: { 'if-none-match': etag } })
  const mayChange = /max-age=1,/.test(caching)
  if (again.status !== 304 && !mayChange)
    addProblem(`answers ${again.status} to its own entity tag`)
  if (text === '') addProblem('is empty')
  return problems
}

const wrongWithPost = async (url: string): Promise<string[]> => {
  const { status, headers } = await fetchText(url)
  const allow = headers.get('allow') ?? ''
  return status === 405 && allow.includes('POST') ? [] : [`${url}: answers GET with ${status}`]
}

const wrongWithIncomplete = async (url: string): Promise<string[]> => {
  const { status, type } = await fetchText(url)
  return status === 400 && type.startsWith('text/html') ? [] : [`${url}: answers ${status} ${type}`]
}

/** The first bytes are enough. */
const wrongWithStream = async (url: string): Promise<string[]> => {
  const controller = new AbortController()
  const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(60_000)])
  const { status, headers } = await fetch(url, { signal })
  controller.abort()
  const type = headers.get('content-type') ?? ''
  const isStream = status === 200 && type.startsWith('text/event-stream')
  return isStream ? [] : [`${url}: answers ${status} ${type}`]
}

/** Starts at the first URLs and follows everything that can be reached. */
const walkDocuments = async (base: string, starts: readonly string[]) => {
  const visited = new Map<string, Fetched>()
  const problems: string[] = []
  const queue = starts.map((path) => base + path)
  const known = new Set(queue)
  const visit = async (url: string, path: string): Promise<void> => {
    const found = await fetchText(url)
    visited.set(path, found)
    if (found.status >= 400) problems.push(`${url}: answers ${found.status}`)
    else if (found.status === 200 && !PAGES.test(path)) {
      problems.push(...(await wrongWithDocument(found)))
    }
    const location = found.headers.get('location')
    const onward = location === null ? [] : [new URL(location, url).href]
    for (const next of [...addressesIn(found, base), ...onward]) {
      if (known.has(next) || isTemplate(next)) continue
      known.add(next)
      queue.push(next)
    }
  }
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    const path = url.slice(base.length)
    if (POSTS.includes(path)) problems.push(...(await wrongWithPost(url)))
    else if (path === INCOMPLETE) problems.push(...(await wrongWithIncomplete(url)))
    else if (path === STREAM) problems.push(...(await wrongWithStream(url)))
    else await visit(url, path)
  }
  return { visited, problems }
}

const WELL_KNOWN = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/jwks.json',
  '/.well-known/api-catalog',
  '/.well-known/ai-catalog.json',
  '/.well-known/ard.json',
  '/.well-known/agent-skills/index.json',
  '/.well-known/mcp/server-card.json',
  '/mcp/server-card',
  '/openapi.json',
  '/docs',
  '/auth.md',
  '/llms.txt',
  '/robots.txt',
  '/sitemap.xml',
]

/** The home page, the files for crawlers, and the two well-known paths. */
const STARTS = [
  '/',
  '/robots.txt',
  '/.well-known/openid-configuration',
  '/.well-known/mcp/server-card.json',
]

let url: string
let clean: () => Promise<void>

beforeAll(async () => {
  const runFolder = await createDemoFolder()
  clean = runFolder.clean
  const servedUrl = await runFolder.run().untilServing()
  url = servedUrl.replace(/\/$/, '')
})
afterAll(() => clean())

describe('with only the host name', () => {
  it('every link of every document works, with HEAD, entity tag and 304, for every origin', {
    tags: 'api:discovery-is-whole',
  }, async () => {
    const { visited, problems } = await walkDocuments(url, STARTS)
    expect(problems).toEqual([])
    expect([...visited.keys()]).toEqual(expect.arrayContaining(WELL_KNOWN))
    expect(visited.size).toBeGreaterThan(40)
  })

  it('serves every link with its declared media type', async () => {
    const catalog = await getJson<{ linkset: Record<string, Declared[] | string>[] }>(
      ...([url, '/.well-known/api-catalog'] as const),
    )
    const { entries } = await getJson<{ entries: { url: string; type: string }[] }>(
      ...([url, '/.well-known/ai-catalog.json'] as const),
    )
    const home = (await fetchText(`${url}/`)).headers.get('link') ?? ''
    const declared = [
      ...catalog.linkset.flatMap((context) =>
        Object.values(context).flatMap((links) => (typeof links === 'string' ? [] : links)),
      ),
      ...entries.map(({ url: href, type }) => ({ href, type })),
      ...[...home.matchAll(/<([^>]+)>; rel="[^"]+"; type="([^";]+)/g)].map(
        ([, href = '', type = '']) => ({ href: new URL(href, url).href, type }),
      ),
    ].filter((link): link is Required<Declared> => link.type !== undefined)
    expect(declared.length).toBeGreaterThan(20)
    for (const { href, type } of declared) {
      const found = await fetchText(href, { headers: { accept: type } })
      expect([href, found.type]).toEqual([href, type])
    }
  })

  it('health leads to the documents', { tags: 'api:discovery-is-whole' }, async () => {
    const { links } = await getJson<{ links: Record<string, string> }>(url, '/api/health')
    expect(links).toEqual({
      openapi: '/openapi.json',
      mcp: '/mcp',
      authMd: '/auth.md',
      apiCatalog: '/.well-known/api-catalog',
    })
  })

  it('skills match the digests of the index byte for byte', async () => {
    const { skills } = await getJson<{ skills: { url: string; digest: string }[] }>(
      ...([url, '/.well-known/agent-skills/index.json'] as const),
    )
    for (const skill of skills) {
      const bytes = Buffer.from(await (await fetch(skill.url)).arrayBuffer())
      expect(`sha256:${createHash('sha256').update(bytes).digest('hex')}`).toBe(skill.digest)
    }
    const unknown = await fetchText(`${url}/.well-known/agent-skills/nothing/SKILL.md`)
    expect(unknown.status).toBe(404)
  })
})

type Declared = { href: string; type?: string }
