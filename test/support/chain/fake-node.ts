// A scriptable CometBFT node over real HTTP and websocket, with faults that a test sets by name.
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { createFakeChain, type FakeBlock, type FakeChain } from './fake-chain.ts'
import { createFaults, type FaultName, type FaultOptions } from './fake-faults.ts'
import {
  type FakeAbciAnswer,
  type FakeAbciRequest,
  type FakeNodeState,
  type Reply,
  type RpcCall,
  replyTo,
  toEnvelope,
} from './fake-replies.ts'
import { type Era, wireHeader } from './fake-wire.ts'

export type FakeNodeOptions = {
  chain?: FakeChain
  era?: Era
  abci?: (request: FakeAbciRequest) => FakeAbciAnswer | Promise<FakeAbciAnswer>
  /** The fault of this request; it has priority over other faults. */
  strike?: (request: FakeRequest) => FaultName | undefined
  /** Replaces `honest`, the regular response of the fake node to any call. */
  reply?: (call: RpcCall, honest: (call: RpcCall) => Promise<Reply>) => Promise<Reply>
  /** Delays every HTTP response by this time. */
  delayMs?: (request: FakeRequest) => number
}

/** `path` is the path of a state query, else empty. */
export type FakeRequest = { method: string; height: number; path: string }

export type FakeNode = {
  readonly url: string
  readonly chain: FakeChain
  /** All HTTP calls in order. */
  readonly requests: readonly FakeRequest[]
  /** Open websocket connections. */
  readonly subscribers: number
  /** Number of all connections since the start. */
  readonly connections: number
  /** Appends a new block to the chain and notifies every subscriber. */
  addBlock(block?: FakeBlock): number
  /** Notifies subscribers of the tip after another node has added a block. */
  announce(): void
  fault(name: FaultName, options?: FaultOptions): void
  /** Clears one fault or all faults. */
  heal(name?: FaultName): void
  close(): Promise<void>
}

const OVERSIZED_BYTES = 4 * 2 ** 20
const BROKEN_BODIES: readonly FaultName[] = [
  'invalid JSON',
  'HTML answer',
  'answer of another ID',
  'HTTP 500',
  'truncated body',
  'drops the socket',
  'oversized body',
  'hang',
]

/** The fault for one request at a height; `pruned heights` applies below its height. */
const onlyFault = (name: FaultName, height: number) => {
  const faults = createFaults()
  faults.set(name, {
    ...(height > 0 ? { height: name === 'pruned heights' ? height + 1 : height } : {}),
  })
  return faults
}

/** Sends `body` with the active fault, or correctly. */
const send = (response: http.ServerResponse, body: string, fault: FaultName | undefined) => {
  const json = { 'content-type': 'application/json' }
  switch (fault) {
    case 'hang':
      return
    case 'drops the socket':
      return void response.destroy()
    case 'HTTP 500':
      return void response.writeHead(500).end('Internal Server Error')
    case 'HTML answer':
      return void response.writeHead(200).end('<html><body>Just a moment…</body></html>')
    case 'answer of another ID':
      return void response.writeHead(200, json).end(body.replace(/"id":\d+/, '"id":987654321'))
    case 'invalid JSON':
      return void response.writeHead(200, json).end(body.slice(0, body.length / 2))
    case 'oversized body':
      return void response.writeHead(200, json).end(body + ' '.repeat(OVERSIZED_BYTES))
    case 'truncated body':
      response.writeHead(200, { ...json, 'content-length': Buffer.byteLength(body) })
      return void response.write(body.slice(0, body.length / 2), () => response.destroy())
    default:
      return void response.writeHead(200, json).end(body)
  }
}

const readCall = async (request: http.IncomingMessage): Promise<RpcCall> => {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return JSON.parse(Buffer.concat(parts).toString()) as RpcCall
}

const headerNotice = (chain: FakeChain): string =>
  toEnvelope(1, {
    result: {
      query: "tm.event='NewBlockHeader'",
      data: {
        type: 'tendermint/event/NewBlockHeader',
        value: { header: wireHeader(chain, chain.tip) },
      },
    },
  })

const CANCELED =
  '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"Server error",' +
  '"data":"subscription was canceled (reason: slow client)"}}'

/** The websocket side: subscribers and the messages to them. */
const createSubscriptions = (server: http.Server, { chain, faults }: FakeNodeState) => {
  const sockets = new WebSocketServer({ noServer: true })
  const subscribed = new Set<WebSocket>()
  const counts = { connections: 0 }
  server.on('upgrade', (request, socket: Duplex, head) => {
    if (faults.strikes('no websocket')) {
      return void socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
    }
    sockets.handleUpgrade(request, socket, head, (client) => {
      counts.connections++
      if (faults.strikes('cuts the websocket')) return client.terminate()
      client.on('close', () => subscribed.delete(client))
      client.on('message', () => {
        if (faults.strikes('cancels the subscription')) return client.send(CANCELED)
        subscribed.add(client)
        client.send(toEnvelope(1, { result: {} }))
      })
    })
  })
  return {
    subscribed,
    counts,
    strike: (name: FaultName) => {
      if (name === 'cuts the websocket') for (const client of subscribed) client.terminate()
      if (name === 'cancels the subscription')
        for (const client of subscribed) client.send(CANCELED)
      if (name.startsWith('c')) subscribed.clear()
    },
    announce: () => {
      if (faults.has('silent socket')) return
      for (const client of subscribed) client.send(headerNotice(chain))
    },
    close: () => {
      for (const client of sockets.clients) client.terminate()
      sockets.close()
    },
  }
}

export const startFakeNode = async (options: FakeNodeOptions = {}): Promise<FakeNode> => {
  const chain = options.chain ?? createFakeChain()
  const faults = createFaults()
  const requests: FakeRequest[] = []
  let stuckAt = 0
  const tip = () => (faults.has('lagging tip') ? stuckAt : chain.tip)
  const state: FakeNodeState = {
    chain,
    era: options.era ?? '0.38',
    abci: options.abci,
    faults,
    tip,
  }

  const server = http.createServer(async (request, response) => {
    const call = await readCall(request)
    const { method, params } = call
    const fakeRequest = {
      method,
      height: Number(params['height'] ?? 0),
      path: params['path'] ?? '',
    }
    requests.push(fakeRequest)
    const struck = options.strike?.(fakeRequest)
    const now = struck ? { ...state, faults: onlyFault(struck, fakeRequest.height) } : state
    const fault = BROKEN_BODIES.find((name) =>
      now.faults.strikes(name, fakeRequest.height || undefined),
    )
    const honest = (each: RpcCall) => replyTo(now, each)
    const reply = await (options.reply?.(call, honest) ?? honest(call))
    const body = toEnvelope(call.id, reply)
    const delayMs = options.delayMs?.(fakeRequest) ?? 0
    if (delayMs > 0) setTimeout(() => send(response, body, fault), delayMs)
    else send(response, body, fault)
  })
  const subscriptions = createSubscriptions(server, state)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chain,
    requests,
    get subscribers() {
      return subscriptions.subscribed.size
    },
    get connections() {
      return subscriptions.counts.connections
    },
    addBlock: (block) => {
      const height = chain.add(block)
      subscriptions.announce()
      return height
    },
    announce: subscriptions.announce,
    fault: (name, { height, times } = {}) => {
      stuckAt = chain.tip
      faults.set(name, {
        ...(height === undefined ? {} : { height }),
        ...(times === undefined ? {} : { times }),
      })
      subscriptions.strike(name)
    },
    heal: faults.heal,
    close: async () => {
      subscriptions.close()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
