// Reports new heights from the websocket of every endpoint. A report is only a hint: a websocket may stop, close or skip heights
// at any time. Replaces `WebsocketClient` of @cosmjs/tendermint-rpc: it reconnects after `disconnect()`, never subscribes again,
// and cannot be ended while its server does not respond.
import { WebSocket } from 'ws'
import { abortedError, onAbort } from '../../infra/runtime/abort.ts'
import type { Clock } from '../../infra/runtime/clock.ts'
import { AppError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import type { Metrics } from '../../infra/runtime/metrics.ts'
import { type PausePolicy, policies } from '../../infra/runtime/policies.ts'
import { getRepeatedWarnings } from '../../infra/runtime/repeated-warnings.ts'
import { supervise } from '../../infra/runtime/supervise.ts'
import { decodeHeaderNotice } from './decode.ts'
import { endpointNames } from './endpoint-names.ts'
import { createWakeUpMetrics } from './node-metrics.ts'
import type { RpcHeaderNotice, RpcResponse } from './wire.ts'

export type WakeUpSettings = {
  /** A connection without a new header for this long counts as lost. */
  silenceMs: number
  handshakeTimeoutMs: number
  maxMessageBytes: number
  reconnect: PausePolicy
}

const wakeUpDefaults: WakeUpSettings = {
  silenceMs: 30_000,
  handshakeTimeoutMs: 10_000,
  maxMessageBytes: 32 * 2 ** 20,
  reconnect: policies.websocket,
}

export type WakeUpOptions = {
  urls: readonly string[]
  chainId: string
  settings?: Partial<WakeUpSettings>
  logger: Logger
  metrics: Metrics
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
    throw new AppError('RPC_INVALID_RESPONSE', 'a websocket message is not JSON')
  }
  if (answer?.error) {
    const { data, message: text } = answer.error
    const reasons = [data, text, 'no reason given'].filter((each) => typeof each === 'string')
    throw new AppError('RPC_REFUSED', reasons.find((each) => each !== '') ?? '')
  }
  const header = (answer?.result as RpcHeaderNotice | undefined)?.data?.value?.header
  return header ? decodeHeaderNotice(header, chainId) : undefined
}

type Connection = {
  url: URL
  chainId: string
  settings: WakeUpSettings
  onHeight: (height: number) => void
  signal: AbortSignal
}

/** Runs one connection until it ends. Always rejects, with the reason or with a defect. */
const followOnce = ({ url, chainId, settings, onHeight, signal }: Connection): Promise<never> =>
  new Promise((_, reject) => {
    const socket = new WebSocket(url, {
      handshakeTimeout: settings.handshakeTimeoutMs,
      maxPayload: settings.maxMessageBytes,
      perMessageDeflate: false,
    })
    const end = (error: unknown) => {
      clearTimeout(watchdog)
      unlink()
      // `terminate`, not `close`: a server that does not respond would never finish the closing handshake.
      socket.terminate()
      reject(error)
    }
    const onSilence = () =>
      end(new AppError('DEADLINE_EXCEEDED', `no new header for ${settings.silenceMs} ms`))
    const watchdog = setTimeout(onSilence, settings.silenceMs)
    const unlink = onAbort(signal, () => end(abortedError(signal)))
    socket.on('open', () => socket.send(SUBSCRIBE))
    socket.on('message', (message) => {
      try {
        const height = readMessage(message.toString(), chainId)
        if (height === undefined) return
        watchdog.refresh()
        onHeight(height)
      } catch (error) {
        end(error)
      }
    })
    socket.on('error', (error) => end(new AppError('RPC_UNAVAILABLE', error.message)))
    socket.on('close', (code) =>
      end(new AppError('RPC_UNAVAILABLE', `the node closed the websocket (${code})`)),
    )
  })

type Followed = { name: string; url: string; options: WakeUpOptions }

/** Opens a new connection after each one ends, with growing pauses until one reports a header. */
const followEndpoint = (
  { name, url, options: { logger, clock } }: Followed,
  { connection, reconnected }: { connection: Omit<Connection, 'url'>; reconnected: () => void },
): Promise<void> => {
  let named = ''
  const connect = (works: () => void) =>
    followOnce({
      ...connection,
      url: websocketUrl(url),
      onHeight: (height) => {
        works()
        connection.onHeight(height)
      },
    })
  return supervise(connect, {
    policy: connection.settings.reconnect,
    signal: connection.signal,
    ...(clock && { clock }),
    onFailure: ({ code, message }) => {
      // Logs a halted chain or a node without websocket once, not at every attempt.
      if (named !== code)
        getRepeatedWarnings(logger).warn({
          key: `websocket ${name} ${code}`,
          fields: { endpoint: name, fault: code, reason: message },
          message: 'websocket ended',
        })
      named = code
      reconnected()
    },
    onRecovery: () => {
      logger.info({ endpoint: name }, 'websocket recovered')
      named = ''
    },
  })
}

export const createWakeUp = (options: WakeUpOptions): WakeUp => {
  const settings = { ...wakeUpDefaults, ...options.settings }
  const metrics = createWakeUpMetrics(options.metrics)
  const names = endpointNames(options.urls)
  return {
    follow: async (onHeight, signal) => {
      const connection = { chainId: options.chainId, settings, onHeight, signal }
      await Promise.all(
        options.urls.map((url, index) => {
          const name = names[index]!
          const reconnected = () => metrics.reconnects.inc({ endpoint: name })
          return followEndpoint({ name, url, options }, { connection, reconnected })
        }),
      )
    },
  }
}
