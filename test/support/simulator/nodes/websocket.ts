// The websocket of CometBFT: subscriptions to the headers of new blocks.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { MAX_BODY_BYTES } from '../rpc/bodies.ts'
import type { NodeView } from '../rpc/methods.ts'
import { type RpcCall, RpcFault, toResponseText } from '../rpc/reply.ts'
import { toHeaderJson } from './block-json.ts'

const QUERY = "tm.event='NewBlockHeader'"
const KIND = 'tendermint/event/NewBlockHeader'

/** Called after a connection was opened, and after it has subscribed. */
type SocketEvents = { opened(): void; subscribed(): void }

export const createNodeSocket = (view: NodeView, { opened, subscribed }: SocketEvents) => {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES })
  /** By connection, the ID of the call that subscribed. */
  const subscriptions = new Map<WebSocket, unknown>()
  let connections = 0
  const subscribe = (socket: WebSocket, { id, method, params }: RpcCall) => {
    if (method !== 'subscribe' || params['query'] !== QUERY) {
      const error = new RpcFault(-32603, 'Internal error', 'failed to parse query')
      return socket.send(toResponseText(id, { error }))
    }
    subscriptions.set(socket, id)
    socket.send(toResponseText(id, { result: {} }))
    subscribed()
  }
  const accept = (socket: WebSocket) => {
    connections++
    socket.on('message', (data) => subscribe(socket, JSON.parse(String(data)) as RpcCall))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => subscriptions.delete(socket))
    opened()
  }
  const cut = () => {
    for (const socket of server.clients) socket.terminate()
  }
  return {
    /** Handles an HTTP upgrade to a websocket. */
    upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      server.handleUpgrade(request, socket, head, accept),
    /** Sends the header of the tip to every subscriber. */
    announce: () => {
      const value = { header: toHeaderJson(view.chain, view.tip) }
      const result = { query: QUERY, data: { type: KIND, value } }
      for (const [socket, id] of subscriptions) socket.send(toResponseText(id, { result }))
    },
    /** Ends every subscription with an error, as a node does that stops or finds its client slow. */
    cancelSubscriptions: (reason: string) => {
      const data = `subscription was canceled (reason: ${reason})`
      const error = new RpcFault(-32000, 'Server error', data)
      for (const [socket, id] of subscriptions) socket.send(toResponseText(id, { error }))
      subscriptions.clear()
    },
    cut,
    /** Connections with a subscription. */
    get subscribers() {
      return subscriptions.size
    },
    /** Number of all connections since the start. */
    get connections() {
      return connections
    },
    close: () => {
      cut()
      server.close()
    },
  }
}
