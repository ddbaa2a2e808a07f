// A client that has only the host name finds every document, and no link is broken.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fetchText, walkDocuments } from '../support/api/document-walk.ts'
import { createDemoFolder } from '../support/process/demo-folder.ts'
import { getJson } from '../support/process/rollcall-process.ts'

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

const EXPECTED = {
  posts: [
    '/agent/identity',
    '/agent/identity/claim',
    '/oauth2/token',
    '/oauth2/revoke',
    '/oauth2/register',
    '/mcp',
    ...['attempt', 'text', 'complete', 'deny'].map((step) => `/delegation/${step}`),
  ],
  incomplete: ['/oauth2/authorize'],
  streams: ['/api/stream'],
  // Files of the claim page are only for that page.
  pages: /^(?:\/|\/delegation(?:\/[\w.-]+)?|\/problems\/[\w-]+)?$/,
}

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
    const { visited, problems } = await walkDocuments(url, STARTS, EXPECTED)
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
