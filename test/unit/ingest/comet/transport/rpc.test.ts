// Tests RPC calls to one endpoint over real HTTP: requests, and the classification of responses.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { watchProgress } from '../../../../../ingest/comet/transport/http-post.ts'
import { createMemoryBudget } from '../../../../../ingest/comet/transport/memory-budget.ts'
import { createRpcClient, type RpcOptions } from '../../../../../ingest/comet/transport/rpc.ts'

let cleanUp: (() => void)[] = []
afterEach(() => {
  for (const close of cleanUp) close()
  cleanUp = []
})

type Answer = (call: { id: number; method: string; params: unknown }) => {
  status?: number
  body: unknown
}

const setup = async (answer: Answer, options: Partial<RpcOptions> & { path?: string } = {}) => {
  const sockets = new Set<unknown>()
  const paths: string[] = []
  const authorizations: (string | undefined)[] = []
  const server = http.createServer(async (request, response) => {
    sockets.add(request.socket)
    paths.push(request.url ?? '')
    authorizations.push(request.headers.authorization)
    let text = ''
    for await (const part of request) text += part
    const { status = 200, body } = answer(JSON.parse(text))
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { path = '', ...rest } = options
  const rpc = createRpcClient({
    url: `http://127.0.0.1:${port}${path}`,
    timeoutMs: 1_000,
    maxBodyBytes: 1_000,
    maxConcurrentCalls: 4,
    budget: createMemoryBudget(100_000),
    ...rest,
  })
  cleanUp.push(
    rpc.close,
    () => server.closeAllConnections(),
    () => void server.close(),
  )
  return { rpc, server, sockets, paths, authorizations }
}

const catchError = async (answer: Answer) => {
  const { rpc } = await setup(answer)
  return await rpc.call('block', {}).catch((error: unknown) => error)
}

describe('an RPC call', () => {
  it('sends method and parameters and returns the result', async () => {
    const { rpc } = await setup(({ id, method, params }) => ({
      body: { id, result: { method, params } },
    }))
    const params = { height: '7' }
    expect(await rpc.call('block', params)).toEqual({ method: 'block', params })
  })

  it('reuses its connections', async () => {
    const { rpc, sockets } = await setup(({ id }) => ({ body: { id, result: {} } }))
    for (let call = 0; call < 10; call++) await rpc.call('status', {})
    expect(sockets.size).toBe(1)
  })

  it('recovers from a connection that the node closed', async () => {
    const { rpc, server, sockets } = await setup(({ id }) => ({ body: { id, result: {} } }))
    await rpc.call('status', {})
    server.closeAllConnections()
    await rpc.call('status', {})
    expect(sockets.size).toBe(2)
  })

  it('keeps the path and the user of its URL', async () => {
    const { server, paths, authorizations } = await setup(({ id }) => ({
      body: { id, result: {} },
    }))
    const { port } = server.address() as AddressInfo
    const rpc = createRpcClient({
      url: `http://user:pass@127.0.0.1:${port}/key/rpc`,
      timeoutMs: 1_000,
      maxBodyBytes: 1_000,
      maxConcurrentCalls: 1,
      budget: createMemoryBudget(100_000),
    })
    cleanUp.push(rpc.close)
    await rpc.call('status', {})
    expect(paths).toEqual(['/key/rpc'])
    expect(authorizations).toEqual([`Basic ${Buffer.from('user:pass').toString('base64')}`])
  })

  it('fails at once if the port is closed', async () => {
    const { rpc, server } = await setup(() => ({ body: '' }))
    await new Promise((resolve) => server.close(resolve))
    await expect(rpc.call('status', {})).rejects.toMatchObject({
      code: 'RPC_UNAVAILABLE',
      message: 'ECONNREFUSED',
      retryable: true,
    })
  })

  it('ends with its signal', async () => {
    const { rpc } = await setup(({ id }) => ({ body: { id, result: {} } }))
    await expect(rpc.call('status', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'ABORTED',
    })
  })
})

describe('an error response', () => {
  const refused =
    (data: string, status = 200): Answer =>
    ({ id }) => ({
      status,
      body: { id, error: { code: -32603, message: 'Internal error', data } },
    })

  it.each([
    [200, 'height 5 is not available, lowest height is 9'],
    [500, 'height 5 is not available, lowest height is 9'],
    [200, 'height is not available (requested height: 5, base height: 9)'],
  ])('is a pruned height, with HTTP status %i: %s', async (status, message) => {
    expect(await catchError(refused(message, status))).toMatchObject({
      code: 'HEIGHT_UNAVAILABLE',
      retryable: false,
      message,
    })
  })

  it.each([
    'could not find results for height #5',
    'height 5 must be less than or equal to the current blockchain height 4',
    "height must be less than or equal to the head of the node's blockchain (requested height: 5, blockchain height: 4)",
  ])('is retryable: %s', async (message) => {
    expect(await catchError(refused(message))).toMatchObject({
      code: 'RPC_REFUSED',
      retryable: true,
    })
  })

  it('of a rate limit is no fault of the node, as with HTTP status 429', async () => {
    expect(await catchError(refused('rate limit exceeded'))).toMatchObject({
      code: 'RPC_LIMITED',
      retryable: true,
    })
  })

  it.each([
    ['an error that is only a text', { error: 'Too Many Requests' }, 'Too Many Requests'],
    ['nothing at all', '', 'the response is empty, as under the rate limit of a gateway'],
  ])('of a gateway that limits requests: %s', async (_, body, message) => {
    expect(await catchError(() => ({ body }))).toMatchObject({ code: 'RPC_LIMITED', message })
  })

  it('is a refusal with the message of the node for any other error', async () => {
    const message = 'validators at height 5 not found'
    expect(await catchError(refused(message))).toMatchObject({
      code: 'RPC_REFUSED',
      retryable: false,
      message,
    })
  })
})

describe('an invalid response', () => {
  it.each([
    ['the response is not JSON', () => ({ body: '{"id":1,' })],
    ['the response has no result', () => ({ body: { id: 1 } })],
    ['the response has no result', () => ({ body: 'null' })],
    ['the response has no result', () => ({ body: { id: 1, result: 'yes' } })],
    ['the response belongs to another request', () => ({ body: { id: 99, result: {} } })],
    ['the response is larger than 1000 bytes', () => ({ body: 'x'.repeat(2_000) })],
  ] satisfies [string, Answer][])('is refused: %s', async (message, answer) => {
    expect(await catchError(answer)).toMatchObject({
      code: 'RPC_INVALID_RESPONSE',
      retryable: true,
      message,
    })
  })

  it.each([
    ['status', 70_000, 'the response is larger than 65536 bytes'],
    ['commit', 5_000_000, 'the response is larger than 4194304 bytes'],
    ['abci_query', 4_000_000, 'the response has more than 1000000 values in one part'],
  ])(
    'of %s with %i bytes of small values is refused before it is parsed',
    async (method, size, message) => {
      const { rpc } = await setup(
        ({ id }) => ({ body: `{"id":${id},"result":{"x":[${'{},'.repeat(size / 3)}{}]}}` }),
        { maxBodyBytes: Number.POSITIVE_INFINITY },
      )
      await expect(rpc.call(method, {})).rejects.toMatchObject({
        code: 'RPC_INVALID_RESPONSE',
        message,
      })
    },
  )

  it('that breaks in the middle is unavailable', async () => {
    const { rpc, server } = await setup(() => ({ body: '' }))
    server.removeAllListeners('request')
    server.on('request', (_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"id":1,', () => response.destroy())
    })
    await expect(rpc.call('status', {})).rejects.toMatchObject({
      code: 'RPC_UNAVAILABLE',
      retryable: true,
      message: 'the connection broke in the middle of an answer',
    })
  })

  it.each([
    [429, 'RPC_LIMITED'],
    [502, 'RPC_UNAVAILABLE'],
    [503, 'RPC_LIMITED'],
  ])('with HTTP status %i is %s', async (status, code) => {
    expect(await catchError(() => ({ status, body: '<html>' }))).toMatchObject({
      code,
      retryable: true,
      message: `HTTP status ${status}`,
    })
  })
})

describe('a slow response', () => {
  /** Sends a part every 20 ms. */
  const drip = async (part: string, parts: number) => {
    const { rpc, server } = await setup(() => ({ body: '' }), {
      timeoutMs: 100,
      maxBodyBytes: Number.POSITIVE_INFINITY,
    })
    server.removeAllListeners('request')
    server.on('request', async (_, response) => {
      response.write('{"id":1,"result":{"text":"')
      for (let sent = 0; sent < parts && !response.destroyed; sent++) {
        response.write(part)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      response.end('"}}')
    })
    return rpc.call<{ text: string }>('block', {})
  }

  it('may take longer than the deadline while many bytes arrive', async () => {
    const startedMs = performance.now()
    const { text } = await drip('x'.repeat(20_000), 15)
    expect(text).toHaveLength(300_000)
    expect(performance.now() - startedMs).toBeGreaterThan(200)
  })

  it('fails if it takes much longer than its size explains', async () => {
    await expect(drip('x', 1_000)).rejects.toMatchObject({
      code: 'DEADLINE_EXCEEDED',
      message: expect.stringMatching(/^only \d+ bytes of the answer within \d+ ms$/),
    })
  })

  it('does not fail because this process is busy', async () => {
    const failures: unknown[] = []
    const watch = watchProgress(50, (error) => failures.push(error))
    const untilMs = performance.now() + 200
    await new Promise((resolve) => setTimeout(resolve, 1))
    while (performance.now() < untilMs);
    // The timer is due many times over, and bytes wait in the socket.
    await new Promise((resolve) => setTimeout(resolve, 1))
    watch.received(1)
    await new Promise((resolve) => setImmediate(resolve))
    watch.stop()
    expect(failures).toEqual([])
  })
})
