// Tests the subscriptions of a simulated node: their events in each form, their limits and their end.
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { createBlockChain } from '../../../../../support/simulator/block-chain.ts'
import { type NodeOptions, startNode } from '../../../../../support/simulator/nodes/node.ts'

const BLOCK = {
  begin: [{ type: 'mint', attributes: [['amount', '5']] as const }],
  end: [{ type: 'active_proposal', attributes: [['proposal_id', '7']] as const }],
}

const setup = async (options: Partial<NodeOptions> = {}) => {
  const chain = createBlockChain({ blocks: 3 })
  const node = await startNode({ chain, ...options })
  const socket = new WebSocket(`${node.url.replace('http', 'ws')}/websocket`)
  onTestFinished(async () => {
    socket.terminate()
    await node.close()
  })
  // biome-ignore lint/suspicious/noExplicitAny: messages of any kind
  const messages: any[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await new Promise((resolve) => socket.once('open', resolve))
  const ask = (id: number, method: string, params: object = {}) =>
    socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
  const next = (count: number) => expect.poll(() => messages.length).toBe(count)
  return { chain, node, messages, ask, next }
}

const subscription = (kind: string) => ({ query: `tm.event='${kind}'` })

describe('a subscription', () => {
  it('to new blocks has the results of both phases as one list, or as two before 0.38', async () => {
    for (const form of ['0.34', '0.37', '0.38'] as const) {
      const { chain, node, messages, ask, next } = await setup({ form })
      ask(1, 'subscribe', subscription('NewBlock'))
      await next(1)
      chain.add(BLOCK)
      node.announce()
      await next(2)
      const { block, ...results } = messages[1].result.data.value
      expect(block.header.height).toBe('4')
      const types = (events: { type: string }[]) => events.map(({ type }) => type)
      if (form === '0.38') {
        const { events } = results.result_finalize_block
        expect(types(events)).toEqual(['mint', 'active_proposal'])
      } else {
        expect(types(results.result_begin_block.events)).toEqual(['mint'])
        expect(types(results.result_end_block.events)).toEqual(['active_proposal'])
      }
      expect(messages[1].result.events).toMatchObject({
        'tm.event': ['NewBlock'],
        'mint.amount': ['5'],
        'active_proposal.proposal_id': ['7'],
      })
    }
  })

  it('is refused if it is the sixth, if it exists, and if it is no query', async () => {
    const { messages, ask, next } = await setup()
    ask(0, 'subscribe', { query: 'nothing' })
    for (let id = 1; id <= 5; id++) ask(id, 'subscribe', { query: `tm.event='Tx' AND a.b=${id}` })
    ask(6, 'subscribe', subscription('NewBlock'))
    ask(7, 'unsubscribe', { query: "tm.event='Tx' AND a.b=1" })
    ask(8, 'subscribe', { query: "tm.event='Tx' AND a.b=2" })
    ask(9, 'unsubscribe', { query: 'tm.event=x' })
    await next(10)
    const errors = messages.flatMap(({ id, error }) => (error ? [[id, error.data]] : []))
    expect(errors).toEqual([
      [0, 'failed to parse query'],
      [6, 'max_subscriptions_per_client 5 reached'],
      [8, 'already subscribed'],
      [9, 'subscription not found'],
    ])
  })

  it('ends with an error if the node cancels it', async () => {
    const { node, messages, ask, next } = await setup()
    ask(1, 'subscribe', subscription('NewBlockHeader'))
    await next(1)
    expect(node.subscribers).toBe(1)
    node.fault('cancels the subscription')
    await next(2)
    expect(messages[1]).toMatchObject({
      id: 1,
      error: { data: 'subscription was canceled (reason: slow client)' },
    })
    expect(node.subscribers).toBe(0)
  })
})

it('answers the other methods of the RPC, in the order of the requests', async () => {
  const { messages, ask, next } = await setup()
  ask(1, 'block', { height: '2' })
  ask(2, 'health')
  ask(3, 'unknown')
  await next(3)
  expect(messages.map(({ id }) => id)).toEqual([1, 2, 3])
  expect(messages[0].result.block.header.height).toBe('2')
  expect(messages[2].error.code).toBe(-32601)
})
