// A simulated node over real HTTP and websocket, with faults by name and by request, and a record of its requests.
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { toAbciResponse } from '../../../../infra/app/chain/query.ts'
import type { ProofOp } from '../../../../ingest/contract/proof-events.ts'
import { refuseUpgrade, startServer } from '../../http/server.ts'
import { alterChain } from '../block-chain.ts'
import { answerBody, type HttpAnswer, MAX_BODY_BYTES, readBody } from '../rpc/bodies.ts'
import { answerCall, type NodeView, refuseFutureState } from '../rpc/methods.ts'
import type { Reply, Responder, RpcCall } from '../rpc/reply.ts'
import type { ServedChain } from '../rpc/served-chain.ts'
import type { RpcForm } from './block-json.ts'
import {
  alterCall,
  alterView,
  createFaults,
  type FaultName,
  type FaultOptions,
  type NodeRequest,
  type Strike,
  sendBroken,
  strikeOnce,
} from './faults.ts'
import { createNodeSocket } from './websocket.ts'

/** Numbers of latest heights; absent: all. */
export type NodeWindow = {
  blocks?: number
  results?: number
  states?: number
  /** How many heights the node is behind the chain. */
  behind?: number
}

/** `height` is never 0. */
export type StateRequest = { path: string; data: Uint8Array; height: number }
export type StateAnswer =
  | { value: Uint8Array; proofOps?: readonly ProofOp[] | undefined }
  | { code: number; codespace?: string; log: string }

export type NodeOptions = {
  chain: ServedChain
  form?: RpcForm
  window?: NodeWindow
  /** Answers state queries instead of the chain, unless it returns nothing. */
  abci?: (request: StateRequest) => StateAnswer | undefined
  /** The fault of this request; it has priority over other faults. */
  strike?: (request: NodeRequest) => FaultName | undefined
  /** Replaces `honest`, the regular response of the node to any call. */
  reply?: (call: RpcCall, honest: Responder) => Promise<Reply>
  /** The parts of the body that is sent instead of `honest`, of any size. */
  body?: (call: RpcCall, honest: string) => Iterable<string | Buffer>
  /** Delays every HTTP response by this time. */
  delayMs?: (request: NodeRequest) => number
}

export type RunningNode = Awaited<ReturnType<typeof startNode>>

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

const withAnswers = (chain: ServedChain, answers: NonNullable<NodeOptions['abci']>): ServedChain =>
  alterChain(chain, {
    query: (request) => {
      const { path, data, height, prove } = request
      if (height > BigInt(chain.tip)) return refuseFutureState(height)
      const answer = answers({ path, data, height: Number(height) })
      if (!answer) return chain.query(request)
      if ('code' in answer) {
        return toAbciResponse({ codespace: 'sdk', ...answer, height: String(height) })
      }
      const { value, proofOps } = answer
      return toAbciResponse({
        value: value.length > 0 ? Buffer.from(value).toString('base64') : null,
        proofOps: prove && proofOps ? { ops: proofOps } : null,
        height: String(height),
      })
    },
  })

const createView = ({ chain, abci, form = '0.38', window = {} }: Served): NodeView => {
  const { blocks, results, states, behind = 0 } = window
  const { firstHeight } = chain
  const tip = () => Math.max(chain.tip - behind, firstHeight)
  const lowest = (kept: number | undefined) =>
    kept === undefined ? firstHeight : Math.max(tip() - kept + 1, firstHeight)
  return {
    chain: abci ? withAnswers(chain, abci) : chain,
    form,
    get tip() {
      return tip()
    },
    get lowest() {
      return { block: lowest(blocks), results: lowest(results), state: lowest(states) }
    },
  }
}

/** A node without faults and without transport. */
export const createResponder = (served: Served): Responder => {
  const view = createView(served)
  return (call) => answerCall(view, call)
}

export const startNode = async (options: NodeOptions) => {
  const { chain, strike, delayMs = () => 0, reply, body: alterBody } = options
  const faults = createFaults()
  const requests: NodeRequest[] = []
  const view = createView(options)
  const choose = (request: NodeRequest): Strike[] => {
    const name = strike?.(request)
    return name ? strikeOnce(name, request) : faults.strike(request)
  }
  const serve = async (body: string, response: ServerResponse) => {
    const strikes: Strike[] = []
    let waitMs = 0
    let send = (answer: HttpAnswer) => sendBroken(response, answer, strikes)
    const answer = await answerBody(body, async (call) => {
      const request = toRequest(call)
      requests.push(request)
      const ofCall = choose(request)
      strikes.push(...ofCall)
      waitMs = Math.max(waitMs, delayMs(request))
      if (alterBody) send = ({ text }) => sendParts(response, alterBody(call, text))
      const honest: Responder = (each) =>
        answerCall(alterView(view, ofCall), alterCall(each, ofCall, chain))
      return await (reply?.(call, honest) ?? honest(call))
    })
    if (waitMs > 0) setTimeout(() => send(answer), waitMs)
    else send(answer)
  }
  const cancel = () => socket.cancelSubscriptions('slow client')
  const socket = createNodeSocket(view, {
    opened: () => faults.strikesSocket('cuts the websocket') && socket.cut(),
    subscribed: () => faults.strikesSocket('cancels the subscription') && cancel(),
  })
  const server = await startServer(
    async (request, response) => {
      const body = await readBody(request, MAX_BODY_BYTES)
      if (body === undefined) response.writeHead(413).end()
      else await serve(body, response)
    },
    (request, connection, head) =>
      faults.strikesSocket('no websocket')
        ? refuseUpgrade(connection)
        : socket.upgrade(request, connection, head),
  )
  return {
    url: server.url,
    chain,
    /** All HTTP calls in order. */
    requests: requests as readonly NodeRequest[],
    /** Open websocket connections with a subscription. */
    get subscribers() {
      return socket.subscribers
    },
    /** Number of all websocket connections since the start. */
    get connections() {
      return socket.connections
    },
    /** Notifies subscribers of the tip, after the chain has grown. */
    announce: () => {
      if (!faults.has('silent socket')) socket.announce()
    },
    fault: (name: FaultName, given: FaultOptions = {}) => {
      const { height = name === 'lagging tip' ? chain.tip : undefined, times } = given
      faults.set(name, { height, times })
      if (name === 'cuts the websocket') socket.cut()
      if (name === 'cancels the subscription') cancel()
    },
    /** Clears one fault or all faults. */
    heal: faults.heal,
    close: async () => {
      socket.close()
      await server.close()
    },
  }
}
