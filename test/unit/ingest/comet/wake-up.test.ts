// Tests the websocket of a node: a hostile message ends only its connection, a defect ends the process.
import { afterEach, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { createMetrics } from '../../../../infra/runtime/metrics.ts'
import { createWakeUp } from '../../../../ingest/comet/wake-up.ts'
import { silentLogger } from '../../../support/process/log-lines.ts'

const CHAIN_ID = 'fake-1'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

const notice = (height: unknown, chainId = CHAIN_ID): string =>
  JSON.stringify({ result: { data: { value: { header: { chain_id: chainId, height } } } } })

/** Each connection gets the next message; the last message repeats. */
const setup = async (messages: readonly string[], onHeight: (height: number) => void) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  let connections = 0
  server.on('connection', (socket) => {
    const message = messages[Math.min(connections++, messages.length - 1)]
    socket.on('message', () => socket.send(message ?? ''))
  })
  const { port } = server.address() as { port: number }
  const controller = new AbortController()
  closings.push(() => {
    controller.abort()
    server.close()
  })
  const wakeUp = createWakeUp({
    urls: [`http://127.0.0.1:${port}`],
    chainId: CHAIN_ID,
    settings: { silenceMs: 100, reconnect: { baseDelayMs: 1, maxDelayMs: 5 } },
    logger: silentLogger(),
    metrics: createMetrics('ingest'),
  })
  const followed = wakeUp.follow(onHeight, controller.signal)
  return { followed, controller, connections: () => connections }
}

it('fails on a bug instead of connecting again', async () => {
  const { followed, connections } = await setup([notice('7')], () => {
    throw new TypeError('planted')
  })
  await expect(followed).rejects.toThrow(TypeError)
  expect(connections()).toBe(1)
})

it('connects again after each invalid message, and then reports heights', async () => {
  const hostile = [
    'null',
    '7',
    '"text"',
    '[]',
    '{"error":true}',
    '{"error":"text"}',
    '{"error":{"message":{"toString":1}}}',
    '{"error":{"data":{"toString":1},"message":[]}}',
    '{"result":{"data":7}}',
    '{"result":{"data":{"value":{"header":"text"}}}}',
    notice({ toString: 1, valueOf: 1 }),
    notice([1]),
    notice(null),
    'not JSON',
  ]
  const heights: number[] = []
  const { followed, controller, connections } = await setup([...hostile, notice('8')], (height) => {
    heights.push(height)
    controller.abort()
  })
  await followed
  expect([heights, connections()]).toEqual([[8], hostile.length + 1])
})
