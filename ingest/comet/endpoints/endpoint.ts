// One RPC endpoint: its chain, its tip, the heights that it lacks, its health, and how long its answers take.
import type { Clock } from '../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import { type CallOptions, isNotYet, type Reply, type RpcClient } from '../transport/rpc.ts'
import { decodeStatus, invalidResponse, type RpcStatus } from '../transport/wire.ts'
import { explainAddress, type NodeHealth, type NodeMetrics } from './endpoint-health.ts'
import type { NodeStatus } from './node.ts'
import { createWindow } from './window.ts'

type EndpointOptions = {
  /** Unique. */
  name: string
  /** Host and port: endpoints with the same host count as one source. */
  host: string
  rpc: RpcClient
  /** The chain that the endpoint must serve; the first endpoint that answers may set it. */
  expectedChainId: () => string | undefined
  /** The pause after the first failure; it doubles with every consecutive failure. */
  coolDownMs: number
  maxCoolDownMs: number
  logger: Logger
  metrics: NodeMetrics
  health: NodeHealth
  clock: Clock
  signal: AbortSignal
}

/** What a node may have pruned: blocks, or the state after them. */
export type Kept = 'block' | 'state'

/** `height` 0 is the latest. `what`: the kind of request, by default what it needs. */
export type Request = { kept: Kept; height: number; what?: string | undefined }

type EndpointState = {
  /** Empty before the first status. */
  version: string
  /** The highest height seen; 0 while unknown. */
  tip: number
  /** The highest height that it served; 0 before the first one. */
  served: number
  /** Failures in a row; the calls that fail during one cool-down count as one failure. */
  failures: number
  isOfAnotherChain: boolean
  /** True while it has blocks without their results. */
  discardsResults: boolean
  /** The code of the last failure; cleared by the next success. */
  fault: AppError['code'] | null
}

/** After this many consecutive failures an endpoint counts as down. */
const GIVEN_UP_FAILURES = 3
const LATENCY_WEIGHT = 0.2
/** How long a check of the chain holds. */
const VERIFIED_MS = 60_000
/** How long an endpoint counts as slow; doubled each time. */
const SLOW_MS = { first: 60_000, longest: 600_000 }
/** Nodes that are further behind are not waited for: another one may answer. */
const LAG = { mostMs: 2_000, stepMs: 100, decay: 0.97 }

const DISCARDS_RESULTS = /node is not persisting|discarded its results/i
export const KEEP_RESULTS = 'use a node with discard_abci_responses = false in its config.toml'

function asAppError(error: unknown): AppError {
  return error instanceof AppError
    ? error
    : invalidResponse('the response could not be decoded', error)
}

/** Errors of a healthy node: it does not have the data, or does not have it yet. */
const isHealthyAnswer = (error: AppError): boolean =>
  error.code === 'HEIGHT_UNAVAILABLE' || isNotYet(error)

/** One log line when a fault begins and one when it ends. */
const createFaults = ({ name, logger, metrics, health }: EndpointOptions) => {
  const warnings = getRepeatedWarnings(logger)
  let fault: { code: string; isNamed: boolean } | null = null
  const end = () => {
    metrics.endpointHealthy.set({ endpoint: name }, 1)
    health.report(name, { problem: null, isUsable: true })
    if (fault?.isNamed) logger.info({ endpoint: name, fault: fault.code }, 'endpoint recovered')
    fault = null
  }
  end()
  return {
    /** `isUsable` stays true during a short fault. */
    begin: (error: AppError, isUsable: boolean) => {
      const { code, message } = error
      const wrong = explainAddress(error)
      const problem = wrong ? `${wrong.what}; ${wrong.remedy}` : `${message} (${code})`
      metrics.endpointHealthy.set({ endpoint: name }, 0)
      health.report(name, { problem, isUsable })
      const reason = wrong ? { reason: wrong.what, remedy: wrong.remedy } : { reason: message }
      // An endpoint of another chain is a configuration error: a retry does not help.
      const isNamed = warnings[code === 'CHAIN_MISMATCH' ? 'error' : 'warn']({
        key: `${name} ${code}`,
        fields: { endpoint: name, fault: code, ...reason },
        message: 'endpoint failed',
      })
      fault = { code, isNamed: isNamed || (fault?.code === code && fault.isNamed) }
    },
    end: () => {
      if (fault) end()
    },
  }
}

