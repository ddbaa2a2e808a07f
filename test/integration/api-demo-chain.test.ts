// The notice of the demo chain: every response says that its data is invented, whatever process serves it.
import { describe, expect, it } from 'vitest'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { DEMO_NOTE } from '../../ingest/contract/demo-chain.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import { OPEN_VOTE, STORY_HEIGHT, seedStory } from '../support/api/api-story.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { seed } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

const testStore = useTestStore(seedStory)

/** Only the tables know the chain: no setting and no other process. */
const serveChain = async (store: Store, chainId: string) => {
  await store.command(`TRUNCATE TABLE ${toDatabaseName(1)}.${TABLES.checkpoints.name}`)
  await seed(store, { height: STORY_HEIGHT, checkpoint: { chain_id: chainId } })
  return createMcpRig(store, { baseUrl: 'https://gov.example.org' })
}

const PAGES = [
  '/',
  '/proposals',
  `/proposals/${OPEN_VOTE}`,
  '/proposals/999999',
  '/pools',
  '/voters',
  '/status',
  '/docs',
  '/problems/proposal-not-found',
  '/no-such-page',
]
const MARKDOWN_PAGES = PAGES.filter((path) => !/^\/(docs|problems|no-such)/.test(path))
const LISTS = ['/api/proposals', `/api/proposals/${OPEN_VOTE}/votes`, '/api/pools']

const readEverything = async ({
  ask,
  rpc,
  call,
  postStateless,
}: Awaited<ReturnType<typeof serveChain>>) => {
  const texts = new Map<string, string>()
  for (const path of PAGES) {
    texts.set(`HTML of ${path}`, (await ask(path, { headers: { accept: 'text/html' } })).text)
  }
  for (const path of MARKDOWN_PAGES) {
    const { text } = await ask(path, { headers: { accept: 'text/markdown' } })
    texts.set(`Markdown of ${path}`, text)
  }
  for (const path of ['/llms.txt', '/feed.atom']) texts.set(path, (await ask(path)).text)
  const { result } = await rpc('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'a-test', version: '1.0.0' },
  })
  texts.set('MCP initialize', result.instructions)
  texts.set('MCP discover', (await postStateless('server/discover')).text)
  const marks = new Map<string, unknown>()
  for (const path of [...LISTS, `/api/proposals/${OPEN_VOTE}`]) {
    marks.set(path, (await ask(path)).json().asOf.demo)
  }
  for (const accept of ['text/csv', 'application/x-ndjson']) {
    const { headers } = await ask('/api/proposals', { headers: { accept } })
    marks.set(accept, headers['rollcall-demo'] === undefined ? undefined : true)
  }
  marks.set('health', (await ask('/api/health')).json().chain.demo)
  marks.set('list_proposals', (await call('list_proposals', {})).structuredContent.asOf.demo)
  marks.set(
    'get_service_status',
    (await call('get_service_status', {})).structuredContent.chain.demo,
  )
  return { texts, marks }
}

describe('the notice of the demo chain', () => {
  it('is on every page, in every envelope, in health and in MCP, if the tables are of the demo chain', {
    tags: 'api:demo-is-named',
  }, async () => {
    const { texts, marks } = await readEverything(
      await serveChain(testStore.store, 'rollcall-demo-1'),
    )
    const silent = [...texts].filter(([, text]) => !text.includes(DEMO_NOTE)).map(([name]) => name)
    expect(silent).toEqual([])
    expect(texts.size).toBeGreaterThan(20)
    expect([...marks].filter(([, mark]) => mark !== true)).toEqual([])
  })

  it('is nowhere on any other chain', { tags: 'api:demo-is-named' }, async () => {
    const { texts, marks } = await readEverything(await serveChain(testStore.store, 'test-1'))
    const noisy = [...texts].filter(([, text]) => text.includes(DEMO_NOTE)).map(([name]) => name)
    expect(noisy).toEqual([])
    expect([...marks].filter(([, mark]) => mark !== undefined)).toEqual([])
  })
})
