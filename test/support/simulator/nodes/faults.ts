// The faults of a node by name: when each strikes, with its height and the remaining number of times, and what it does to an answer.
import type { ServerResponse } from 'node:http'
import { alterChain, forkChain } from '../block-chain.ts'
import { type HttpAnswer, sendAnswer, sendHalf } from '../rpc/bodies.ts'
import type { NodeView } from '../rpc/methods.ts'
import type { RpcCall } from '../rpc/reply.ts'

/** Responses that are none, or not of the request. Of several, a request gets the first. */
const BROKEN_ANSWERS = [
  /** Half of a JSON text with status 200. */
  'invalid JSON',
  /** The HTML page of a proxy with status 200. */
  'HTML answer',
  /** The right result under another ID. */
  'answer of another ID',
  'HTTP 500',
  /** Ends the connection in the middle of a body. */
  'truncated body',
  /** Ends the connection before a byte is sent. */
  'drops the socket',
  'oversized body',
  /** Never answers. */
  'hang',
] as const
type BrokenAnswer = (typeof BROKEN_ANSWERS)[number]

type FalseAnswer =
  | 'wrong chain id'
  /** Answers another height's block. */
  | 'skips a height'
  | 'results of another height'
  /** A block with an invalid time. */
  | 'impossible time'
  /** The tip does not change. */
  | 'lagging tip'
  /** Other hashes from the faulty height on. */
  | 'forked block'
  /** Blocks and state below the fault's height are pruned. */
  | 'pruned heights'

export type SocketFault =
  /** Open and subscribed, but without messages. */
  | 'silent socket'
  /** Every subscription ends with an error. */
  | 'cancels the subscription'
  /** Every connection is cut. */
  | 'cuts the websocket'
  /** Not available. */
  | 'no websocket'

export type FaultName = BrokenAnswer | FalseAnswer | SocketFault

export type FaultOptions = {
  /** Only this height; for `pruned heights` and `forked block` the first height, for `lagging tip` the tip. */
  height?: number | undefined
  /** How often the fault applies; without a limit by default. */
  times?: number | undefined
}

/** `height` is 0 and `path` empty if the call has none. */
export type NodeRequest = { method: string; height: number; path: string }

/** A fault that applies to a request. */
export type Strike = { name: FaultName; height?: number | undefined }

const BLOCKS = ['block']
const METHODS: Record<FalseAnswer, readonly string[] | undefined> = {
  'wrong chain id': ['status', 'block'],
  'skips a height': ['block', 'block_results'],
  'results of another height': ['block_results'],
  'impossible time': BLOCKS,
  'lagging tip': undefined,
  'forked block': BLOCKS,
  'pruned heights': undefined,
}

const isBroken = (name: FaultName): name is BrokenAnswer =>
  BROKEN_ANSWERS.some((each) => each === name)
const isFalse = (name: FaultName): name is FalseAnswer => name in METHODS

const applies = ({ name, height }: Strike, request: NodeRequest): boolean => {
  if (isFalse(name) && !(METHODS[name]?.includes(request.method) ?? true)) return false
  switch (name) {
    case 'lagging tip':
    case 'wrong chain id':
    case 'pruned heights':
      return true
    case 'forked block':
      return request.height >= (height ?? 1)
    default:
      return height === undefined || height === request.height
  }
}

export const createFaults = () => {
  const faults = new Map<FaultName, { height: number | undefined; left: number }>()
  /** Decreases the count of a fault that applies. */
  const use = (name: FaultName): void => {
    const fault = faults.get(name)
    if (fault && --fault.left <= 0) faults.delete(name)
  }
  return {
    set: (name: FaultName, { height, times = Number.POSITIVE_INFINITY }: FaultOptions) =>
      void faults.set(name, { height, left: times }),
    heal: (name?: FaultName) => (name ? void faults.delete(name) : faults.clear()),
    has: (name: FaultName) => faults.has(name),
    /** True if a fault of the websocket applies now. */
    strikesSocket: (name: SocketFault): boolean => {
      const isSet = faults.has(name)
      use(name)
      return isSet
    },
    strike: (request: NodeRequest): Strike[] => {
      const found = [...faults]
        .map(([name, { height }]): Strike => ({ name, height }))
        .filter((each) => (isFalse(each.name) || isBroken(each.name)) && applies(each, request))
      const broken = BROKEN_ANSWERS.find((name) => found.some((each) => each.name === name))
      const strikes = found.filter(({ name }) => !isBroken(name) || name === broken)
      for (const { name } of strikes) use(name)
      return strikes
    },
  }
}

