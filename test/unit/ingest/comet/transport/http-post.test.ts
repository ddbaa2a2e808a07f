// Tests requests over real HTTP through gateways: headers, redirects, compression and refusals.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { EventCollector } from '../../../../../ingest/comet/blocks/event-collector.ts'
import { collectInParts } from '../../../../../ingest/comet/blocks/fetch-block.ts'
import { queryAbci } from '../../../../../ingest/comet/transport/abci-answer.ts'
import { createMemoryBudget } from '../../../../../ingest/comet/transport/memory-budget.ts'
import { RpcClient, type RpcOptions } from '../../../../../ingest/comet/transport/rpc.ts'

type Gateway = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  answer: string,
) => unknown

const setup = async (gateway: Gateway, options: Partial<RpcOptions> = {}) => {
  const requests: http.IncomingMessage[] = []
  const server = http.createServer(async (request, response) => {
    requests.push(request)
    let text = ''
    for await (const part of request) text += part
    const { id } = JSON.parse(text)
    gateway(request, response, JSON.stringify({ id, result: { ok: true } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const rpc = new RpcClient({
    url: `${url}/rpc`,
    timeoutMs: 1_000,
    maxConcurrentCalls: 4,
    budget: createMemoryBudget(2 ** 20),
    ...options,
  })
  onTestFinished(() => {
    rpc.close()
    server.closeAllConnections()
    server.close()
  })
  return { rpc, requests, url }
}
const call = (rpc: Awaited<ReturnType<typeof setup>>['rpc']) => rpc.call('status', {})

it('names itself, and sends the headers of the operator', async () => {
  const headers = { 'x-api-key': 'secret' }
  const { rpc, requests } = await setup((_, response, answer) => response.end(answer), { headers })
  await call(rpc)
  expect(requests[0]?.headers).toMatchObject({
    'user-agent': expect.stringMatching(/^rollcall\/\d+\.\d+\.\d+/),
    'x-api-key': 'secret',
  })
})

it('reads a compressed response', async () => {
  const { rpc } = await setup((_, response, answer) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(answer)),
  )
  expect(await call(rpc)).toEqual({ ok: true })
})

it.each([
  [
    'is larger than its limit',
    gzipSync(Buffer.alloc(64 * 2 ** 20, '{},')),
    /larger than 65536 bytes/,
  ],
  [
    'is damaged',
    Buffer.from('no gzip at all, although the header says so'),
    /cannot be decompressed/,
  ],
])('refuses a compressed response that %s', async (_, body, reason) => {
  const { rpc } = await setup((__, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(body),
  )
  await expect(call(rpc)).rejects.toMatchObject({
    code: 'RPC_INVALID_RESPONSE',
    message: expect.stringMatching(reason),
  })
})

it('names a compression that it did not ask for', async () => {
  const { rpc } = await setup((_, response, answer) =>
    response.writeHead(200, { 'content-encoding': 'zstd' }).end(answer),
  )
  await expect(call(rpc)).rejects.toThrow('the response has the encoding zstd')
})

it('notices that a compressed response ends too early', async () => {
  const { rpc } = await setup((_, response, answer) => {
    const body = gzipSync(answer)
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': body.length })
    response.write(body.subarray(0, 10), () => response.destroy())
  })
  await expect(call(rpc)).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE', retryable: true })
})

it.each([
  [307, ['/rpc', '/moved', '/rpc', '/moved']],
  [308, ['/rpc', '/moved', '/moved']],
])(
  'follows a redirect within the origin, and keeps only a permanent one: %i',
  async (status, urls) => {
    const { rpc, requests } = await setup(({ url }, response, answer) => {
      if (url === '/moved') return response.end(answer)
      return response.writeHead(status, { location: '/moved' }).end()
    })
    expect(await call(rpc)).toEqual({ ok: true })
    expect(await call(rpc)).toEqual({ ok: true })
    expect(requests.map(({ url }) => url)).toEqual(urls)
  },
)

it.each([
  ['to another host', 'https://elsewhere.example/rpc', 'redirects to https://elsewhere.example'],
  ['to another port', 'http://127.0.0.1:1/rpc', 'redirects to http://127.0.0.1:1'],
  ['to nothing', '', 'redirects without end'],
  ['to an invalid address', 'http://[', 'redirects to an invalid address'],
])(
  'does not follow a redirect %s, so that no secret leaves its origin',
  async (_, location, reason) => {
    const { rpc } = await setup((__, response) => response.writeHead(308, { location }).end())
    await expect(call(rpc)).rejects.toThrow(reason)
  },
)

it.each([403, 429, 503])(
  'says after HTTP status %i that the endpoint limits requests',
  async (status) => {
    let refusals = 1
    const outcomes: string[] = []
    const { rpc, requests } = await setup(
      (_, response, answer) => {
        if (requests.length === 2 && refusals-- > 0) {
          return response.writeHead(status, { 'retry-after': '0' }).end('<html>slow down</html>')
        }
        return response.end(answer)
      },
      { onAnswer: (method, outcome) => outcomes.push(`${method} ${outcome}`) },
    )
    await call(rpc)
    await expect(call(rpc)).rejects.toMatchObject({ code: 'RPC_LIMITED', retryable: true })
    expect(await call(rpc)).toEqual({ ok: true })
    expect(requests).toHaveLength(3)
    expect(outcomes).toEqual(['status ok', 'status RPC_LIMITED', 'status ok'])
  },
)

it.each([
  ['<html><head><title>Access denied | example</title></head></html>', 'Access denied | example'],
  ['error code: 1010', 'error code: 1010'],
  ['<p>you   are\nblocked</p>', 'you are blocked'],
])('gives the reason of a gateway that grants nothing: %s', async (body, words) => {
  const { rpc } = await setup((_, response) => response.writeHead(403).end(body))
  await expect(call(rpc)).rejects.toMatchObject({
    code: 'RPC_LIMITED',
    message: `HTTP status 403: ${words}`,
  })
})

it.each([
  ['its members in any order', 1, { height: '7' }],
  ['the ID of another request', 2, /belongs to another request/],
])(
  'reads more than a million values only in parts, from a response with %s',
  async (_, id, expected) => {
    const events = `{"type":"x","attributes":[]},`.repeat(350_000).slice(0, -1)
    const body = `{"id":${id},"jsonrpc":"2.0","result":{"height":"7","finalize_block_events":[${events}]}}`
    const { rpc } = await setup((__, response) => response.end(body))
    const reply = await rpc.ask('block_results', {}, {})
    const collector = new EventCollector({
      isRead: () => false,
      opensGroup: () => false,
      isNamed: () => false,
      needsTxs: () => false,
      needles: { past: [], live: [] },
    })
    const response = await collectInParts(reply.text, collector)
    if (expected instanceof RegExp) expect(() => reply.resultOf(response)).toThrow(expected)
    else expect(reply.resultOf(response)).toMatchObject(expected)
  },
)

it.each([
  ['no object', 5],
  ['a number as its value', { value: 5 }],
  ['a number as its log', { code: 1, log: 5 }],
  ['a text as its code', { code: '1' }],
  ['an empty operation in its proof', { proofOps: { ops: [null, 5, { type: 5 }] } }],
])('calls an answer of the application with %s invalid', async (_, response) => {
  const request = { path: '/k', data: new Uint8Array(), height: 7, prove: true } as const
  const call = async <Result>() => ({ response }) as Result
  await expect(queryAbci(call, request)).rejects.toMatchObject({ code: 'RPC_INVALID_RESPONSE' })
})
