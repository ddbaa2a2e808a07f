// Tests batches: their size, endpoints that refuse them, and the outcome of each call in them.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../../../../infra/base/runtime/clock.ts'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { createBatchSize, splitBatch } from '../../../../../ingest/comet/transport/batch.ts'
import { createMemoryBudget } from '../../../../../ingest/comet/transport/memory-budget.ts'
import { type CallOptions, RpcClient } from '../../../../../ingest/comet/transport/rpc.ts'
import { eventSelection } from '../../../../../ingest/derive/event-selection.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { startGateway } from '../../../../support/simulator/nodes/gateway.ts'
import { createResponder } from '../../../../support/simulator/nodes/node.ts'

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

it('grows with each answer, and shrinks with the size of the responses', () => {
  const size = createBatchSize(systemClock)
  const answer = (bytes: number) => {
    const requests = size.of('block_results')
    size.answered({ kind: 'block_results', requests, bytes: bytes * requests, tookMs: 1 })
    return requests
  }
  expect([1, 2, 3, 4, 5].map(() => answer(1_000))).toEqual([1, 2, 4, 8, 10])
  expect([1, 2, 3, 4].map(() => answer(6_000_000)).at(-1)).toBe(1)
  size.refused()
  expect(size.of('block')).toBe(1)
})

const readRange = async (manners: Parameters<typeof startGateway>[1]) => {
  const chain = createBlockChain({ blocks: 40 })
  const gateway = await startGateway([createResponder({ chain })], manners)
  onTestFinished(gateway.close)
  const node = await createChainNode({
    urls: [gateway.url],
    selection: eventSelection,
    settings: { retryBudgetMs: 0 },
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  const memory = createMemoryBudget(2 ** 30).open()
  const read = () => node.blockRange?.({ from: 3, to: 22 }, { memory, isPast: true })
  const first = await read()
  return { chain, first, blocks: await read(), gateway }
}

it('reads twenty heights in a few requests', async () => {
  const { chain, blocks, first } = await readRange({})
  expect(blocks).toEqual(first)
  expect(blocks?.map(({ height, hash }) => [height, hash])).toEqual(
    Array.from({ length: 20 }, (_, at) => [at + 3, chain.block(at + 3).hash]),
  )
})

it('asks one at a time where a gateway forbids batches, and is not slowed down by that', async () => {
  const { blocks, gateway } = await readRange({ maxBatch: 1 })
  expect(blocks).toHaveLength(20)
  const refused = [...gateway.traffic().methods.values()].map((counts) => counts.refused)
  expect(Math.max(...refused)).toBe(2)
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

it('halves batches and pauses at a refusal because of a limit', async () => {
  let isLimited = false
  const limit = (asked: Asked) => (isLimited ? asked.respond(429) : answerAll(asked))
  const { ask, askMany, rpc, sizes } = await setupQueries(limit)
  await ask('first')
  await askMany(['a', 'b', 'c', 'd', 'e', 'f'])
  isLimited = true
  expect(outcomes(await askMany(['a', 'b']))).toEqual(['RPC_LIMITED', 'RPC_LIMITED'])
  expect(rpc.pace.pausedMs()).toBeGreaterThan(500)
  expect(sizes).toEqual([1, 2, 4, 2])
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
