// Tests that the operator port of the machine answers although a child ends, stalls or errs in the middle of its own answer.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { startMachineOperators } from '../../../../../infra/app/start/operators.ts'
import { createMetrics } from '../../../../../infra/base/runtime/metrics.ts'
import { silentLogger } from '../../../../support/process/log-lines.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const startChild = async (answer: (response: ServerResponse) => void): Promise<string> => {
  const server = createServer((_, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const readOperators = async (child: string) => {
  const operators = await startMachineOperators({
    host: '127.0.0.1',
    port: 0,
    metrics: createMetrics('machine'),
    services: new Map([['reader', child]]),
    down: () => new Map(),
    logger: silentLogger(),
  })
  closers.push(() => void operators.close())
  const [ready, metrics] = await Promise.all([
    fetch(new URL('/readyz', operators.url)),
    fetch(new URL('/metrics', operators.url)),
  ])
  return { ready: { status: ready.status, body: await ready.json() }, metrics: metrics.status }
}

const begin = (response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '100' })
  response.write('{"ready"')
}

describe('the operator port of the machine', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    [
      'ends within its body',
      (response) => {
        begin(response)
        setImmediate(() => response.destroy())
      },
    ],
    ['never ends its body', begin],
    ['answers null', (response) => response.end('null')],
    ['answers reasons that are no list', (response) => response.end('{"reasons":1}')],
    ['answers no JSON', (response) => response.end('<html>')],
  ])('is not ready, and has its own metrics, if a child %s', async (_, answer) => {
    const { ready, metrics } = await readOperators(await startChild(answer))
    expect(ready).toEqual({
      status: 503,
      body: { ready: false, reasons: ['reader: does not answer'] },
    })
    expect(metrics).toBe(200)
  })

  it('has the details of its children', async () => {
    const body = { ready: true, reasons: ['slow'], endpoints: [{ endpoint: 'a' }] }
    const child = await startChild((response) => response.end(JSON.stringify(body)))
    expect((await readOperators(child)).ready).toEqual({
      status: 200,
      body: { ready: true, reasons: ['reader: slow'], endpoints: [{ endpoint: 'a' }] },
    })
  })
})
