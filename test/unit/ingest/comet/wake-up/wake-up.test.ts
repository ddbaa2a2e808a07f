// Tests the websocket of a node: a hostile message ends only its connection, a defect ends the process.
import { afterEach, expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { createNodeHealth } from '../../../../../ingest/comet/endpoints/endpoint-health.ts'
import { createWakeUp, type WakeUpSettings } from '../../../../../ingest/comet/wake-up/wake-up.ts'
import { waitUntil } from '../../../../support/chain/source-rig.ts'
import { recordingLogger } from '../../../../support/process/log-lines.ts'

const CHAIN_ID = 'fake-1'

const closings: (() => void)[] = []
afterEach(() => {
  for (const close of closings.splice(0)) close()
})

const notice = (height: unknown, chainId = CHAIN_ID): string =>
  JSON.stringify({ result: { data: { value: { header: { chain_id: chainId, height } } } } })

type Serve = (socket: WebSocket, connection: number) => void

/** Each connection gets the next message; the last message repeats. */
const oneEach =
  (messages: readonly string[]): Serve =>
  (socket, connection) =>
    socket.on('message', () => socket.send(messages[connection] ?? messages.at(-1) ?? ''))

const setup = async (
  serve: Serve,
  onHeight: (height: number) => void,
  settings: Partial<WakeUpSettings> = {},
) => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await new Promise((resolve) => server.once('listening', resolve))
  let connections = 0
  server.on('connection', (socket) => {
    // The client may end the connection in the middle of a message.
    socket.on('error', () => {})
    serve(socket, connections++)
  })
  const { port } = server.address() as { port: number }
  const controller = new AbortController()
  closings.push(() => {
    controller.abort()
    server.close()
  })
  const health = createNodeHealth()
  const { logger, lines } = recordingLogger()
  const wakeUp = createWakeUp({
    urls: [`http://127.0.0.1:${port}`],
    chainId: CHAIN_ID,
    settings: {
      silenceMs: 300,
      reconnect: { baseDelayMs: 1, maxDelayMs: 5 },
      misusePauseMs: 1,
      ...settings,
    },
    logger,
    metrics: createMetrics('ingest'),
    health,
  })
  const follow = () => wakeUp.follow(onHeight, controller.signal)
  return { follow, controller, health, lines, connections: () => connections }
}

/** On a busy machine, a connection must not be cut off as silent before its message is read. */
const NO_SILENCE = { silenceMs: 60_000 }

it('fails on a bug instead of connecting again', async () => {
  const onHeight = () => {
    throw new TypeError('planted')
  }
  const { follow, connections } = await setup(oneEach([notice('7')]), onHeight, NO_SILENCE)
  await expect(follow()).rejects.toThrow(TypeError)
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
  const { follow, controller, connections } = await setup(
    oneEach([...hostile, notice('8')]),
    (height) => {
      heights.push(height)
      controller.abort()
    },
  )
  await follow()
  expect([heights, connections()]).toEqual([[8], hostile.length + 1])
})

/** The first connection floods the client, each later one reports a height. */
const floodFirst =
  (flood: (socket: WebSocket) => void): Serve =>
  (socket, connection) =>
    socket.on('message', () => (connection === 0 ? flood(socket) : socket.send(notice('9'))))

const sendEndlessly = (message: string) => (socket: WebSocket) => {
  const next = () => {
    if (socket.readyState === socket.OPEN) socket.send(message, () => setImmediate(next))
  }
  next()
}

const LARGE = `{"result":{"x":[${'{},'.repeat(30_000)}{}]}}`

it.each([
  ['messages without end', sendEndlessly(notice('7')), 'more than 1000 messages'],
  ['a message that is too large', sendEndlessly(LARGE), 'is larger than 65536 bytes'],
  [
    'pings without end',
    (socket: WebSocket) => {
      for (let count = 0; count < 2_000; count++) socket.ping()
    },
    'more than 1000 messages',
  ],
])('pauses after %s, names the endpoint, and recovers later', async (_, flood, reason) => {
  const heights = new Set<number>()
  const rig = await setup(floodFirst(flood), (height) => heights.add(height), {
    ...NO_SILENCE,
    misusePauseMs: 300,
  })
  const followed = rig.follow()
  await waitUntil(() => rig.health.readiness().reasons.length > 0, 'the misuse in the readiness')
  const [problem] = rig.health.readiness().reasons
  expect(problem).toMatch(/^websocket of 127\.0\.0\.1:\d+: /)
  expect(problem).toContain(reason)
  expect(rig.health.readiness().ready).toBe(true)
  expect(rig.connections()).toBe(1)
  await waitUntil(() => heights.has(9), 'a height from the next connection')
  expect(rig.health.readiness().reasons).toEqual([])
  expect(rig.lines.map(({ msg }) => msg)).toEqual(['websocket ended', 'websocket recovered'])
  rig.controller.abort()
  await followed
})

it('answers a ping', async () => {
  const answered = new Promise<string>((resolve) => {
    const serve: Serve = (socket) => {
      socket.on('pong', (data) => resolve(`${data}`))
      socket.on('message', () => socket.ping('beat'))
    }
    void setup(serve, () => {}, NO_SILENCE).then(({ follow }) => follow())
  })
  expect(await answered).toBe('beat')
})

it('ends without another connection if it is stopped in the pause after a misuse', async () => {
  const rig = await setup(floodFirst(sendEndlessly(LARGE)), () => {}, {
    ...NO_SILENCE,
    misusePauseMs: 60_000,
  })
  const followed = rig.follow()
  await waitUntil(() => rig.lines.length > 0, 'the end of the connection')
  rig.controller.abort()
  await followed
  expect(rig.connections()).toBe(1)
})
