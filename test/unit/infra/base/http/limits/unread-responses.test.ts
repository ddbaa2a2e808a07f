// Connections of clients that read nothing end, those of slow clients do not: real sockets, and checks on a fake clock.
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import {
  endUnreadResponses,
  UNREAD_CHECKS,
} from '../../../../../../infra/base/http/limits/unread-responses.ts'
import { createFakeClock } from '../../../../../support/process/fake-clock.ts'

const MIB = 1024 * 1024
/** More than the buffers of the operating system hold. */
const BODY = Buffer.alloc(24 * MIB)
const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const setup = async (listener: RequestListener = (_request, response) => response.end(BODY)) => {
  const clock = createFakeClock({ autoAdvance: false })
  const server = createServer(listener)
  endUnreadResponses(server, clock)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(
    () => server.close(),
    () => server.closeAllConnections(),
  )
  const { port } = server.address() as AddressInfo
  /** Checks once, and returns after the check. */
  const check = async (lateByMs = 0) => {
    const { length } = clock.sleeps
    clock.advance(UNREAD_CHECKS.everyMs + lateByMs)
    await expect.poll(() => clock.sleeps.length, { interval: 1 }).toBe(length + 1)
  }
  return {
    clock,
    check,
    checks: async (count: number) => {
      for (let n = 0; n < count; n++) await check()
    },
    /** Both ends of a connection that has sent a request and reads nothing. */
    request: async (): Promise<{ client: Socket; served: Socket }> => {
      const client = connect(port, '127.0.0.1')
      client.on('error', () => undefined)
      ends.push(() => client.destroy())
      client.pause()
      const [[served]] = await Promise.all([once(server, 'connection'), once(client, 'connect')])
      const requested = once(server, 'request')
      client.write(REQUEST)
      await requested
      return { client, served }
    },
  }
}

/** The bytes that the operating system has not accepted yet. */
const countWaiting = (served: Socket): number =>
  (served as unknown as { _handle: { writeQueueSize: number } | null })._handle?.writeQueueSize ?? 0

/** Reads until the operating system accepts more, or the response ends. */
const readSome = async (client: Socket, served: Socket): Promise<number> => {
  const waiting = countWaiting(served)
  let count = 0
  const onData = (chunk: Buffer) => {
    count += chunk.length
  }
  client.on('data', onData)
  client.resume()
  const isEnough = () => client.readableEnded || (waiting > 0 && countWaiting(served) < waiting)
  await expect.poll(isEnough, { interval: 1 }).toBe(true)
  client.pause()
  client.off('data', onData)
  return count
}

describe('a connection with a response', () => {
  it('ends when the client has read nothing between seven checks', async () => {
    const { checks, request } = await setup()
    const { served } = await request()
    // The first check only counts what is accepted.
    await checks(UNREAD_CHECKS.limit)
    expect(served.destroyed).toBe(false)
    await checks(1)
    expect(served.destroyed).toBe(true)
  })

  it('ends although the client sends bytes, if it reads none', async () => {
    const { check, request } = await setup()
    const { client, served } = await request()
    for (let n = 0; n <= UNREAD_CHECKS.limit; n++) {
      client.write('\r\n')
      await check()
    }
    expect(served.destroyed).toBe(true)
  })

  it('stays open for a client that reads something between six checks, and it receives everything', async () => {
    const { checks, request } = await setup((_request, response) => {
      response.setHeader('connection', 'close')
      response.end(BODY)
    })
    const { client, served } = await request()
    let received = 0
    await checks(1)
    while (!client.readableEnded) {
      await checks(UNREAD_CHECKS.limit - 1)
      received += await readSome(client, served)
    }
    expect(received).toBeGreaterThan(BODY.length)
  })

  it('counts a check of a busy process once, however late it is', async () => {
    const { check, checks, request } = await setup()
    const { served } = await request()
    for (let n = 0; n < UNREAD_CHECKS.limit; n++) await check(10 * 60_000)
    expect(served.destroyed).toBe(false)
    await checks(1)
    expect(served.destroyed).toBe(true)
  })

  it('stays open while nothing waits for the client: no request, a slow response, a stream without news', async () => {
    const { checks, request } = await setup((_request, response) => void response.write('news'))
    const { client, served } = await request()
    await checks(3 * UNREAD_CHECKS.limit)
    expect([served.destroyed, client.destroyed]).toEqual([false, false])
  })
})

describe('the checks', () => {
  it('stop when the server closes', async () => {
    const { clock, check } = await setup()
    await check()
    const { length } = clock.sleeps
    for (const end of ends.splice(0).reverse()) await end()
    clock.advance(10 * UNREAD_CHECKS.everyMs)
    expect(clock.sleeps).toHaveLength(length)
  })
})
