// A proxy between ingest and the node that records the body of every request, in order.
import { createServer } from 'node:http'
import { listeningUrl } from '../../infra/base/runtime/ports.ts'
import { refuseUpgrade } from '../support/simulator/rpc/server.ts'

export type RecordingProxy = {
  url: string
  bodies: string[]
  /** The largest number of concurrent requests. */
  mostAtOnce(): number
  close(): Promise<void>
}

export const startRecordingProxy = async (target: string): Promise<RecordingProxy> => {
  const bodies: string[] = []
  let underWay = 0
  let most = 0
  const forward = async (body: string): Promise<string> => {
    bodies.push(body)
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(target, { method: 'POST', headers, body })
    return response.text()
  }
  const server = createServer(async (incoming, response) => {
    most = Math.max(most, ++underWay)
    response.on('close', () => {
      underWay--
    })
    let body = ''
    for await (const part of incoming) body += part
    try {
      const text = await forward(body)
      response.writeHead(200, { 'content-type': 'application/json' }).end(text)
    } catch {
      response.destroy()
    }
  })
  // Without a websocket ingest polls, so the proxy records every query.
  server.on('upgrade', (_request, connection) => refuseUpgrade(connection))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: listeningUrl(server) ?? '',
    bodies,
    mostAtOnce: () => most,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
