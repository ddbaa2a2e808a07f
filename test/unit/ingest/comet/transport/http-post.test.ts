// Tests requests over real HTTP through gateways: headers, redirects, compression and refusals.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
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

it('refuses a compressed response that is larger than its limit', async () => {
  const { rpc } = await setup((_, response) =>
    response
      .writeHead(200, { 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(64 * 2 ** 20, '{},'))),
  )
  await expect(call(rpc)).rejects.toMatchObject({
    code: 'RPC_INVALID_RESPONSE',
    message: expect.stringMatching(/larger than 65536 bytes/),
  })
})

it('follows a redirect within the origin, and keeps a permanent one', async () => {
  const { rpc, requests } = await setup(({ url }, response, answer) => {
    if (url === '/moved') return response.end(answer)
    return response.writeHead(308, { location: '/moved' }).end()
  })
  expect(await call(rpc)).toEqual({ ok: true })
  expect(await call(rpc)).toEqual({ ok: true })
  expect(requests.map(({ url }) => url)).toEqual(['/rpc', '/moved', '/moved'])
})

it.each([
  ['to another host', 'https://elsewhere.example/rpc', 'redirects to https://elsewhere.example'],
  ['to another port', 'http://127.0.0.1:1/rpc', 'redirects to http://127.0.0.1:1'],
  ['to nothing', '', 'redirects without end'],
])('does not follow a redirect %s: no secret leaves its origin', async (_, location, reason) => {
  const { rpc } = await setup((__, response) => response.writeHead(308, { location }).end())
  await expect(call(rpc)).rejects.toThrow(reason)
})

it.each([
  [
    403,
    '<html><head><title>Access denied | example</title></head></html>',
    'Access denied | example',
  ],
  [429, 'error code: 1010', 'error code: 1010'],
])('says that a gateway limits requests, with its reason: %i %s', async (status, body, words) => {
  const { rpc } = await setup((_, response) => response.writeHead(status).end(body))
  await expect(call(rpc)).rejects.toMatchObject({
    code: 'RPC_LIMITED',
    retryable: true,
    message: `HTTP status ${status}: ${words}`,
  })
})

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
