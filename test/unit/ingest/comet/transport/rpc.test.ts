// Tests calls over real HTTP through gateways: headers, redirects, compression, refusals and batches.
import type http from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../../../infra/base/runtime/clock.ts'
import { queryAbci } from '../../../../../ingest/comet/transport/abci-answer.ts'
import { createBatchSize, splitBatch } from '../../../../../ingest/comet/transport/batch.ts'
import { MAX_BATCH_BYTES } from '../../../../../ingest/comet/transport/http-post.ts'
import { createMemoryBudget } from '../../../../../ingest/comet/transport/memory-budget.ts'
import { RpcClient, type RpcOptions } from '../../../../../ingest/comet/transport/rpc.ts'
import { serve } from '../../../../support/http/serve.ts'

type Call = { id: number; params: { data?: string } }

type Gateway = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  /** `text`: what an honest node answers. */
  honest: { calls: number; text: string },
) => unknown

const toReply = ({ id, params: { data } }: Call) =>
  data === 'broken'
    ? { jsonrpc: '2.0', id, error: { code: 1, message: 'no such state' } }
    : { jsonrpc: '2.0', id, result: { data } }

const pass: Gateway = (_, response, { text }) => response.end(text)

const setup = async (gateway: Gateway, options: Partial<RpcOptions> = {}) => {
  const requests: http.IncomingMessage[] = []
  const sizes: number[] = []
  const url = await serve(async (request, response) => {
    requests.push(request)
    const body = JSON.parse(await readText(request)) as Call | Call[]
    const calls = [body].flat()
    sizes.push(calls.length)
    const replies = calls.map(toReply)
    const text = JSON.stringify(Array.isArray(body) ? replies : replies[0])
    gateway(request, response, { calls: calls.length, text })
  })
  const rpc = new RpcClient({
    url: `${url}/rpc`,
    timeoutMs: 5_000,
    maxConcurrentCalls: 1,
    budget: createMemoryBudget(2 ** 20),
    ...options,
  })
  onTestFinished(() => rpc.close())
  const call = () => rpc.call('status', {})
  const ask = (data: string, signal?: AbortSignal) =>
    rpc.call<{ data: string }>('abci_query', { path: '/a', data }, signal ? { signal } : {})
  const askMany = async (many: readonly string[]) => {
    const settled = await Promise.allSettled(many.map((each) => ask(each)))
    return settled.map((each) => (each.status === 'fulfilled' ? each.value.data : each.reason.code))
  }
  return { call, ask, askMany, requests, sizes }
}

it('names itself, and sends the headers of the operator', async () => {
  const { call, requests } = await setup(pass, { headers: { 'x-api-key': 'secret' } })
  await call()
  expect(requests[0]?.headers).toMatchObject({
    'user-agent': expect.stringMatching(/^rollcall\/\d+\.\d+\.\d+/),
    'x-api-key': 'secret',
  })
})

it('refuses a compressed response that is larger than its limit', async () => {
  const { call } = await setup((_, response) =>
    response
      .writeHead(200, { 'content-encoding': 'gzip' })
      .end(gzipSync(Buffer.alloc(64 * 2 ** 20, '{},'))),
  )
  await expect(call()).rejects.toMatchObject({
    code: 'RPC_INVALID_RESPONSE',
    message: expect.stringMatching(/larger than 65536 bytes/),
  })
})

it('follows a redirect within the origin, and keeps a permanent one', async () => {
  const { call, requests } = await setup((request, response, { text }) =>
    request.url === '/moved'
      ? response.end(text)
      : response.writeHead(308, { location: '/moved' }).end(),
  )
  await call()
  await call()
  expect(requests.map(({ url }) => url)).toEqual(['/rpc', '/moved', '/moved'])
})

it.each([
  ['to another host', 'https://elsewhere.example/rpc', 'redirects to https://elsewhere.example'],
  ['to another port', 'http://127.0.0.1:1/rpc', 'redirects to http://127.0.0.1:1'],
  ['to nothing', '', 'redirects without end'],
])('does not follow a redirect %s: no secret leaves its origin', async (_, location, reason) => {
  const { call } = await setup((__, response) => response.writeHead(308, { location }).end())
  await expect(call()).rejects.toThrow(reason)
})

