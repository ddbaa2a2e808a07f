// Reports new heights from the websocket of every endpoint. A report is only a hint: a websocket may stop, close or skip heights
// at any time. Replaces `WebsocketClient` of @cosmjs/tendermint-rpc: it reconnects after `disconnect()`, never subscribes again,
// and cannot be ended while its server does not respond.
import { WebSocket } from 'ws'
import { abortedError, onAbort } from '../../../infra/base/runtime/abort.ts'
import { type Clock, pause, systemClock } from '../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { Logger } from '../../../infra/base/runtime/logger.ts'
import type { Metrics } from '../../../infra/base/runtime/metrics.ts'
import { type PausePolicy, policies } from '../../../infra/base/runtime/policies.ts'
import { getRepeatedWarnings } from '../../../infra/base/runtime/repeated-warnings.ts'
import { supervise } from '../../../infra/base/runtime/retry.ts'
import {
  createWakeUpMetrics,
  endpointNames,
  type NodeHealth,
} from '../endpoints/endpoint-health.ts'
import { type Headers, USER_AGENT } from '../transport/http-post.ts'
import {
  decodeHeaderNotice,
  invalidResponse,
  type RpcHeaderNotice,
  type RpcResponse,
} from '../transport/wire.ts'

const wakeUpDefaults = {
  /** A connection without a new header for this long counts as lost. */
  silenceMs: 30_000,
  reconnect: policies.websocket as PausePolicy,
}
export type WakeUpSettings = typeof wakeUpDefaults

const HANDSHAKE_TIMEOUT_MS = 10_000
/** A notice of a header has about 2 KiB. */
const MAX_NOTICE_BYTES = 64 * 2 ** 10
/**
 * What one connection may send within `windowMs`. A notice comes once per block; the fastest demo chain has 50 blocks a second.
 */
const FLOOD = { windowMs: 10_000, messages: 1_000, bytes: 2 * 2 ** 20 }

export type WakeUpOptions = {
  urls: readonly string[]
  /** Sent to the endpoint with this URL. */
  headers?: ReadonlyMap<string, Headers> | undefined
  chainId: string
  settings?: Partial<WakeUpSettings>
  logger: Logger
  metrics: Metrics
  /** Receives the misuse of a websocket; if absent, only the log and the metrics report it. */
  health?: NodeHealth
  clock?: Clock
}

export type WakeUp = {
  /** Calls `onHeight` for every new header; resolves when aborted, after all sockets are closed. */
  follow(onHeight: (height: number) => void, signal: AbortSignal): Promise<void>
}

const SUBSCRIBE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscribe',
  params: { query: "tm.event='NewBlockHeader'" },
})

const websocketUrl = (url: string): URL => {
  const target = new URL(url)
  target.protocol = target.protocol === 'https:' ? 'wss:' : 'ws:'
  target.pathname = `${target.pathname.replace(/\/$/, '')}/websocket`
  return target
}

/** The height in a message; undefined for other messages. Throws if the node ends the subscription. */
const readMessage = (message: string, chainId: string): number | undefined => {
  let answer: RpcResponse | null
  try {
    answer = JSON.parse(message) as RpcResponse | null
  } catch {
    throw invalidResponse('a websocket message is not JSON')
  }
  if (answer?.error) {
    const { data, message: text } = answer.error
    const reasons = [data, text, 'no reason given'].filter((each) => typeof each === 'string')
    throw new AppError('RPC_REFUSED', reasons.find((each) => each !== '') ?? '')
  }
  const header = (answer?.result as RpcHeaderNotice | undefined)?.data?.value?.header
  return header ? decodeHeaderNotice(header, chainId) : undefined
}

/** Throws once a connection has sent more than an honest node would. */
const createFloodGuard = (clock: Clock) => {
  let sent = { sinceMs: clock.now(), messages: 0, bytes: 0 }
  return (size: number): void => {
    const { windowMs, messages, bytes } = FLOOD
    if (clock.now() - sent.sinceMs > windowMs)
      sent = { sinceMs: clock.now(), messages: 0, bytes: 0 }
    sent.messages += 1
    sent.bytes += size
    if (sent.messages <= messages && sent.bytes <= bytes) return
    const most = `${messages} messages or ${bytes} bytes within ${windowMs / 1_000} s`
    throw invalidResponse(`the websocket sent more than ${most}`)
  }
}

