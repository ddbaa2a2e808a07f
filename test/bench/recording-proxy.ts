// A proxy between ingest and the node that records the body of every request, in order.
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export type RecordingProxy = {
  url: string
  bodies: string[]
  /** The largest number of concurrent requests. */
  mostAtOnce(): number
  close(): Promise<void>
}

const forward = (
  url: string,
  agent: Agent,
  body: string,
): Promise<{ status: number; text: Buffer }> =>
  new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 502, text: Buffer.concat(parts) }),
      )
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })

export const startRecordingProxy = async (target: string): Promise<RecordingProxy> => {
  const bodies: string[] = []
  const agent = new Agent({ keepAlive: true })
  let underWay = 0
  let most = 0
  const server = createServer((incoming, response) => {
    // Without a websocket ingest polls, so the proxy records every query.
    if (incoming.method !== 'POST') {
      response.writeHead(404).end()
      return
    }
    most = Math.max(most, ++underWay)
    response.on('close', () => {
      underWay--
    })
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const body = Buffer.concat(parts).toString('utf8')
      bodies.push(body)
      forward(target, agent, body).then(
        ({ status, text }) =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(text),
        () => response.destroy(),
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let closing: Promise<void> | undefined
  const close = async (): Promise<void> => {
    agent.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    mostAtOnce: () => most,
    close: () => {
      closing ??= close()
      return closing
    },
  }
}