it.each([
  [
    403,
    '<html><head><title>Access denied | example</title></head></html>',
    'Access denied | example',
  ],
  [429, 'error code: 1010', 'error code: 1010'],
])('says that a gateway limits requests, with its reason: %i %s', async (status, body, words) => {
  const { call } = await setup((_, response) => response.writeHead(status).end(body))
  await expect(call()).rejects.toMatchObject({
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

it('splits a batch as it was sent, in any order', () => {
  const toItem = (id: number, text: string) =>
    `{"jsonrpc":"2.0","id":${id},"result":{"log":"${text}"}}`
  const [one, two] = [toItem(1, '},{\\"jsonrpc\\":\\"2.0\\",\\"id\\":9,'), toItem(2, ']')]
  const parts = splitBatch(Buffer.from(`[${two},${one}]\n`))
  expect([...(parts ?? [])].map(([id, part]) => [id, `${part}`])).toEqual([
    [2, two],
    [1, one],
  ])
  for (const other of [toItem(1, 'a'), '[ { "id": 3, "result": {} } ]', `[${one.slice(0, -3)}`, ''])
    expect(splitBatch(Buffer.from(other))).toBeUndefined()
})

it('sends queries of the same moment together, and gives each its own outcome', async () => {
  const { ask, askMany, sizes } = await setup(pass)
  await ask('first')
  const aborting = new AbortController()
  const ended = ask('ended', aborting.signal)
  aborting.abort()
  await expect(ended).rejects.toMatchObject({ code: 'ABORTED' })
  const found = await askMany(['a', 'broken', 'c', 'd', 'e', 'f'])
  expect(found).toEqual(['a', 'RPC_REFUSED', 'c', 'd', 'e', 'f'])
  expect(sizes).toEqual([1, 2, 4])
})

it('asks for each query alone if a batch is refused, and keeps those that another one leaves', async () => {
  const { ask, askMany, sizes } = await setup((_, response, { calls, text }) =>
    calls > 1 ? response.writeHead(400).end('{}') : response.end(text),
  )
  await ask('first')
  const aborting = new AbortController()
  const leaves = ask('leaves', aborting.signal)
  const stays = askMany(['a', 'b'])
  await new Promise((resolve) => setImmediate(resolve))
  aborting.abort()
  await expect(leaves).rejects.toMatchObject({ code: 'ABORTED' })
  expect(await stays).toEqual(['a', 'b'])
  expect(sizes).toEqual([1, 2, 1, 1])
})

it('asks again in smaller batches if the responses are too large together', async () => {
  const { ask, askMany, sizes } = await setup((_, response, { calls, text }) =>
    response.end(calls > 2 ? text.padEnd(MAX_BATCH_BYTES + 1) : text),
  )
  await ask('first')
  const six = ['a', 'b', 'c', 'd', 'e', 'f']
  expect(await askMany(six)).toEqual(six)
  expect(sizes).toEqual([1, 2, 4, 2, 2])
})

it('gives up the calls of a batch that is late, and sends smaller ones', async () => {
  let isLate = false
  const { ask, askMany, sizes } = await setup(
    (_, response, { calls, text }) => (isLate && calls > 1 ? undefined : response.end(text)),
    { timeoutMs: 3_000 },
  )
  await ask('first')
  await askMany(['a', 'b', 'c', 'd', 'e', 'f'])
  isLate = true
  const eight = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  expect(await askMany(eight)).toEqual(eight.map(() => 'DEADLINE_EXCEEDED'))
  isLate = false
  expect(await askMany(eight)).toEqual(eight)
  expect(sizes).toEqual([1, 2, 4, 8, 4, 4])
})

it('a batch grows with each answer, and shrinks after a slow one, a limit or large responses', () => {
  const size = createBatchSize(systemClock)
  const answer = (bytes: number, tookMs = 1) => {
    const requests = size.of('block')
    size.answered({ kind: 'block', requests, bytes: bytes * requests, tookMs })
    return requests
  }
  expect([1, 2, 3, 4, 5].map(() => answer(1_000))).toEqual([1, 2, 4, 8, 10])
  expect([answer(1_000, 4_000), answer(1_000)]).toEqual([10, 5])
  size.limited()
  expect([answer(1_000), answer(1_000)]).toEqual([5, 5])
  expect([1, 2, 3, 4].map(() => answer(6_000_000)).at(-1)).toBe(1)
})
