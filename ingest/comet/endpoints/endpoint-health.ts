// What operators see of the endpoints: their names, their faults, and which reads hold the pipeline.
import type { Readiness } from '../../../infra/base/http/operators.ts'
import { type Clock, systemClock } from '../../../infra/base/runtime/clock.ts'
import type { AppError } from '../../../infra/base/runtime/errors.ts'
import type { Metrics } from '../../../infra/base/runtime/metrics.ts'

/** Names endpoints by host only, because paths and user names may contain API keys. Each name is unique. */
export function endpointNames(urls: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return urls.map((url) => {
    const { host } = new URL(url)
    const count = (seen.get(host) ?? 0) + 1
    seen.set(host, count)
    return count === 1 ? host : `${host}#${count}`
  })
}

/** A shorter pause after a refusal belongs to finding the limit. */
const NOTABLE_PAUSE_MS = 5_000

/** A read that the pipeline waits for without a limit. */
export type HoldingRead = {
  /** `block`, or the query of a state. */
  what: string
  height: number
  /** Endpoints that are asked now, by name. */
  asked: ReadonlySet<string>
  /** Why the last round had no answer; null before it ended. */
  error: AppError | null
  /** A read that lasts so long is reported, also while a call is running. */
  outageAfterMs: number
}

/** What endpoints say, and no outage: waiting alone does not help. */
const SAID: readonly AppError['code'][] = ['HEIGHT_UNAVAILABLE', 'CHAIN_FORKED', 'RPC_DISAGREEMENT']

/** A chain that was started again keeps its chain ID. */
export const OTHER_HISTORY =
  'if the chain was started again, index it into another DATA_DIR; otherwise remove the endpoint'

export const isSaid = ({ code }: AppError): boolean => SAID.includes(code)

/** The tip of the chain, as the endpoints reported it last, and the indexed height at that time. */
type Polled = { tip: number; indexed: number }

export type NodeHealth = ReturnType<typeof createNodeHealth>

export function createNodeHealth(clock: Clock = systemClock) {
  const endpoints = new Map<string, { problem: string | null; isUsable: boolean }>()
  const pauses = new Map<string, () => number>()
  const parts = new Map<string, string>()
  /** With the time of its begin. */
  const holding = new Map<HoldingRead, number>()
  let endedMs = 0
  let polled: Polled | null = null

  /** Why the read counts as an outage; null while it does not. */
  const describeRead = (read: HoldingRead, beganMs: number): string | null => {
    const { what, height, asked, error } = read
    // While others end, this one may only wait for its turn.
    const spentMs = clock.now() - Math.max(beganMs, endedMs)
    if (spentMs < read.outageAfterMs && !(error && isSaid(error))) return null
    const names = [...asked].join(' and ') || 'no endpoint'
    const reason =
      error?.message ?? `${names} has not answered for ${Math.round(spentMs / 1_000)} s`
    const subject = what === 'block' ? '' : `${what}: `
    const now = error && asked.size > 0 && !isSaid(error) ? `; ${names} is asked again` : ''
    const remedy = error?.code === 'CHAIN_FORKED' ? `; ${OTHER_HISTORY}` : ''
    return `height ${height} cannot be read: ${subject}${reason}${now}${remedy}`
  }
  return {
    /** `problem` is null while the endpoint is healthy. `isUsable` stays true during a short fault. */
    report: (endpoint: string, state: { problem: string | null; isUsable: boolean }): void => {
      endpoints.set(endpoint, state)
    },
    /** `pausedMs`: how long the endpoint is not asked because of its limits. */
    track: (endpoint: string, pausedMs: () => number): void => {
      pauses.set(endpoint, pausedMs)
    },
    /** A part of an endpoint that is not needed: the endpoint stays usable. Null once it works. */
    setProblem: (
      endpoint: string,
      part: 'websocket' | 'results' | 'tip',
      problem: string | null,
    ): void => {
      if (problem === null) parts.delete(`${part} of ${endpoint}`)
      else parts.set(`${part} of ${endpoint}`, problem)
    },
    /** Returns what to call at the end of the read. */
    begin: (read: HoldingRead) => {
      holding.set(read, clock.now())
      return (): void => {
        holding.delete(read)
        endedMs = clock.now()
      }
    },
    setPolled: (found: Polled): void => {
      polled = found
    },
    get polled(): Polled | null {
      return polled
    },
    /**
     * Not ready while no endpoint is usable or a read holds the pipeline. `reasons` names every endpoint with a
     * problem, even while another endpoint replaces it, and each one that pauses because of its limits.
     */
    readiness: (): Readiness => {
      const reasons: string[] = []
      for (const [name, { problem }] of endpoints) {
        if (problem !== null) reasons.push(`endpoint ${name}: ${problem}`)
      }
      for (const [name, pausedMs] of pauses) {
        const seconds = Math.ceil(pausedMs() / 1_000)
        const isNotable = seconds * 1_000 >= NOTABLE_PAUSE_MS && !endpoints.get(name)?.problem
        if (isNotable)
          reasons.push(`endpoint ${name} limits requests: it is not asked for ${seconds} s`)
      }
      for (const [part, problem] of parts) reasons.push(`${part}: ${problem}`)
      // Prefetched heights may wait too: indexing waits for the lowest one.
      const inOrder = [...holding].sort(([one], [other]) => one.height - other.height)
      const waits = inOrder.map(([read, beganMs]) => describeRead(read, beganMs)).find(Boolean)
      if (waits) reasons.push(waits)
      const states = [...endpoints.values()]
      const hasEndpoint = states.length === 0 || states.some(({ isUsable }) => isUsable)
      return { ready: hasEndpoint && !waits, reasons }
    },
  }
}

