// One RPC endpoint and what is known of it: its chain, its tip, its health. Names each fault in one
// log line when it begins and one when it ends; decides nothing about the other endpoints.
import type { Clock } from '../../infra/runtime/clock.ts'
import { AppError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { getRepeatedWarnings } from '../../infra/runtime/repeated-warnings.ts'
import { type CometClient, createCometClient } from './comet-client.ts'
import { decodeStatus, invalidResponse } from './decode.ts'
import type { NodeStatus } from './node.ts'
import type { NodeHealth } from './node-health.ts'
import type { NodeMetrics } from './node-metrics.ts'
import { isNotYet, type RpcClient } from './rpc.ts'
import type { RpcStatus } from './wire.ts'

type EndpointOptions = {
  name: string
  /** Host and port: endpoints that share it are one source of facts. */
  host: string
  rpc: RpcClient
  /** The chain that the endpoint must serve; the first endpoint that answers may decide it. */
  expectedChainId: () => string | undefined
  /** The pause after the first failure; doubles with every further one in a row. */
  coolDownMs: number
  maxCoolDownMs: number
  clock: Clock
  logger: Logger
  metrics: NodeMetrics
  health: NodeHealth
  signal: AbortSignal
}

/** What may be gone from a node: blocks, or the state after them. */
export type Kept = 'block' | 'state'

type EndpointState = {
  /** Empty until the endpoint was asked. */
  version: string
  /** The highest height it is known to have had; 0 while unknown. */
  tip: number
  /** Smoothed; 0 while unknown. */
  latencyMs: number
  /** Failures in a row. */
  failures: number
  isOfAnotherChain: boolean
  /** The code of its last failure, until it answers well again. */
  fault: AppError['code'] | null
}

export type Endpoint = {
  readonly name: string
  readonly host: string
  readonly known: Readonly<EndpointState>
  isCooling(): boolean
  /** It failed so often in a row that no request waits for it. */
  isGivenUp(): boolean
  /** True where the endpoint once said that what it keeps of `height` is gone. */
  lacks(kept: Kept, height: number): boolean
  call<Result extends object>(method: string, params: Record<string, unknown>): Promise<Result>
  /** The same calls, encoded and checked. */
  readonly comet: CometClient
  /** Asks for its status and checks its chain; throws `CHAIN_MISMATCH`. */
  refresh(): Promise<NodeStatus>
  /** `refresh`, unless its chain was seen since the last failure. */
  verify(): Promise<void>
  succeeded(): void
  /** Takes any error that a use of this endpoint threw; returns it as an `AppError`. */
  note(error: unknown, request?: { kept: Kept; height: number }): AppError
  /** `bestTip` is the highest tip of all endpoints. */
  compareTip(bestTip: number, tolerance: number): void
  close(): void
}

/** After this many failures in a row an endpoint is down rather than disturbed. */
const GIVEN_UP_FAILURES = 3
const LATENCY_WEIGHT = 0.2

const asAppError = (error: unknown): AppError =>
  error instanceof AppError ? error : invalidResponse('the answer could not be read', error)

/** Answers of a healthy node: it says that it does not have, or does not have yet, what was asked. */
const isHealthyAnswer = (error: AppError): boolean =>
  error.code === 'HEIGHT_UNAVAILABLE' || error.code === 'ABORTED' || isNotYet(error)

const createFaultLog = ({ name, logger, metrics, health }: EndpointOptions) => {
  const warnings = getRepeatedWarnings(logger)
  let fault: { code: string; named: boolean } | null = null
  const setHealthy = () => {
    metrics.endpointHealthy.set({ endpoint: name }, 1)
    health.report(name, { problem: null, isUsable: true })
  }
  setHealthy()
  return {
    begin: (error: AppError, isUsable: boolean) => {
      const { code, message } = error
      metrics.endpointHealthy.set({ endpoint: name }, 0)
      health.report(name, { problem: `${message} (${code})`, isUsable })
      // An endpoint of another chain is a wrong setting: no waiting helps.
      const level = code === 'CHAIN_MISMATCH' ? 'error' : 'warn'
      const named = warnings[level]({
        key: `${name} ${code}`,
        fields: { endpoint: name, fault: code, reason: message },
        message: 'endpoint failed',
      })
      fault = { code, named: named || (fault?.code === code && fault.named) }
    },
    end: () => {
      if (fault === null) return
      setHealthy()
      if (fault.named) logger.info({ endpoint: name, fault: fault.code }, 'endpoint recovered')
      fault = null
    },
  }
}

/** Calls that are counted and timed. */
const createMeasuredCall =
  ({ rpc, metrics, signal }: EndpointOptions, known: EndpointState) =>
  async <Result extends object>(method: string, params: Record<string, unknown>) => {
    const startedMs = performance.now()
    try {
      const result = await rpc.call<Result>(method, params, signal)
      const tookMs = performance.now() - startedMs
      known.latencyMs += (tookMs - known.latencyMs) * (known.latencyMs ? LATENCY_WEIGHT : 1)
      metrics.requests.inc({ method, outcome: 'ok' })
      return result
    } catch (error) {
      metrics.requests.inc({ method, outcome: asAppError(error).code })
      throw error
    }
  }

const freshState = (): EndpointState => ({
  version: '',
  tip: 0,
  latencyMs: 0,
  failures: 0,
  isOfAnotherChain: false,
  fault: null,
})

/** Logs once when the endpoint falls behind the best tip, and once when it has caught up. */
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

export const createEndpoint = (options: EndpointOptions): Endpoint => {
  const { name, host, rpc, clock } = options
  const faults = createFaultLog(options)
  const goneUpTo: Record<Kept, number> = { block: 0, state: 0 }
  const known = freshState()
  const call = createMeasuredCall(options, known)
  const comet = createCometClient(call)
  let coolUntilMs = 0
  let verifying: Promise<unknown> | undefined
  let verified = false

  const isGivenUp = () => known.failures >= GIVEN_UP_FAILURES

  const refresh = async (): Promise<NodeStatus> => {
    const { version, ...status } = decodeStatus(await call<RpcStatus>('status', {}))
    const expected = options.expectedChainId()
    if (expected !== undefined && status.chainId !== expected) {
      known.isOfAnotherChain = true
      throw new AppError('CHAIN_MISMATCH', `serves ${status.chainId} instead of ${expected}`)
    }
    known.isOfAnotherChain = false
    known.version = version
    known.tip = status.latestHeight
    verified = true
    return status
  }

  const verify = async () => {
    if (verified) return
    verifying ??= refresh().finally(() => {
      verifying = undefined
    })
    await verifying
  }

  const fail = (error: AppError) => {
    verified = false
    if (error.code === 'CHAIN_MISMATCH') known.isOfAnotherChain = true
    const pauseMs = options.coolDownMs * 2 ** Math.min(known.failures, 20)
    coolUntilMs = clock.now() + Math.min(pauseMs, options.maxCoolDownMs)
    known.failures++
    known.fault = error.code
    faults.begin(error, !(known.isOfAnotherChain || isGivenUp()))
  }

  const succeeded = () => {
    if (known.isOfAnotherChain) return
    known.failures = 0
    known.fault = null
    coolUntilMs = 0
    faults.end()
  }

  return {
    name,
    host,
    known,
    isGivenUp,
    isCooling: () => clock.now() < coolUntilMs,
    lacks: (kept, height) => height <= goneUpTo[kept],
    call,
    comet,
    refresh,
    verify,
    succeeded,
    note: (caught, request) => {
      const error = asAppError(caught)
      if (!isHealthyAnswer(error)) fail(error)
      else if (error.code !== 'ABORTED') succeeded()
      if (error.code === 'HEIGHT_UNAVAILABLE' && request) {
        goneUpTo[request.kept] = Math.max(goneUpTo[request.kept], request.height)
      }
      return error
    },
    compareTip: createLagLog(options, known),
    close: () => rpc.close(),
  }
}
