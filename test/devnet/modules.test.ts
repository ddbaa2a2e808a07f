// Compares every message that governance can sign, and its parameter changes, with the node's REST API.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { createRunFolder, getJson, until } from '../support/process/rollcall-process.ts'
import { readRestMessages } from './modules/proposal-messages.ts'
import { type Change, expectedChanges } from './modules/rest-params.ts'
import { uncoveredTypes } from './modules/uncovered.ts'
import { listProposals } from './product-api.ts'
import { createRawRpc, readSchema } from './rpc.ts'
import { ENDINGS, type Ending } from './scenario.ts'

const { rpcUrl, restUrl, modules, proposals, lastHeight } = inject('devnet')
const START_TIMEOUT_MS = 120_000
const CATCH_UP_TIMEOUT_MS = 300_000
/** Longer bytes are served separately. */
const MAX_INLINE_BYTES = 4_096
const highest = Math.max(...modules.map(({ height }) => height))

const named = modules.map((each) => [each.name, each] as const)

/** The chain deletes proposals that are canceled or dropped. */
const DELETED: readonly string[] = ['canceled', 'dropped'] satisfies Ending[]
const endings = new Map<string, Ending>(Object.entries(ENDINGS))
const kept = Object.entries(proposals).filter(
  ([key]) => !DELETED.includes(endings.get(key) ?? 'dropped'),
)

type Detail = {
  proposalId: string
  messages: unknown[]
  changes: Change[] | null
  changesReason: string | null
}

/** The places of bytes that are served separately. */
type LongBytes = { href: string; base64: string }

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

const isLong = (value: string) =>
  BASE64.test(value) && Buffer.from(value, 'base64').length > MAX_INLINE_BYTES

/** What REST shows, with a digest in the place of long bytes; `ours` has the links to them, which it collects. */
function withDigests(rest: unknown, ours: unknown, found: LongBytes[]): unknown {
  if (Array.isArray(rest)) {
    return rest.map((each, index) =>
      withDigests(each, Array.isArray(ours) ? ours[index] : undefined, found),
    )
  }
  if (typeof rest === 'string' && isLong(rest)) {
    const bytes = Buffer.from(rest, 'base64')
    const href = getMember(ours, 'href')
    found.push({ href: String(href), base64: rest })
    return { sha256: sha256(bytes), size: bytes.length, href }
  }
  if (typeof rest !== 'object' || rest === null) return rest
  if (isSameJson(ours, rest)) return ours
  return Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      name,
      withDigests(value, getMember(ours, name), found),
    ]),
  )
}

/** JSON with a number that no double holds stays the text that was sent. */
const isSameJson = (ours: unknown, rest: object) =>
  typeof ours === 'string' && isDeepStrictEqual(JSON.parse(ours), rest)

const getMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const byPath = (a: Change, b: Change) =>
  a.message - b.message || (a.path < b.path ? -1 : Number(a.path > b.path))

describe('the messages of every module', () => {
  let url = ''
  let clean = async () => {}

  beforeAll(async () => {
    const folder = await createRunFolder()
    clean = folder.clean
    const product = folder.run({ env: { CHAIN_RPC_URLS: rpcUrl, START_HEIGHT: 'earliest' } })
    url = await product.untilServing(START_TIMEOUT_MS)
    await until('the product caught up with the chain', CATCH_UP_TIMEOUT_MS, async () => {
      const { heights } = await listProposals(url)
      return Math.min(...heights) >= highest ? true : undefined
    })
  })
  afterAll(() => clean())

  const readDetail = (id: string) => getJson<Detail>(url, `/api/proposals/${id}`)

  it('are proposed on the chain, each but those that governance has no use for', async () => {
    const schema = await readSchema(createRawRpc(rpcUrl))
    const messages = await Promise.all(modules.map((each) => readRestMessages(restUrl, each)))
    expect(uncoveredTypes(schema, messages)).toEqual([])
  })

  it.each(named)('are what the node shows: %s', async (_, proposal) => {
    const detail = await readDetail(proposal.id)
    const found: LongBytes[] = []
    const rest = await readRestMessages(restUrl, proposal)
    expect(detail.messages).toEqual(withDigests(rest, detail.messages, found))
    for (const { href, base64 } of found) {
      const response = await fetch(new URL(href, url))
      expect(response.status).toBe(200)
      const served = Buffer.from(await response.arrayBuffer())
      expect(served.equals(Buffer.from(base64, 'base64')), href).toBe(true)
    }
  })

  it.each(named)('change what the node’s parameters say: %s', async (_, proposal) => {
    const { changes, changesReason } = await readDetail(proposal.id)
    const messages = await readRestMessages(restUrl, proposal)
    const expected = await expectedChanges(restUrl, messages, proposal.height)
    expect(changesReason).toBeNull()
    expect(changes?.toSorted(byPath)).toEqual(expected.toSorted(byPath))
  })

  it('have changes for each module with parameters', async () => {
    const updates = modules.filter(({ name }) => name.includes('update params'))
    expect(updates.length).toBeGreaterThan(10)
    for (const { id, name } of updates) {
      expect((await readDetail(id)).changes?.length, name).toBeGreaterThan(0)
    }
  })

  it.each(kept)('are what the node shows in proposal %s of the scenario', async (_, id) => {
    const rest = await readRestMessages(restUrl, { id, height: lastHeight })
    expect((await readDetail(id)).messages).toEqual(rest)
  })
})
