// Tests batches: their size, endpoints that refuse them, and the outcome of each call in them.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { splitBatch } from '../../../../../ingest/comet/transport/batch.ts'
import { createMemoryBudget } from '../../../../../ingest/comet/transport/memory-budget.ts'
import { type CallOptions, RpcClient } from '../../../../../ingest/comet/transport/rpc.ts'

const item = (id: number, text: string) => `{"jsonrpc":"2.0","id":${id},"result":{"log":"${text}"}}`
const split = (text: string) =>
  [...(splitBatch(Buffer.from(text)) ?? [])].map(([id, part]) => [id, `${part}`])

it('splits a batch as it was sent, in any order', () => {
  const inside = '},{\\"jsonrpc\\":\\"2.0\\",\\"id\\":9,'
  const [one, two] = [item(1, inside), item(2, ']')]
  expect(split(`[${two},${one}]\n`)).toEqual([
    [2, two],
    [1, one],
  ])
  for (const other of [item(1, 'a'), '[ { "id": 3, "result": {} } ]', `[${one.slice(0, -3)}`, ''])
    expect(splitBatch(Buffer.from(other))).toBeUndefined()
})

type Query = { id: number; params: { data: string } }
type Asked = { queries: Query[]; respond(status: number, body?: object): void }

/** A client of a node that answers as the test says. */
const setupQueries = async (answer: (asked: Asked) => void, { timeoutMs = 5_000 } = {}) => {
  const sizes: number[] = []
  const server = http.createServer(async (request, response) => {
    const queries = [JSON.parse(await readText(request)) as Query | Query[]].flat()
    sizes.push(queries.length)
    answer({
      queries,
      respond: (status, body = {}) => response.writeHead(status).end(JSON.stringify(body)),
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const rpc = new RpcClient({
    url: `http://127.0.0.1:${port}`,
    timeoutMs,
    maxConcurrentCalls: 1,
    budget: createMemoryBudget(2 ** 30),
  })
  onTestFinished(() => rpc.close())
  const ask = (data: string, options: CallOptions = {}) =>
    rpc.call<{ data: string }>('abci_query', { path: '/a', data }, options)
  const askMany = (many: readonly string[]) => Promise.allSettled(many.map((each) => ask(each)))
  return { ask, askMany, rpc, sizes }
}

const toAnswer = ({ id, params: { data } }: Query) =>
  data === 'broken'
    ? { jsonrpc: '2.0', id, error: { code: 1, message: 'no such state' } }
    : { jsonrpc: '2.0', id, result: { data } }

const answerAll = ({ queries, respond }: Asked) =>
  respond(200, queries.length === 1 ? toAnswer(queries[0]!) : queries.map(toAnswer))

const outcomes = (settled: readonly PromiseSettledResult<{ data: string }>[]) =>
  settled.map((each) => (each.status === 'fulfilled' ? each.value.data : each.reason.code))

it('sends queries of the same moment together, and gives each its own outcome', async () => {
  const { ask, askMany, sizes } = await setupQueries(answerAll)
  await ask('first')
  const aborting = new AbortController()
  const ended = ask('ended', { signal: aborting.signal })
  aborting.abort()
  await expect(ended).rejects.toMatchObject({ code: 'ABORTED' })
  expect(outcomes(await askMany(['a', 'broken', 'c', 'd', 'e', 'f']))).toEqual([
    'a',
    'RPC_REFUSED',
    'c',
    'd',
    'e',
    'f',
  ])
  expect(sizes).toEqual([1, 2, 4])
})

it('asks for each query alone if a batch is refused, and keeps those that another one leaves', async () => {
  const refuse = ({ queries, respond }: Asked) =>
    queries.length > 1 ? respond(400) : answerAll({ queries, respond })
  const { ask, askMany, sizes } = await setupQueries(refuse)
  await ask('first')
  const aborting = new AbortController()
  const leaves = ask('leaves', { signal: aborting.signal })
  const stays = askMany(['a', 'b'])
  await new Promise((resolve) => setImmediate(resolve))
  aborting.abort()
  await expect(leaves).rejects.toMatchObject({ code: 'ABORTED' })
  expect(outcomes(await stays)).toEqual(['a', 'b'])
  expect(sizes).toEqual([1, 2, 1, 1])
})

it('gives up the calls of a batch that is late, and sends smaller ones', async () => {
  let isLate = false
  const answer = (asked: Asked) => {
    if (!(isLate && asked.queries.length > 1)) answerAll(asked)
  }
  const { ask, askMany, sizes } = await setupQueries(answer, { timeoutMs: 300 })
  await ask('first')
  await askMany(['a', 'b', 'c', 'd', 'e', 'f'])
  isLate = true
  const eight = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  const late = eight.map(() => 'DEADLINE_EXCEEDED')
  expect(outcomes(await askMany(eight))).toEqual(late)
  isLate = false
  expect(outcomes(await askMany(eight))).toEqual(eight)
  expect(sizes).toEqual([1, 2, 4, 8, 4, 4])
})