/** `ws` refuses a message above `maxPayload` with this code before it is received. */
const toSocketError = (error: Error & { code?: string }): AppError =>
  error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH'
    ? invalidResponse(`a websocket message is larger than ${MAX_NOTICE_BYTES} bytes`)
    : new AppError('RPC_UNAVAILABLE', error.message)

/** The end of the connection reports a pong that cannot be sent. */
const sendPong = (socket: WebSocket, data: Buffer): undefined => {
  if (socket.readyState === WebSocket.OPEN) socket.pong(data, true, () => {})
  return undefined
}

export function createWakeUp(options: WakeUpOptions): WakeUp {
  const { chainId, urls, logger, health, clock = systemClock } = options
  const { silenceMs, reconnect } = { ...wakeUpDefaults, ...options.settings }
  const metrics = createWakeUpMetrics(options.metrics)
  const names = endpointNames(urls)

  /** Runs one connection until it ends. Always rejects, with the reason or with a defect. */
  const followOnce = (
    url: string,
    onHeight: (height: number) => void,
    signal: AbortSignal,
  ): Promise<never> =>
    new Promise((_, reject) => {
      if (signal.aborted) return reject(abortedError(signal))
      const socket = new WebSocket(websocketUrl(url), {
        headers: { 'user-agent': USER_AGENT, ...options.headers?.get(url) },
        handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
        maxPayload: MAX_NOTICE_BYTES,
        perMessageDeflate: false,
        // With automatic pongs, `ws` ends a flood of pings as if the node had closed the connection.
        autoPong: false,
      })
      const countMessage = createFloodGuard(clock)
      const end = (error: unknown) => {
        clearTimeout(watchdog)
        unlink()
        socket.removeAllListeners('message')
        // `terminate`, not `close`: a server that does not respond would never finish the closing handshake.
        socket.terminate()
        reject(error)
      }
      const onSilence = () =>
        end(new AppError('DEADLINE_EXCEEDED', `no new header for ${silenceMs} ms`))
      const watchdog = setTimeout(onSilence, silenceMs)
      const unlink = onAbort(signal, () => end(abortedError(signal)))
      const receive = (data: Buffer, read: () => number | undefined) => {
        try {
          countMessage(data.length)
          const height = read()
          if (height === undefined) return
          watchdog.refresh()
          onHeight(height)
        } catch (error) {
          end(error)
        }
      }
      socket.on('open', () => socket.send(SUBSCRIBE))
      socket.on('message', (data: Buffer) => receive(data, () => readMessage(`${data}`, chainId)))
      socket.on('ping', (data) => receive(data, () => sendPong(socket, data)))
      socket.on('error', (error) => end(toSocketError(error)))
      socket.on('close', (code) =>
        end(new AppError('RPC_UNAVAILABLE', `the node closed the websocket (${code})`)),
      )
    })

  /** Opens a new connection after each one ends, with growing pauses until one reports a header. */
  const followEndpoint = (
    url: string,
    endpoint: string,
    onHeight: (height: number) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    let isMisused = false
    let named = ''
    const connect = async (works: () => void) => {
      if (isMisused) await pause(policies.websocketAfterMisuse.forMs, signal, clock)
      isMisused = false
      const hint = (height: number) => {
        works()
        onHeight(height)
      }
      await followOnce(url, hint, signal)
    }
    const onFailure = ({ code, message }: AppError) => {
      metrics.reconnects.inc({ endpoint })
      // The node sends what no honest node sends: a new connection would be the same.
      isMisused = code === 'RPC_INVALID_RESPONSE'
      if (isMisused) health?.setProblem(endpoint, 'websocket', message)
      // Logs a halted chain or a node without websocket once, not at every attempt.
      if (named !== code)
        getRepeatedWarnings(logger).warn({
          key: `websocket ${endpoint} ${code}`,
          fields: { endpoint, fault: code, reason: message },
          message: 'websocket ended',
        })
      named = code
    }
    const onRecovery = () => {
      logger.info({ endpoint }, 'websocket recovered')
      health?.setProblem(endpoint, 'websocket', null)
      named = ''
    }
    return supervise(connect, { policy: reconnect, signal, clock, onFailure, onRecovery })
  }
  return {
    follow: async (onHeight, signal) => {
      await Promise.all(urls.map((url, at) => followEndpoint(url, names[at]!, onHeight, signal)))
    },
  }
}
