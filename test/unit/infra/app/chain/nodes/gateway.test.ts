// The gateway that stands for a public endpoint refuses, prunes and counts exactly as its profile says.
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBlockChain } from '../../../../../../infra/app/chain/block-chain.ts'
import {
  type GatewayManners,
  startGateway,
} from '../../../../../../infra/app/chain/nodes/gateway.ts'
import { createResponder } from '../../../../../../infra/app/chain/nodes/node.ts'
import {
  computeTrafficBetween,
  sumCounts,
} from '../../../../../../infra/app/chain/nodes/traffic.ts'
import type { NodeWindow } from '../../../../../../infra/app/chain/rpc/node-view.ts'
import { createFakeClock } from '../../../../../support/process/fake-clock.ts'

const TIP = 500

const setup = async (manners: GatewayManners = {}, windows: readonly NodeWindow[] = [{}]) => {
  const clock = createFakeClock({ startMs: 1_000_000 })
  const chain = createBlockChain({ blocks: TIP })
  const nodes = windows.map((window) =>
    createResponder({ chain, window, abci: () => ({ value: new Uint8Array([1]) }) }),
  )
  const gateway = await startGateway(nodes, manners, clock)
  onTestFinished(gateway.close)
  const send = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
    fetch(gateway.url, {
      method: 'POST',
      headers,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  const call = async (method: string, params: object = {}) =>
    JSON.stringify(await (await send(method, params)).json())
  return { gateway, clock, chain, send, call }
}

/** Node's `fetch` always sends a `User-Agent`. */
const statusWithoutUserAgent = (url: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST' }, (response) => {
      void text(response).then(() => resolve(response.statusCode))
    })
    request.on('error', reject)
    request.end('{"id":1,"method":"status"}')
  })

const statusesOf = async (count: number, send: () => Promise<Response>): Promise<number[]> => {
  const statuses: number[] = []
  for (let sent = 0; sent < count; sent++) statuses.push((await send()).status)
  return statuses
}

describe('a rate limit', () => {
  const rate = { perSecond: 2, burst: 3, retryAfterSeconds: 1 }

  it('refuses with 429, HTML and Retry-After once the bucket is empty, and fills it again', async () => {
    const { clock, send } = await setup({ rate })
    expect(await statusesOf(4, () => send('status'))).toEqual([200, 200, 200, 429])
    const refused = await send('status')
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(refused.headers.get('content-type')).toBe('text/html')
    expect(await refused.text()).toContain('429 Too Many Requests')
    clock.advance(1_000)
    expect(await statusesOf(3, () => send('status'))).toEqual([200, 200, 429])
  })

  it('counts requests by method and outcome, and those that Retry-After forbids', async () => {
    const { gateway, clock, send } = await setup({ rate })
    await statusesOf(3, () => send('status'))
    await send('block', { height: '7' })
    clock.advance(50)
    // It was on its way when the refusal was sent.
    await send('block', { height: '7' })
    const early = gateway.traffic()
    expect(early.forbidden).toBe(0)
    clock.advance(450)
    await send('block', { height: '7' })
    clock.advance(500)
    await send('block', { height: '7' })
    const late = gateway.traffic()
    expect(late.forbidden).toBe(1)
    expect(Object.fromEntries(late.methods)).toEqual({
      status: { granted: 3, refused: 0, cut: 0 },
      block: { granted: 2, refused: 2, cut: 0 },
    })
    expect(sumCounts(computeTrafficBetween(early, late))).toMatchObject({ sent: 2, granted: 2 })
    expect(late.differentReads).toBe(1)
  })
})

describe('a public endpoint', () => {
  it('counts each call of a batch as a request', async () => {
    const rate = { perSecond: 1, burst: 5, retryAfterSeconds: 1 }
    const { gateway } = await setup({ rate })
    const calls = Array(4).fill({ jsonrpc: '2.0', id: 1, method: 'status' })
    const sendBatch = () => fetch(gateway.url, { method: 'POST', body: JSON.stringify(calls) })
    expect(await statusesOf(2, sendBatch)).toEqual([200, 429])
    expect(sumCounts(gateway.traffic())).toMatchObject({ granted: 4, refused: 4 })
  })

  it('refuses a body above its limit with 413, and grants a smaller one', async () => {
    const { send } = await setup({ maxBodyBytes: 200 })
    expect((await send('block', { height: '7', more: 'x'.repeat(200) })).status).toBe(413)
    expect((await send('block', { height: '7' })).status).toBe(200)
  })
})

