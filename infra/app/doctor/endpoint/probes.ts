// What only raw HTTP shows of an endpoint: the websocket, compression, the clock, and how it refuses requests.
import http from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { WebSocket } from 'ws'
import { type Answer, isKnown, known, unavailable } from '../../../../ingest/chain/answer.ts'
import {
  type Headers,
  readRetryAfter,
  USER_AGENT,
} from '../../../../ingest/comet/transport/http-post.ts'
import { isLimitStatus } from '../../../../ingest/comet/transport/meanings.ts'
import { abortedError } from '../../../base/runtime/abort.ts'
import type { Clock } from '../../../base/runtime/clock.ts'
import type { PaceFact } from './facts.ts'
import { PACE_PLAN, type PaceAnswer, probePace } from './pace.ts'

export type ProbeOptions = {
  url: URL
  /** Of the settings, such as a key. */
  headers: Headers | undefined
  clock: Clock
  signal: AbortSignal
}

type Response = { status: number; headers: http.IncomingHttpHeaders; body: string }

const TIMEOUT_MS = 5_000

const toModule = ({ protocol }: URL) => (protocol === 'https:' ? https : http)

/** One call as Rollcall sends it, by default of `status`. Rejects only with `ABORTED`. */
const post = async (
  { url, headers, signal }: Pick<ProbeOptions, 'url' | 'headers' | 'signal'>,
  call: { method: string; params: Record<string, string> } = { method: 'status', params: {} },
  agent?: http.Agent,
): Promise<Answer<Response>> => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
  const ofBody = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const request = toModule(url).request(url, {
    method: 'POST',
    headers: { ...ofBody, 'user-agent': USER_AGENT, ...headers },
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    ...(agent ? { agent } : {}),
  })
  try {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      request.on('response', resolve)
      request.on('error', reject)
      request.end(body)
    })
    const { statusCode: status = 0, headers: received } = response
    return known({ status, headers: received, body: await text(response) })
  } catch (error) {
    if (signal.aborted) throw abortedError(signal)
    return unavailable(error instanceof Error ? error.message : String(error))
  }
}

const describe = (found: Answer<Response>): string =>
  isKnown(found) ? `HTTP status ${found.value.status}` : found.unavailable

export const probeWebsocket = async ({
  url,
  headers,
  signal,
}: ProbeOptions): Promise<Answer<true>> => {
  if (signal.aborted) throw abortedError(signal)
  const target = new URL(url)
  target.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  target.pathname = `${target.pathname.replace(/\/$/, '')}/websocket`
  const socket = new WebSocket(target, {
    headers: { 'user-agent': USER_AGENT, ...headers },
    handshakeTimeout: TIMEOUT_MS,
  })
  return await new Promise<Answer<true>>((resolve) => {
    socket.on('open', () => resolve(known(true)))
    socket.on('unexpected-response', (_, { statusCode }) =>
      resolve(unavailable(`HTTP status ${statusCode}`)),
    )
    socket.on('error', ({ message }) => resolve(unavailable(message)))
  }).finally(() => socket.terminate())
}

/** `/validators` is long enough that a gateway compresses it. */
export const probeCompression = async (
  { headers, ...options }: ProbeOptions,
  height: number,
): Promise<Answer<boolean>> => {
  const found = await post(
    { ...options, headers: { ...headers, 'accept-encoding': 'gzip' } },
    { method: 'validators', params: { height: `${height}`, per_page: '100' } },
  )
  return isKnown(found) && found.value.status === 200
    ? known(found.value.headers['content-encoding'] === 'gzip')
    : unavailable(describe(found))
}

/** The clock of the endpoint minus the own one, in seconds. Its `Date` has whole seconds. */
export const probeClock = async (options: ProbeOptions): Promise<number | undefined> => {
  const { clock } = options
  const sentMs = clock.now()
  const found = await post(options)
  const middleMs = (sentMs + clock.now()) / 2
  const dateMs = isKnown(found) ? Date.parse(found.value.headers.date ?? '') : Number.NaN
  return Number.isNaN(dateMs) ? undefined : (dateMs + 500 - middleMs) / 1000
}

const toPaceAnswer = (found: Answer<Response>, nowMs: number): PaceAnswer => {
  if (!isKnown(found)) return { ok: false, reason: found.unavailable, isRefusal: false }
  const { status, headers, body } = found.value
  if (status === 200 && body.includes('"node_info"')) return { ok: true }
  const retryAfterMs = readRetryAfter(headers, nowMs)
  return {
    ok: false,
    reason: status === 200 ? 'not a status' : describe(found),
    isRefusal: isLimitStatus(status),
    ...(retryAfterMs === null ? {} : { retryAfterSeconds: Math.round(retryAfterMs / 1_000) }),
  }
}

export const measurePace = async (options: ProbeOptions): Promise<PaceFact> => {
  const { url, clock } = options
  const agent = new (toModule(url).Agent)({
    keepAlive: true,
    maxSockets: PACE_PLAN.maxInFlight,
  })
  try {
    return await probePace(
      async () => toPaceAnswer(await post(options, undefined, agent), clock.now()),
      options,
    )
  } finally {
    agent.destroy()
  }
}
