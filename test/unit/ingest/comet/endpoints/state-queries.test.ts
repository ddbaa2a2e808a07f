// Tests second opinions over HTTP: which endpoints are asked, and when they are not waited for.
import { expect, it, onTestFinished } from 'vitest'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createChainNode } from '../../../../../ingest/comet/endpoints/node-pool.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'
import { createBlockChain } from '../../../../support/simulator/block-chain.ts'
import { type NodeOptions, startNode } from '../../../../support/simulator/nodes/node.ts'

const chain = createBlockChain({ blocks: 20 })
const QUERY = { path: '/x', data: new Uint8Array(), height: 7 }

const QUICK = { timeoutMs: 300, retryBudgetMs: 300, coolDownMs: 20, crossCheckGraceMs: 300 }

/** Each endpoint answers with its number. */
const setup = async (nodes: readonly Partial<NodeOptions>[], paths: readonly string[] = []) => {
  const started = await Promise.all(
    nodes.map((options, order) =>
      startNode({ chain, abci: () => ({ value: Uint8Array.of(order) }), ...options }),
    ),
  )
  for (const each of started) onTestFinished(each.close)
  const node = await createChainNode({
    urls: [...started.map(({ url }) => url), ...paths.map((path) => `${started[0]?.url}${path}`)],
    settings: QUICK,
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  onTestFinished(node.close)
  return { node, started }
}

const UNREACHABLE = { code: 'RPC_UNAVAILABLE' }

it('a second opinion comes from each other endpoint once, whatever their order', async () => {
  const { node } = await setup([{}, {}, {}])
  const answers = [await node.abciQuery(QUERY)]
  while (answers.length < 3) answers.push(await node.abciQuery(QUERY, { besides: answers }))
  const numbers = answers.map((answer) => (answer.kind === 'value' ? answer.value[0] : undefined))
  expect(numbers.toSorted()).toEqual([0, 1, 2])
  await expect(node.abciQuery(QUERY, { besides: answers })).rejects.toMatchObject(UNREACHABLE)
})

it('another path of the same host gives no second opinion', async () => {
  const { node } = await setup([{}], ['/other', '/another'])
  const first = await node.abciQuery(QUERY)
  await expect(node.abciQuery(QUERY, { besides: [first] })).rejects.toMatchObject(UNREACHABLE)
})

it('an endpoint that is a block behind is waited for, and one that is down is not', async () => {
  let attempts = 0
  const behind = {
    code: 1,
    codespace: 'sdk',
    log: 'cannot query with height in the future; please provide a valid height: invalid height',
  }
  const { node } = await setup([
    {},
    { abci: () => (++attempts < 3 ? behind : { value: Uint8Array.of(1) }), delayMs: () => 20 },
  ])
  const first = await node.abciQuery(QUERY, {})
  const second = await node.abciQuery(QUERY, { besides: [first] })
  expect([first.kind, second.kind]).toEqual(['value', 'value'])
  const { node: other, started } = await setup([{}, { delayMs: () => 20 }])
  const answer = await other.abciQuery(QUERY)
  for (const each of started) each.fault('drops the socket')
  await expect(other.abciQuery(QUERY, { besides: [answer] })).rejects.toMatchObject(UNREACHABLE)
})

it('an endpoint that has pruned the state gives no opinion', async () => {
  const pruned = { code: 38, log: 'failed to load state at height 7; version does not exist' }
  const { node } = await setup([{}, { abci: () => pruned, delayMs: () => 20 }])
  const first = await node.abciQuery(QUERY)
  expect(await node.abciQuery(QUERY, { besides: [first] })).toMatchObject({ kind: 'pruned' })
})

const lacksQuery = { code: 6, codespace: 'sdk', log: 'unknown query path: unknown request' }

it('a query that one endpoint does not have goes to the other one, and then directly to it', async () => {
  const lacking: string[] = []
  const lacks = (lacked: string) => (request: { path: string }) => {
    if (request.path !== lacked) return { value: Uint8Array.of(1) }
    lacking.push(lacked)
    return lacksQuery
  }
  const { node } = await setup([{ abci: lacks('/a') }, { abci: lacks('/b') }])
  for (const path of ['/a', '/b', '/a', '/b']) {
    expect(await node.abciQuery({ ...QUERY, path })).toMatchObject({ kind: 'value' })
  }
  expect(lacking.length).toBe(new Set(lacking).size)
})

it('a query that no endpoint has is unknown, and is then asked of one endpoint', async () => {
  let asked = 0
  const abci = () => {
    asked++
    return lacksQuery
  }
  const lacks = { abci }
  const { node } = await setup([lacks, lacks, lacks])
  expect(await node.abciQuery(QUERY)).toMatchObject({ kind: 'refused', log: lacksQuery.log })
  expect(asked).toBe(3)
  expect(await node.abciQuery(QUERY)).toMatchObject({ kind: 'refused' })
  expect(asked).toBe(4)
})

it('a query that the only endpoint that responds does not have is unknown', async () => {
  const { node, started } = await setup([{ abci: () => lacksQuery }, { delayMs: () => 20 }])
  started[1]?.fault('drops the socket')
  expect(await node.abciQuery(QUERY)).toMatchObject({ kind: 'refused' })
})