/** How long each kind of request takes, and which kinds it does not answer in time. */
const createTimes = (clock: Clock) => {
  const usual = new Map<string, number>()
  const slow = new Map<string, { times: number; untilMs: number }>()
  return {
    /** How long a request of this kind takes; undefined while unknown. */
    usualMs: (what: string) => usual.get(what),
    /** How often in a row it was too slow for requests of a kind; 0 after a while. */
    slowness: (what: string): number => {
      const found = slow.get(what)
      return found && found.untilMs > clock.now() ? found.times : 0
    },
    took: (what: string, ms: number) => {
      const before = usual.get(what) ?? ms
      usual.set(what, before + (ms - before) * LATENCY_WEIGHT)
      slow.delete(what)
    },
    /** Records that a request was given up: another endpoint answered first, or its time was over. */
    wasSlow: (what: string, more = 1) => {
      const times = (slow.get(what)?.times ?? 0) + more
      const forMs = Math.min(SLOW_MS.longest, SLOW_MS.first * 2 ** Math.min(times - 1, 10))
      slow.set(what, { times, untilMs: clock.now() + forMs })
    },
  }
}

export type Endpoint = ReturnType<typeof createEndpoint>

export function createEndpoint(options: EndpointOptions) {
  const { name, host, rpc, clock, signal, logger, health, expectedChainId } = options
  const windows = { block: createWindow(), state: createWindow() }
  const known: EndpointState = {
    version: '',
    tip: 0,
    served: 0,
    failures: 0,
    isOfAnotherChain: false,
    discardsResults: false,
    fault: null,
  }
  const faults = createFaults(options)
  const { took, ...times } = createTimes(clock)
  let coolUntilMs = 0
  let verifiedUntilMs = 0
  let verifying: Promise<unknown> | undefined
  /** How long a new height is not asked for, because the nodes behind the URL are not equally far. */
  let lagMs = 0
  /** The highest height, and when it was first asked for. */
  let newest = { height: 0, atMs: 0 }

  const call = <Result extends object>(
    method: string,
    params: Record<string, unknown>,
    ofCall?: CallOptions,
  ): Promise<Result> => rpc.call<Result>(method, params, { signal, ...ofCall })
  const isCooling = () => clock.now() < coolUntilMs
  /** True after so many consecutive failures that no request waits for the endpoint. */
  const isGivenUp = () => known.failures >= GIVEN_UP_FAILURES
  /** Reads the status and checks the chain; throws `CHAIN_MISMATCH`. */
  const refresh = async (order?: number): Promise<NodeStatus> => {
    const { version, ...status } = decodeStatus(await call<RpcStatus>('status', {}, { order }))
    const expected = expectedChainId()
    known.isOfAnotherChain = expected !== undefined && status.chainId !== expected
    if (known.isOfAnotherChain)
      throw new AppError('CHAIN_MISMATCH', `serves ${status.chainId} instead of ${expected}`)
    known.version = version
    known.tip = status.latestHeight
    verifiedUntilMs = clock.now() + VERIFIED_MS
    return status
  }
  const recover = () => {
    if (known.isOfAnotherChain) return
    known.failures = 0
    known.fault = null
    coolUntilMs = 0
    faults.end()
  }
  const fail = (error: AppError) => {
    verifiedUntilMs = 0
    if (error.code === 'CHAIN_MISMATCH') known.isOfAnotherChain = true
    if (!isCooling()) {
      const pauseMs = options.coolDownMs * 2 ** Math.min(known.failures, 20)
      coolUntilMs = clock.now() + Math.min(pauseMs, options.maxCoolDownMs)
      known.failures++
    }
    known.fault = error.code
    faults.begin(error, !(known.isOfAnotherChain || isGivenUp()))
  }
  /** It has blocks without their results: one warning, until it serves a block. `reason`: null for one that it serves. */
  const showResults = (reason: string | null) => {
    if (known.discardsResults === (reason !== null)) return
    known.discardsResults = reason !== null
    health.setProblem(name, 'results', reason && `${reason}; ${KEEP_RESULTS}`)
    if (reason === null) return
    getRepeatedWarnings(logger).warn({
      key: `discards ${name}`,
      fields: { endpoint: name, reason, remedy: KEEP_RESULTS },
      message: 'endpoint discards the results of blocks',
    })
  }
  return {
    name,
    host,
    known: known as Readonly<EndpointState>,
    /** Which heights it has no longer. */
    windows,
    ...times,
    isCooling,
    isGivenUp,
    refresh,
    call,
    /** Without a parse. Calls of one method at the same time share requests. */
    ask: (method: string, params: Record<string, unknown>, ofCall?: CallOptions): Promise<Reply> =>
      rpc.ask(method, params, { signal, ...ofCall }),
    /** How long a call waits for its turn. */
    turnMs: () => rpc.pace.waitMs(),
    /** `refresh`, unless the chain was checked recently, and since the last failure. */
    verify: async (): Promise<void> => {
      if (clock.now() < verifiedUntilMs) return
      verifying ??= refresh().finally(() => {
        verifying = undefined
      })
      await verifying
    },
    /** Waits until all nodes behind the URL probably have a new height. */
    untilLikely: async (height: number): Promise<void> => {
      if (height > newest.height) {
        newest = { height, atMs: clock.now() }
        lagMs *= LAG.decay
      }
      const ms = newest.atMs + lagMs - clock.now()
      if (height === newest.height && ms > 0) await clock.sleep(ms, signal)
    },
    succeeded: (request?: Request, tookMs?: number): void => {
      recover()
      if (!request) return
      const { kept, height, what = kept } = request
      if (tookMs !== undefined) took(what, tookMs)
      if (what === 'block') showResults(null)
      if (height === 0) return
      known.served = Math.max(known.served, height)
      windows[kept].served(height)
    },
    /** Records any error of a call to this endpoint and returns it as an `AppError`. */
    note: (caught: unknown, request?: Request): AppError => {
      const error = asAppError(caught)
      const { code } = error
      if (code === 'ABORTED') return error
      if (isHealthyAnswer(error)) recover()
      // Its pace is slow, but it answers: no reason for a pause or a check of its chain.
      else if (code === 'RPC_LIMITED') faults.begin(error, true)
      else fail(error)
      if (!request) return error
      const { kept, height } = request
      if (isNotYet(error) && height >= newest.height)
        lagMs = Math.min(LAG.mostMs, lagMs + LAG.stepMs)
      if (code !== 'HEIGHT_UNAVAILABLE') return error
      if (height > 0) windows[kept].refused(height)
      if (DISCARDS_RESULTS.test(error.message)) showResults(error.message)
      return error
    },
    /** Its claim of a higher tip was refuted. */
    lowerTip: (height: number): void => {
      known.tip = Math.min(known.tip, height)
    },
    close: () => rpc.close(),
  }
}

/** The same endpoint, with these options for each call. */
export function withOptions(endpoint: Endpoint, options: CallOptions): Endpoint {
  return {
    ...endpoint,
    call: (method, params, own) => endpoint.call(method, params, { ...options, ...own }),
    ask: (method, params, own) => endpoint.ask(method, params, { ...options, ...own }),
  }
}

/** Errors that tell what the endpoint has, which pace it grants, and which chain it serves. */
const saysSomething = (error: AppError): boolean =>
  isHealthyAnswer(error) || error.code === 'RPC_LIMITED' || error.code === 'CHAIN_MISMATCH'

/**
 * The same endpoint, for calls that nothing waits for, behind all others. What fails there says nothing about the endpoint: old
 * heights are slow, and it may not have them.
 */
export function inBackground(endpoint: Endpoint): Endpoint {
  return {
    ...withOptions(endpoint, { isBackground: true }),
    succeeded: (request) => {
      if (!endpoint.isCooling()) endpoint.succeeded(request)
    },
    note: (caught, request) => {
      const error = asAppError(caught)
      return saysSomething(error) ? endpoint.note(error, request) : error
    },
    wasSlow: () => {},
  }
}