describe('a limit of bursts', () => {
  it('refuses everything for a few seconds after a burst, with 403 and 503 in turn', async () => {
    const bursts = { requests: 3, withinMs: 100, punishedMs: 4_000 }
    const { clock, send } = await setup({ bursts })
    expect(await statusesOf(5, () => send('status'))).toEqual([200, 200, 200, 403, 503])
    clock.advance(3_999)
    expect((await send('status')).status).toBe(403)
    clock.advance(1)
    expect(await statusesOf(3, () => send('status'))).toEqual([200, 200, 200])
    clock.advance(100)
    expect((await send('status')).status).toBe(200)
  })
})

describe('a CDN', () => {
  it('refuses requests without a User-Agent and grants others', async () => {
    const { gateway, send } = await setup({ needsUserAgent: true })
    expect(await statusWithoutUserAgent(gateway.url)).toBe(403)
    expect((await send('status')).status).toBe(200)
  })

  it('compresses a response only if the client accepts gzip', async () => {
    const { gateway } = await setup({ compresses: true })
    const read = (encoding: string) =>
      new Promise<Buffer>((resolve, reject) => {
        const headers = { 'accept-encoding': encoding }
        const request = httpRequest(gateway.url, { method: 'POST', headers }, async (response) => {
          const parts: Buffer[] = []
          for await (const part of response) parts.push(part as Buffer)
          const body = Buffer.concat(parts)
          resolve(response.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
        })
        request.on('error', reject)
        request.end('{"id":1,"method":"status"}')
      })
    const [zipped, plain] = [await read('br, gzip'), await read('identity')]
    expect(zipped.equals(plain)).toBe(true)
    expect(JSON.parse(plain.toString())).toMatchObject({ id: 1, result: {} })
  })

  it('cuts one connection of a number of requests, before or inside the response', async () => {
    const { gateway, send } = await setup({ cutsOneOf: 2 })
    const isWhole = () =>
      send('status')
        .then((response) => response.json())
        .then(
          () => true,
          () => false,
        )
    const whole: boolean[] = []
    for (let sent = 0; sent < 4; sent++) whole.push(await isWhole())
    expect(whole).toEqual([true, false, true, false])
    expect(sumCounts(gateway.traffic())).toEqual({ granted: 2, refused: 0, cut: 2, sent: 4 })
  })
})

describe('a node that prunes', () => {
  const window = { blocks: 200, results: 150, states: 100, prunesEvery: 10 }

  it('reports its earliest block, and has no block, results or state below its windows', async () => {
    const { call } = await setup({}, [window])
    const abci = (height: number) => call('abci_query', { path: '/x', height: `${height}` })
    expect(await call('status')).toContain('"earliest_block_height":"301"')
    expect(await call('block', { height: '301' })).toContain('"height":"301"')
    expect(await call('block', { height: '300' })).toContain('lowest height is 301')
    expect(await call('block_results', { height: '351' })).toContain('"height":"351"')
    expect(await call('block_results', { height: '350' })).toContain('could not find results')
    expect(await abci(401)).toContain('"value":"AQ=="')
    expect(await abci(400)).toContain('failed to load state at height 400')
    expect(await abci(501)).toContain('cannot query with height in the future')
    expect(await abci(0)).toContain('"height":"500"')
  })

  it('keeps up to one pruning interval more while the chain grows', async () => {
    const { call, chain } = await setup({}, [window])
    for (let added = 0; added < 9; added++) chain.add()
    const abci = (height: number) => call('abci_query', { path: '/x', height: `${height}` })
    expect(await abci(401)).toContain('"value":"AQ=="')
    chain.add()
    expect(await abci(410)).toContain('failed to load state')
    expect(await abci(411)).toContain('"value":"AQ=="')
  })
})

describe('several nodes behind one URL', () => {
  it('answer in turn, each with its own tip and state', async () => {
    const { call } = await setup({}, [{ states: 100 }, { behind: 1 }, { behind: 2 }])
    const tips: (string | undefined)[] = []
    for (let sent = 0; sent < 4; sent++) {
      tips.push(/"latest_block_height":"(\d+)"/.exec(await call('status'))?.[1])
    }
    expect(tips).toEqual(['500', '499', '498', '500'])
    const reads: string[] = []
    for (let sent = 0; sent < 3; sent++) {
      reads.push(await call('abci_query', { path: '/x', height: '100' }))
    }
    expect(reads.map((read) => read.includes('failed to load state'))).toEqual([false, false, true])
  })
})