/** Two clauses: what answers at the address, and what to do. */
export type AddressExplanation = { what: string; remedy: string }

const remedy = 'use the RPC port of the same node, usually 26657'
const GRPC = { what: 'this is the gRPC port of a node, usually 9090', remedy }
const REST = { what: 'this is the REST API of a node, usually port 1317', remedy }

/** `{"code":12,"message":"Not Implemented","details":[]}`: every path that is no method of the gateway. */
const REST_ANSWER = /^HTTP status (?:404|501): \{"code": ?(?:5|12), ?"message"/

/** An HTTP/2 frame of type SETTINGS on the stream 0, the first one of every server. */
const isHttp2 = (bytes: Buffer): boolean =>
  bytes.length >= 9 && bytes[3] === 4 && bytes.readUInt32BE(5) === 0

/** Undefined if nothing shows another port. */
export function explainAddress({ message, cause }: AppError): AddressExplanation | undefined {
  const { rawPacket } = (cause ?? {}) as { rawPacket?: unknown }
  if (rawPacket instanceof Buffer && isHttp2(rawPacket)) return GRPC
  return REST_ANSWER.test(message) ? REST : undefined
}

/** Returns the same metrics for the same registry: a second connection must not register them again. */
export const oncePer = <T>(create: (metrics: Metrics) => T): ((metrics: Metrics) => T) => {
  const made = new WeakMap<Metrics, T>()
  return (metrics) => {
    const found = made.get(metrics) ?? create(metrics)
    made.set(metrics, found)
    return found
  }
}

export const createNodeMetrics = oncePer((metrics) => ({
  requests: metrics.counter({
    name: 'rpc_requests_total',
    help:
      'Requests to endpoints by method and outcome: ok, RPC_LIMITED if the endpoint refused it because of ' +
      'its limits, or another error code',
    labels: ['endpoint', 'method', 'outcome'],
  }),
  endpointHealthy: metrics.gauge({
    name: 'endpoint_healthy',
    help: '1 while the endpoint is healthy, else 0',
    labels: ['endpoint'],
  }),
  crossChecks: metrics.counter({
    name: 'cross_checks_total',
    help:
      'Heights with governance events, by the report of a second endpoint: same, different, ' +
      'or unchecked if there was no second endpoint',
    labels: ['outcome'],
  }),
}))

export type NodeMetrics = ReturnType<typeof createNodeMetrics>

export const createWakeUpMetrics = oncePer((metrics) => ({
  reconnects: metrics.counter({
    name: 'websocket_reconnects_total',
    help: 'Websocket connections that ended and were replaced',
    labels: ['endpoint'],
  }),
}))
