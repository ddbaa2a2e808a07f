// Tests the RPC of a simulated chain over HTTP: what a real node answers to each kind of request.
import { describe, expect, it, onTestFinished } from 'vitest'
import { createBlockChain } from '../../../../../support/simulator/block-chain.ts'
import { startNode } from '../../../../../support/simulator/nodes/node.ts'

const chain = createBlockChain({ blocks: 20 })

const setup = async () => {
  const node = await startNode({ chain, window: { blocks: 15, results: 10, states: 5 } })
  onTestFinished(node.close)
  const post = async (body: unknown) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await fetch(node.url, { method: 'POST', body: text })
    return { status: response.status, text: await response.text() }
  }
  const call = async (method: string, params: object = {}) =>
    JSON.parse((await post({ jsonrpc: '2.0', id: 1, method, params })).text)
  return { node, post, call }
}

const HEALTH = { jsonrpc: '2.0', id: 1, method: 'health' }

describe('a request', () => {
  it('without an id is a notification, and has no response', async () => {
    const { post } = await setup()
    expect(await post({ jsonrpc: '2.0', method: 'status' })).toEqual({ status: 200, text: '' })
    const { text } = await post([{ jsonrpc: '2.0', method: 'status' }, HEALTH])
    expect(JSON.parse(text)).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
  })

  it('is refused as a batch of more than ten', async () => {
    const { post } = await setup()
    expect(JSON.parse((await post(Array(10).fill(HEALTH))).text)).toHaveLength(10)
    const refused = await post(Array(11).fill(HEALTH))
    expect(refused.status).toBe(500)
    expect(refused.text).toContain('too many requests: max_request_batch_size 10')
  })

  it('of more than a megabyte is refused unread', async () => {
    const { post } = await setup()
    expect(await post('x'.repeat(1_000_001))).toMatchObject({ status: 413 })
  })

  it('in a URI has the same result, and its errors have the status 500', async () => {
    const { node, call } = await setup()
    const { result } = await call('block', { height: '15' })
    const uri = await fetch(`${node.url}/block?height=15`)
    expect(await uri.json()).toEqual({ jsonrpc: '2.0', id: -1, result })
    expect((await fetch(`${node.url}/block?height=x`)).status).toBe(500)
    expect((await fetch(`${node.url}/unknown`)).status).toBe(404)
    expect(await (await fetch(node.url)).text()).toContain('/abci_query?path=_&amp;data=_')
  })

  it('of an unknown method is refused, with arguments by name and in order', async () => {
    const { call } = await setup()
    const error = { code: -32601, message: 'Method not found' }
    expect(await call('unknown')).toMatchObject({ error })
    expect(await call('unknown', ['1'])).toMatchObject({ error })
    expect((await call('block', ['1', '2'])).error.data).toContain('expected 1 parameters, got 2')
  })
})

describe('a height', () => {
  it.each([
    ['block', '21', 'height 21 must be less than or equal to the current blockchain height 20'],
    ['block_results', '21', 'height 21 must be less than or equal to'],
    ['block', '0', 'height must be greater than 0, but got 0'],
    ['block', '5', 'height 5 is not available, lowest height is 6'],
    ['block_results', '10', 'could not find results for height #10'],
    ['validators', '20', 'no validators are recorded for height 20'],
  ])('of %s is refused: %s', async (method, height, reason) => {
    const { call } = await setup()
    expect((await call(method, { height })).error.data).toContain(reason)
  })

  it.each([
    ['21', 6, 'unknown query path: unknown request'],
    ['15', 38, 'failed to load state at height 15; version does not exist (latest height: 20)'],
  ])('of a state query is refused by the chain or by the node: %s', async (height, code, log) => {
    const { call } = await setup()
    const { result } = await call('abci_query', { path: '/x', height })
    expect(result.response).toMatchObject({ code, log: expect.stringContaining(log) })
  })
})

it('has text that is safe inside HTML, as Go writes it', async () => {
  const attributes = [['note', '<script>&\u2028']] as const
  const hostile = createBlockChain({ blocks: [{ end: [{ type: 'x', attributes }] }] })
  const node = await startNode({ chain: hostile })
  onTestFinished(node.close)
  const text = await (await fetch(`${node.url}/block_results`)).text()
  expect(text).toContain('\\u003cscript\\u003e\\u0026\\u2028')
})
