// A proxy between ingest and the node that records the body of every request, in order.
import { text } from 'node:stream/consumers'
import { startServer } from '../support/http/server.ts'

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
  // Without a websocket ingest polls, so the proxy records every query.
  const server = await startServer(async (incoming, response) => {
    most = Math.max(most, ++underWay)
    response.on('close', () => {
      underWay--
    })
    const answer = await forward(await text(incoming))
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
  })
  return { ...server, bodies, mostAtOnce: () => most }
}
