// The websocket of CometBFT on the replay: every RPC method, and subscriptions to new blocks.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { type EventKind, eventText, isQuery, parseQueryKind } from './block-events.ts'
import { answerRequest, faultText, type JsonRpcRequest, resultText } from './rpc-http.ts'
import { internalError, invalidParams, type ReplayedChain, RpcFault } from './rpc-methods.ts'

const MAX_SUBSCRIPTIONS = 5
const MAX_QUERY_LENGTH = 512
const MAX_MESSAGE_BYTES = 1_000_000
/** A client with more unread bytes is disconnected: it must fetch the missed blocks anyway. */
const MAX_BUFFERED_BYTES = 16 << 20

type Subscription = { id: unknown; kind: EventKind | undefined }
type Client = { socket: WebSocket; subscriptions: Map<string, Subscription> }

function readQuery(request: JsonRpcRequest): string {
  const { params } = request
  const query = Array.isArray(params)
    ? params[0]
    : (params as { query?: unknown } | undefined)?.query
  if (typeof query !== 'string') throw invalidParams('expected a query')
  if (query.length > MAX_QUERY_LENGTH) throw internalError('maximum query length exceeded')
  return query
}

function subscribe(client: Client, request: JsonRpcRequest): string {
  const query = readQuery(request)
  if (client.subscriptions.size >= MAX_SUBSCRIPTIONS) {
    throw internalError(`max_subscriptions_per_client ${MAX_SUBSCRIPTIONS} reached`)
  }
  if (!isQuery(query)) throw internalError('failed to parse query')
  if (client.subscriptions.has(query)) throw internalError('already subscribed')
  client.subscriptions.set(query, { id: request.id, kind: parseQueryKind(query) })
  return '{}'
}

function unsubscribe(client: Client, request: JsonRpcRequest): string {
  if (!client.subscriptions.delete(readQuery(request)))
    throw internalError('subscription not found')
  return '{}'
}

function unsubscribeAll(client: Client): string {
  if (client.subscriptions.size === 0) throw internalError('subscription not found')
  client.subscriptions.clear()
  return '{}'
}

function answerOne(client: Client, request: JsonRpcRequest, chain: ReplayedChain): string {
  try {
    switch (request.method) {
      case 'subscribe':
        return resultText(request.id, subscribe(client, request))
      case 'unsubscribe':
        return resultText(request.id, unsubscribe(client, request))
      case 'unsubscribe_all':
        return resultText(request.id, unsubscribeAll(client))
      default:
        return answerRequest(request, chain)
    }
  } catch (error) {
    if (error instanceof RpcFault) return faultText(request.id, error)
    throw error
  }
}

function receive(client: Client, data: unknown, chain: ReplayedChain): void {
  let parsed: JsonRpcRequest | JsonRpcRequest[]
  try {
    parsed = JSON.parse(String(data))
  } catch (error) {
    const fault = new RpcFault(-32700, 'Parse error. Invalid JSON', String(error))
    client.socket.send(faultText(undefined, fault))
    return
  }
  for (const request of Array.isArray(parsed) ? parsed : [parsed]) {
    client.socket.send(answerOne(client, request, chain))
  }
}

export type ReplaySocket = {
  /** Handles an HTTP upgrade to a websocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Sends this height to every subscriber. */
  announce(height: number): void
  close(): void
}

export function createReplaySocket(chain: ReplayedChain): ReplaySocket {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  const clients = new Set<Client>()
  server.on('connection', (socket: WebSocket) => {
    const client: Client = { socket, subscriptions: new Map() }
    clients.add(client)
    socket.on('message', (data) => receive(client, data, chain))
    socket.on('error', () => socket.terminate())
    socket.on('close', () => clients.delete(client))
  })
  const announce = (height: number) => {
    const recorded = chain.recording.block(height)
    for (const { socket, subscriptions } of clients) {
      if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate()
      for (const [query, { id, kind }] of subscriptions) {
        if (kind) socket.send(resultText(id, eventText(kind, query, recorded)))
      }
    }
  }
  return {
    upgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (ready) => server.emit('connection', ready)),
    announce,
    close: () => {
      for (const { socket } of clients) socket.terminate()
      server.close()
    },
  }
}
