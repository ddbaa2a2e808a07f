// One RPC endpoint with its chain, its tip and its health.
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { decodeStatus, invalidResponse } from '../transport/decode.ts'
import { type CallOptions, isNotYet, type Reply, type RpcClient } from '../transport/rpc.ts'
import type { RpcStatus } from '../transport/wire.ts'
import { type CometClient, createCometClient } from './comet-client.ts'
import { createFaultLog, type FaultLogOptions } from './fault-log.ts'
import { createLag, type Lag } from './lag.ts'
import type { NodeStatus } from './node.ts'
import { createWindow, type Window } from './window.ts'

type EndpointOptions = FaultLogOptions & {
  /** Host and port: endpoints with the same host count as one source. */
  host: string
  rpc: RpcClient
  /** The chain that the endpoint must serve; the first endpoint that answers may set it. */
  expectedChainId: () => string | undefined
  /** The pause after the first failure; it doubles with every consecutive failure. */
  coolDownMs: number
  maxCoolDownMs: number
  /** What it was sending when the last process ended, if anything: it is avoided for a while. */
  interrupted?: string | undefined
  clock: Clock
  signal: AbortSignal
}

type OfCall = Pick<CallOptions, 'memory' | 'createPartReader' | 'isBackground'>

/** What a node may have pruned: blocks, or the state after them. */
export type Kept = 'block' | 'state'

type EndpointState = {
  /** Empty before the first status. */
  version: string
  /** The highest height seen; 0 while unknown. */
  tip: number
  /** The first block that it says to have; 0 while unknown. */
  earliest: number
  /** Smoothed; 0 while unknown. */
  latencyMs: number
  /** Failures in a row; the calls that fail during one cool-down count as one failure. */
  failures: number
  isOfAnotherChain: boolean
  /** The code of the last failure; cleared by the next success. */
  fault: AppError['code'] | null
}

/** `height` 0 is the latest. */
type Request = { kept: Kept; height: number }

export type Endpoint = {
  readonly name: string
  readonly host: string
  readonly known: Readonly<EndpointState>
  isCooling(): boolean
  /** True after so many consecutive failures that no request waits for the endpoint. */
  isGivenUp(): boolean
  /** Which heights it still has. */
  readonly windows: Readonly<Record<Kept, Window>>
  /** How far its nodes are behind each other. */
  readonly lag: Omit<Lag, 'saw'>
  /** How long a call takes now, with the wait for its turn; 0 while unknown. */
  expectedMs(): number
  call<Result extends object>(
    method: string,
    params: Record<string, unknown>,
    options?: OfCall,
  ): Promise<Result>
  /** Like `call`, without a parse. */
  ask(method: string, params: Record<string, unknown>, options: OfCall): Promise<Reply>
  /** Several such calls, in as few requests as the endpoint takes. */
  askAll(
    method: string,
    params: readonly Record<string, unknown>[],
    options: OfCall,
  ): Promise<Reply[]>
  /** The same calls, encoded and checked. */
  readonly comet: CometClient
  /** Reads the status and checks the chain; throws `CHAIN_MISMATCH`. */
  refresh(): Promise<NodeStatus>
  /** `refresh`, unless the chain was checked recently, and since the last failure. */
  verify(): Promise<void>
  succeeded(request?: Request): void
  /** Records any error of a call to this endpoint and returns it as an `AppError`. */
  note(error: unknown, request?: Request): AppError
  /** `bestTip` is the highest tip of all endpoints. */
  compareTip(bestTip: number, tolerance: number): void
  close(): void
}

/** After this many consecutive failures an endpoint counts as down. */
const GIVEN_UP_FAILURES = 3
const LATENCY_WEIGHT = 0.2

/** How long a check of the chain holds. */
const VERIFIED_MS = 60_000

/** How long an endpoint is avoided with whose response the last process ended. */
const AVOIDED_MS = 10 * 60_000

const wasInterrupted = (what: string): AppError =>
  invalidResponse(`the last process ended while it read ${what}`)

export const asAppError = (error: unknown): AppError =>
  error instanceof AppError ? error : invalidResponse('the response could not be decoded', error)

/** Errors of a healthy node: it does not have the data, or does not have it yet. */
const isHealthyAnswer = (error: AppError): boolean =>
  error.code === 'HEIGHT_UNAVAILABLE' || isNotYet(error)

/** Times every call. */
const createAsking = (
  { rpc, signal }: EndpointOptions,
  known: EndpointState,
): Pick<Endpoint, 'call' | 'ask' | 'askAll'> => {
  const measured = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    const startedMs = performance.now()
    const result = await run()
    const tookMs = performance.now() - startedMs
    known.latencyMs += (tookMs - known.latencyMs) * (known.latencyMs ? LATENCY_WEIGHT : 1)
    return result
  }
  return {
    call: (method, params, ofCall) =>
      measured(() => rpc.call(method, params, { ...ofCall, signal })),
    ask: (method, params, ofCall) => measured(() => rpc.ask(method, params, { ...ofCall, signal })),
    // The latency of a request with many responses says nothing about others.
    askAll: (method, params, ofCall) => rpc.askAll(method, params, { ...ofCall, signal }),
  }
}

