// The websocket of the demo node: it sends the header of each new block to every client that has subscribed, whatever the query is.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { MAX_BODY_BYTES } from '../chain/rpc/json-rpc.ts'
import type { NodeView } from '../chain/rpc/node-view.ts'
import { toResponseText } from '../chain/rpc/reply.ts'

export function createHeaderNotices(view: NodeView) {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES })
  /** The ID of the subscription of each client. */
  const subscribers = new Map<WebSocket, unknown>()
  const receive = (socket: WebSocket, data: unknown): void => {
    try {
      const { id, method } = JSON.parse(String(data)) as { id?: unknown; method?: unknown }
      if (method === 'subscribe') subscribers.set(socket, id)
      socket.send(toResponseText(id, { result: {} }))
    } catch {
      socket.terminate()
    }
  }
  return {
    upgrade: (request: IncomingMessage, connection: Duplex, head: Buffer): void =>
      server.handleUpgrade(request, connection, head, (socket) => {
        socket.on('message', (data) => receive(socket, data))
        socket.on('error', () => socket.terminate())
        socket.on('close', () => subscribers.delete(socket))
      }),
    /** Sends the header of the tip. */
    announce: (): void => {
      const value = { header: view.write.header(view, view.tip) }
      const result = { data: { type: 'tendermint/event/NewBlockHeader', value } }
      for (const [socket, id] of subscribers) socket.send(toResponseText(id, { result }))
    },
    close: (): void => {
      for (const socket of server.clients) socket.terminate()
      server.close()
    },
  }
}