/** One fault of one request. */
export const strikeOnce = (name: FaultName, request: NodeRequest): Strike[] => {
  const height = name === 'pruned heights' ? request.height + 1 : undefined
  return applies({ name }, request) ? [{ name, height }] : []
}

const IMPOSSIBLE_TIMES = [
  '2026-13-45T25:61:61Z',
  '2026-02-30T00:00:00Z',
  '',
  'yesterday',
  '1e9',
  '2026-01-01',
  '+275760-09-13T00:00:00.001Z',
  '2026-01-01T00:00:60Z',
] as const

/** What the node has, as it seems to have it. */
const toFalseView = (view: NodeView, { name, height = 0 }: Strike): NodeView => {
  const { chain, form, tip, lowest } = view
  switch (name) {
    case 'wrong chain id':
      return { ...view, chain: alterChain(chain, { chainId: 'another-1' }) }
    case 'forked block':
      return { ...view, chain: forkChain(chain) }
    case 'lagging tip':
      return { chain, form, lowest, tip: Math.min(tip, height) }
    case 'pruned heights':
      return { chain, form, tip, lowest: { block: height, results: height, state: height } }
    case 'impossible time': {
      const block = (at: number) => ({
        ...chain.block(at),
        time: IMPOSSIBLE_TIMES[at % IMPOSSIBLE_TIMES.length]!,
      })
      return { ...view, chain: alterChain(chain, { block }) }
    }
    default:
      return view
  }
}

export const alterView = (view: NodeView, strikes: readonly Strike[]): NodeView =>
  strikes.reduce(toFalseView, view)

/** The call that the node answers instead. */
export const alterCall = (
  call: RpcCall,
  strikes: readonly Strike[],
  { firstHeight }: { firstHeight: number },
): RpcCall => {
  const isOther = strikes.some(
    ({ name }) => name === 'skips a height' || name === 'results of another height',
  )
  if (!isOther) return call
  const height = Number(call.params['height'])
  const other = height > firstHeight ? height - 1 : height + 1
  return { ...call, params: { ...call.params, height: String(other) } }
}

const OVERSIZED_BYTES = 4 * 2 ** 20

const breakText = (answer: HttpAnswer, fault: FaultName | undefined): HttpAnswer => {
  const { text } = answer
  switch (fault) {
    case 'HTTP 500':
      return { status: 500, text: 'Internal Server Error', type: 'text/plain' }
    case 'HTML answer':
      return { status: 200, text: '<html><body>Just a moment…</body></html>', type: 'text/html' }
    case 'answer of another ID':
      return { ...answer, text: text.replace(/"id":\d+/, '"id":987654321') }
    case 'invalid JSON':
      return { ...answer, text: text.slice(0, text.length / 2) }
    case 'oversized body':
      return { ...answer, text: text + ' '.repeat(OVERSIZED_BYTES) }
    default:
      return answer
  }
}

/** Sends the answer with the fault that breaks it, if any. */
export const sendBroken = (
  response: ServerResponse,
  answer: HttpAnswer,
  strikes: readonly Strike[],
): void => {
  const names = new Set(strikes.map(({ name }) => name))
  if (names.has('hang')) return
  if (names.has('drops the socket')) response.destroy()
  else if (names.has('truncated body')) sendHalf(response, answer)
  else sendAnswer(response, [...names].reduce(breakText, answer))
}
