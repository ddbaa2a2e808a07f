// A simulated node over real HTTP and websocket, with faults by name and by request, and a record of its requests.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { alterChain } from '../block-chain.ts'
import { answerCall } from '../rpc/methods.ts'
import type { Reply, Responder, RpcCall } from '../rpc/reply.ts'
import type { ServedChain } from '../rpc/served-chain.ts'
import { type Exchange, refuseUpgrade, startNodeServer } from '../rpc/server.ts'
import { sendBroken } from './broken-answers.ts'
import { alterCall, alterView } from './false-answers.ts'
import {
  createFaults,
  type FaultName,
  type FaultOptions,
  type Faults,
  type NodeRequest,
  type Strike,
  strikeOnce,
} from './faults.ts'
import type { RpcForm } from './forms.ts'
import { createNodeView, type NodeWindow, type SimulatedNodeView } from './node-view.ts'
import { type StateAnswers, toQuery } from './state-answers.ts'
import { createNodeSocket } from './websocket.ts'

export type NodeOptions = {
  chain: ServedChain
  form?: RpcForm
  window?: NodeWindow
  /** Answers state queries instead of the chain. */
  abci?: StateAnswers
  /** The fault of this request; it has priority over other faults. */
  strike?: (request: NodeRequest) => FaultName | undefined
  /** Replaces `honest`, the regular response of the node to any call. */
  reply?: (call: RpcCall, honest: Responder) => Promise<Reply>
  /** The parts of the body that is sent instead of `honest`, of any size. */
  body?: (call: RpcCall, honest: string) => Iterable<string | Buffer>
  /** Delays every HTTP response by this time. */
  delayMs?: (request: NodeRequest) => number
}

export type RunningNode = {
  readonly url: string
  readonly chain: ServedChain
  /** All HTTP calls in order. */
  readonly requests: readonly NodeRequest[]
  /** Open websocket connections with a subscription. */
  readonly subscribers: number
  /** Number of all websocket connections since the start. */
  readonly connections: number
  /** Notifies subscribers of the tip, after the chain has grown. */
  announce(): void
  fault(name: FaultName, options?: FaultOptions): void
  /** Clears one fault or all faults. */
  heal(name?: FaultName): void
  close(): Promise<void>
}

const toRequest = ({ method, params }: RpcCall): NodeRequest => ({
  method,
  height: Number(params['height'] ?? 0),
  path: String(params['path'] ?? ''),
})

const sendParts = (response: ServerResponse, parts: Iterable<string | Buffer>): void => {
  response.writeHead(200, { 'content-type': 'application/json' })
  // A client that has read enough ends the connection.
  Readable.from(parts, { objectMode: false })
    .on('error', () => {})
    .pipe(response)
}

type Served = Pick<NodeOptions, 'chain' | 'abci' | 'form' | 'window'>

const createView = ({ chain, abci, ...options }: Served): SimulatedNodeView =>
  createNodeView(abci ? alterChain(chain, { query: toQuery(chain, abci) }) : chain, options)

/** A node without faults and without transport. */
export const createResponder = (served: Served): Responder => {
  const view = createView(served)
  return (call) => answerCall(view, call)
}

/** Opens the exchange of each HTTP request: its answer, with the faults that strike it. */
const createExchanges = (options: NodeOptions, faults: Faults, requests: NodeRequest[]) => {
  const { chain, strike, delayMs = () => 0, reply, body } = options
  const view = createView(options)
  const choose = (request: NodeRequest): Strike[] => {
    const name = strike?.(request)
    return name ? strikeOnce(name, request) : faults.strike(request)
  }
  return (): Exchange => {
    const strikes: Strike[] = []
    let waitMs = 0
    let send: Exchange['send'] = (response, answer) => sendBroken(response, answer, strikes)
    return {
      respond: async (call) => {
        const request = toRequest(call)
        requests.push(request)
        const ofCall = choose(request)
        strikes.push(...ofCall)
        waitMs = Math.max(waitMs, delayMs(request))
        if (body) send = (response, { text }) => sendParts(response, body(call, text))
        const honest: Responder = (each) =>
          answerCall(alterView(view, ofCall), alterCall(each, ofCall, chain))
        return await (reply?.(call, honest) ?? honest(call))
      },
      send: (response, answer) => {
        if (waitMs > 0) setTimeout(() => send(response, answer), waitMs)
        else send(response, answer)
      },
    }
  }
}

export const startNode = async (options: NodeOptions): Promise<RunningNode> => {
  const { chain } = options
  const faults = createFaults()
  const requests: NodeRequest[] = []
  const view = createView(options)
  const cancel = () => socket.cancelSubscriptions('slow client')
  const socket = createNodeSocket(view, (call) => answerCall(view, call), {
    opened: () => faults.strikesSocket('cuts the websocket') && socket.cut(),
    subscribed: () => faults.strikesSocket('cancels the subscription') && cancel(),
  })
  const server = await startNodeServer({
    view,
    openExchange: createExchanges(options, faults, requests),
    upgrade: (request, connection, head) =>
      faults.strikesSocket('no websocket')
        ? refuseUpgrade(connection)
        : socket.upgrade(request, connection, head),
  })
  return {
    url: server.url,
    chain,
    requests,
    get subscribers() {
      return socket.subscribers
    },
    get connections() {
      return socket.connections
    },
    announce: () => {
      if (!faults.has('silent socket')) socket.announce()
    },
    fault: (name, { height = name === 'lagging tip' ? chain.tip : undefined, times } = {}) => {
      faults.set(name, { height, times })
      if (name === 'cuts the websocket') socket.cut()
      if (name === 'cancels the subscription') cancel()
    },
    heal: faults.heal,
    close: async () => {
      socket.close()
      await server.close()
    },
  }
}