const freshState = (interrupted: string | undefined): EndpointState => ({
  version: '',
  tip: 0,
  earliest: 0,
  latencyMs: 0,
  // Nothing waits for an endpoint that is avoided, as for one that is down.
  failures: interrupted === undefined ? 0 : GIVEN_UP_FAILURES,
  isOfAnotherChain: false,
  fault: interrupted === undefined ? null : 'RPC_INVALID_RESPONSE',
})

/** Logs once when the endpoint falls behind the best tip, and once when it catches up. */
const createLagLog = ({ name, logger }: EndpointOptions, known: EndpointState) => {
  let lagging = false
  return (bestTip: number, tolerance: number): void => {
    const lags = known.tip > 0 && known.tip < bestTip - tolerance
    if (lags === lagging) return
    lagging = lags
    if (lags) logger.warn({ endpoint: name, tip: known.tip, bestTip }, 'endpoint fell behind')
    else logger.info({ endpoint: name, tip: known.tip }, 'endpoint caught up')
  }
}

type Call = Endpoint['call']

/** Checks which chain the endpoint serves: before its first call, after a failure, and once a minute. */
const createIdentityCheck = (
  { expectedChainId, clock }: EndpointOptions,
  known: EndpointState,
  call: Call,
) => {
  let verifying: Promise<unknown> | undefined
  let verifiedUntilMs = 0
  const refresh = async (): Promise<NodeStatus> => {
    const { version, ...status } = decodeStatus(await call<RpcStatus>('status', {}))
    const expected = expectedChainId()
    if (expected !== undefined && status.chainId !== expected) {
      known.isOfAnotherChain = true
      throw new AppError('CHAIN_MISMATCH', `serves ${status.chainId} instead of ${expected}`)
    }
    known.isOfAnotherChain = false
    known.version = version
    known.tip = status.latestHeight
    known.earliest = status.earliestHeight
    verifiedUntilMs = clock.now() + VERIFIED_MS
    return status
  }

  const verify = async () => {
    if (clock.now() < verifiedUntilMs) return
    verifying ??= refresh().finally(() => {
      verifying = undefined
    })
    await verifying
  }
  return {
    refresh,
    verify,
    forget: () => {
      verifiedUntilMs = 0
    },
  }
}

export const createEndpoint = (options: EndpointOptions): Endpoint => {
  const { name, host, rpc, clock, signal } = options
  const faults = createFaultLog(options)
  if (options.interrupted !== undefined) faults.begin(wasInterrupted(options.interrupted), false)
  const windows = { block: createWindow(), state: createWindow() }
  const known = freshState(options.interrupted)
  const asking = createAsking(options, known)
  const { call } = asking
  const comet = createCometClient(call)
  let coolUntilMs = options.interrupted === undefined ? 0 : clock.now() + AVOIDED_MS
  const lag = createLag(clock, signal)
  const identity = createIdentityCheck(options, known, call)

  const isCooling = () => clock.now() < coolUntilMs
  const isGivenUp = () => known.failures >= GIVEN_UP_FAILURES

  const fail = (error: AppError) => {
    identity.forget()
    if (error.code === 'CHAIN_MISMATCH') known.isOfAnotherChain = true
    if (!isCooling()) {
      const pauseMs = options.coolDownMs * 2 ** Math.min(known.failures, 20)
      coolUntilMs = clock.now() + Math.min(pauseMs, options.maxCoolDownMs)
      known.failures++
    }
    known.fault = error.code
    faults.begin(error, !(known.isOfAnotherChain || isGivenUp()))
  }

  const recover = () => {
    if (known.isOfAnotherChain) return
    known.failures = 0
    known.fault = null
    coolUntilMs = 0
    faults.end()
  }
  const learn = ({ kept, height }: Request, isServed: boolean) => {
    if (height === 0) return
    if (!isServed) return windows[kept].refused(height, known.tip)
    windows[kept].served(height, known.tip)
    lag.saw(height)
  }

  return {
    name,
    host,
    known,
    isGivenUp,
    isCooling,
    windows,
    lag,
    expectedMs: () => known.latencyMs + rpc.pace.waitMs(),
    ...asking,
    comet,
    refresh: async () => {
      const status = await identity.refresh()
      lag.saw(status.latestHeight)
      return status
    },
    verify: identity.verify,
    succeeded: (request) => {
      recover()
      if (request) learn(request, true)
    },
    note: (caught, request) => {
      const error = asAppError(caught)
      if (error.code === 'ABORTED') return error
      if (isHealthyAnswer(error)) recover()
      // Its pace is slow, but it answers: no reason for a pause or a check of its chain.
      else if (error.code === 'RPC_LIMITED') faults.begin(error, true)
      else fail(error)
      if (error.code === 'HEIGHT_UNAVAILABLE' && request) learn(request, false)
      if (isNotYet(error) && request) lag.missed(request.height)
      return error
    },
    compareTip: createLagLog(options, known),
    close: () => rpc.close(),
  }
}
