// What only raw HTTP shows of an endpoint: the websocket, compression, the clock, and how it refuses requests.
import { type Answer, known, unavailable } from '../../../../ingest/chain/answer.ts'
import { type Headers, readRetryAfter } from '../../../../ingest/comet/transport/http-post.ts'
import { isLimitStatus } from '../../../../ingest/comet/transport/meanings.ts'
import {
  createAgent,
  type Exchange,
  exchange,
  requestWebsocket,
} from '../../../../ingest/rpc-address/exchange.ts'
import { isRpcAnswer } from '../../../../ingest/rpc-address/explain-address.ts'
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

const describe = (found: Exchange): string =>
  found.kind === 'failed' ? found.message : `HTTP status ${found.status}`

export const probeWebsocket = async ({
  url,
  headers,
  signal,
}: ProbeOptions): Promise<Answer<true>> => {
  const found = await requestWebsocket(url, { signal, headers })
  const isOpen = found.kind === 'response' && found.status === 101
  return isOpen ? known(true) : unavailable(describe(found))
}

/** `/validators` is long enough that a gateway compresses it. */
export const probeCompression = async (
  { url, headers, signal }: ProbeOptions,
  height: number,
): Promise<Answer<boolean>> => {
  const found = await exchange(url, {
    signal,
    headers: { ...headers, 'accept-encoding': 'gzip' },
    call: { method: 'validators', params: { height: `${height}`, per_page: '100' } },
  })
  return found.kind === 'response' && found.status === 200
    ? known(found.headers['content-encoding'] === 'gzip')
    : unavailable(describe(found))
}

/** The clock of the endpoint minus the own one, in seconds. Its `Date` has whole seconds. */
export const probeClock = async ({
  url,
  headers,
  clock,
  signal,
}: ProbeOptions): Promise<number | undefined> => {
  const sentMs = clock.now()
  const found = await exchange(url, { signal, headers })
  const middleMs = (sentMs + clock.now()) / 2
  const dateMs = found.kind === 'response' ? Date.parse(found.headers.date ?? '') : Number.NaN
  return Number.isNaN(dateMs) ? undefined : (dateMs + 500 - middleMs) / 1000
}

const toPaceAnswer = (found: Exchange, nowMs: number): PaceAnswer => {
  if (found.kind === 'response' && found.status === 200 && isRpcAnswer(found)) return { ok: true }
  const isRefusal = found.kind === 'response' && isLimitStatus(found.status)
  const retryAfterMs = found.kind === 'response' ? readRetryAfter(found.headers, nowMs) : null
  const reason =
    found.kind === 'response' && found.status === 200 ? 'not a status' : describe(found)
  return {
    ok: false,
    reason,
    isRefusal,
    ...(retryAfterMs === null ? {} : { retryAfterSeconds: Math.round(retryAfterMs / 1_000) }),
  }
}

export const measurePace = async (options: ProbeOptions): Promise<PaceFact> => {
  const { url, headers, clock, signal } = options
  const agent = createAgent(url, PACE_PLAN.maxInFlight)
  try {
    const ask = async () =>
      toPaceAnswer(await exchange(url, { signal, headers, agent }), clock.now())
    return await probePace(ask, options)
  } finally {
    agent.destroy()
  }
}
