// The websocket of CometBFT: every RPC method, and subscriptions to new blocks.
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import {
  internalError,
  invalidParams,
  type Reply,
  type Responder,
  RpcFault,
  toResponseText,
} from '../rpc/reply.ts'
import { answerRequest, type JsonRpcRequest, MAX_BODY_BYTES } from '../rpc/server.ts'
import {
  type BlockJson,
  type EventKind,
  isQuery,
  parseQueryKind,
  readBlockJson,
  toEventJson,
} from './block-events.ts'
import { joinsBlockEvents, type RpcForm } from './forms.ts'
import type { SimulatedNodeView } from './node-view.ts'

const MAX_SUBSCRIPTIONS = 5
const MAX_QUERY_LENGTH = 512
/** A client with more unread bytes is disconnected: it must fetch the missed blocks anyway. */
const MAX_BUFFERED_BYTES = 16 << 20

type Subscription = { id: unknown; kind: EventKind | undefined }
type Client = { socket: WebSocket; subscriptions: Map<string, Subscription> }

const readQuery = ({ params }: JsonRpcRequest): string => {
  const query = Array.isArray(params)
    ? params[0]
    : (params as { query?: unknown } | undefined)?.query
  if (typeof query !== 'string') throw invalidParams('expected a query')
  if (query.length > MAX_QUERY_LENGTH) throw internalError('maximum query length exceeded')
  return query
}

const subscribe = ({ subscriptions }: Client, request: JsonRpcRequest): void => {
  const query = readQuery(request)
  if (subscriptions.size >= MAX_SUBSCRIPTIONS) {
    throw internalError(`max_subscriptions_per_client ${MAX_SUBSCRIPTIONS} reached`)
  }
  if (!isQuery(query)) throw internalError('failed to parse query')
  if (subscriptions.has(query)) throw internalError('already subscribed')
  subscriptions.set(query, { id: request.id, kind: parseQueryKind(query) })
}

const unsubscribe = ({ subscriptions }: Client, request: JsonRpcRequest): void => {
  if (!subscriptions.delete(readQuery(request))) throw internalError('subscription not found')
}

const unsubscribeAll = ({ subscriptions }: Client): void => {
  if (subscriptions.size === 0) throw internalError('subscription not found')
  subscriptions.clear()
}

/** Nodes before 0.38 accept a subscription to an event that they never send. */
const isKnown = (kind: EventKind, form: RpcForm): boolean =>
  kind !== 'NewBlockEvents' || joinsBlockEvents(form)

const SUBSCRIPTION_METHODS = new Map(
  Object.entries({ subscribe, unsubscribe, unsubscribe_all: unsubscribeAll }),
)

const changeSubscriptions = (client: Client, request: JsonRpcRequest): Reply | undefined => {
  const change = SUBSCRIPTION_METHODS.get(String(request.method))
  if (!change) return undefined
  try {
    change(client, request)
    return { result: {} }
  } catch (error) {
    if (error instanceof RpcFault) return { error }
    throw error
  }
}

const receive = async (client: Client, data: unknown, respond: Responder): Promise<void> => {
  const { socket } = client
  let parsed: JsonRpcRequest | JsonRpcRequest[]
  try {
    parsed = JSON.parse(String(data))
  } catch (thrown) {
    const error = new RpcFault(-32700, 'Parse error. Invalid JSON', String(thrown))
    socket.send(toResponseText(undefined, { error }))
    return
  }
  for (const request of Array.isArray(parsed) ? parsed : [parsed]) {
    const changed = changeSubscriptions(client, request)
    const text = changed
      ? toResponseText(request.id, changed)
      : await answerRequest(request, respond)
    if (text) socket.send(text)
  }
}

/** Called after a connection was opened, and after it has subscribed. */
export type SocketEvents = { opened?(): void; subscribed?(): void }

export type NodeSocket = {
  /** Handles an HTTP upgrade to a websocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
  /** Sends the tip to every subscriber. */
  announce(): void
  /** Ends every subscription with an error, as a node does that stops or finds its client slow. */
  cancelSubscriptions(reason: string): void
  /** Ends every connection. */
  cut(): void
  /** Connections with a subscription. */
  readonly subscribers: number
  /** Number of all connections since the start. */
  readonly connections: number
  close(): void
}

export const createNodeSocket = (
  view: SimulatedNodeView,
  respond: Responder,
  { opened, subscribed }: SocketEvents = {},
): NodeSocket => {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_BODY_BYTES })
  const clients = new Set<Client>()
  let connections = 0
  const accept = (socket: WebSocket) => {
    connections++
    const client: Client = { socket, subscriptions: new Map() }
    clients.add(client)
    // One request after the other, so that the responses are in their order.
    let answering = Promise.resolve()
    socket.on('message', (data) => {
      answering = answering.then(async () => {
        const before = client.subscriptions.size
        await receive(client, data, respond)
        if (client.subscriptions.size > before) subscribed?.()
      })
      answering.catch(() => socket.terminate())
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => clients.delete(client))
    opened?.()
  }
  const cut = () => {
    for (const { socket } of clients) socket.terminate()
  }
  return {
    upgrade: (request, socket, head) => server.handleUpgrade(request, socket, head, accept),
    announce: () => {
      let block: BlockJson | undefined
      for (const { socket, subscriptions } of clients) {
        if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate()
        for (const [query, { id, kind }] of subscriptions) {
          if (!kind || !isKnown(kind, view.form)) continue
          block ??= readBlockJson(view, view.tip)
          const result = toEventJson({ kind, query, form: view.form }, block)
          socket.send(toResponseText(id, { result }))
        }
      }
    },
    cancelSubscriptions: (reason) => {
      const data = `subscription was canceled (reason: ${reason})`
      const error = new RpcFault(-32000, 'Server error', data)
      for (const { socket, subscriptions } of clients) {
        for (const { id } of subscriptions.values()) socket.send(toResponseText(id, { error }))
        subscriptions.clear()
      }
    },
    cut,
    get subscribers() {
      return [...clients].filter(({ subscriptions }) => subscriptions.size > 0).length
    },
    get connections() {
      return connections
    },
    close: () => {
      cut()
      server.close()
    },
  }
}
