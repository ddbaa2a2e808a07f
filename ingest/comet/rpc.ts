// JSON-RPC over HTTP to one endpoint, with limits for concurrent calls, time and response size. Classifies errors of nodes;
// never retries. Replaces `HttpClient` of @cosmjs/tendermint-rpc, which cannot be aborted, does not limit a response, and
// walks every response twice.
import http from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import pLimit from 'p-limit'
import { abortedError, onAbort } from '../../infra/runtime/abort.ts'
import { AppError } from '../../infra/runtime/errors.ts'
import { invalidResponse } from './decode.ts'
import { findMeaning } from './meanings.ts'
import type { MemoryBudget, Reservation } from './memory-budget.ts'
import {
  type Body,
  type BodyOptions,
  type PartReader,
  readBody,
  watchProgress,
} from './response-body.ts'
import { maxResponseBytes } from './response-limits.ts'
import type { RpcError, RpcResponse } from './wire.ts'

export type RpcOptions = {
  url: string
  /** A call fails after this time without a byte of its response. */
  timeoutMs: number
  /** In addition to the limits by method. */
  maxBodyBytes?: number
  maxConcurrentCalls: number
  /** Shared with the other endpoints. */
  budget: MemoryBudget
  /** Called before a large response is parsed; returns what to call after. */
  onLarge?: (method: string, params: Record<string, unknown>) => () => void
}

export type CallOptions = {
  signal?: AbortSignal
  /** Has the memory of the response until its owner closes it; by default until the response is parsed. */
  memory?: Reservation | undefined
  /** Reads a large response in parts. */
  createPartReader?: () => PartReader
}

/** `Result` is the expected response; the caller checks the members that it reads. */
export type RpcClient = {
  call<Result extends object>(
    method: string,
    params: Record<string, unknown>,
    options?: CallOptions,
  ): Promise<Result>
  close(): void
}

const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('RPC_UNAVAILABLE', message, { retryable: true, cause })

const toRefusal = (error: RpcError): AppError => {
  const details = typeof error.data === 'string' ? error.data : ''
  const message = details || error.message || `error ${error.code}`
  const meaning = findMeaning(message)
  if (meaning === 'pruned') return new AppError('HEIGHT_UNAVAILABLE', message)
  if (meaning === 'refused') return unavailable(message)
  return new AppError('RPC_REFUSED', message, { retryable: meaning === 'not_yet' })
}

/** True if the node is healthy and only has not reached the height yet. */
export const isNotYet = (error: AppError): boolean =>
  error.code === 'RPC_REFUSED' && error.retryable

type Answer = { status: number; body: Body }

const parseAnswer = ({ status, body }: Answer, id: number): object => {
  let parsed: RpcResponse | null
  try {
    parsed = body() as RpcResponse | null
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    // The status is more useful than the error page of a proxy.
    if (status >= 400) throw unavailable(`HTTP status ${status}`)
    throw invalidResponse('the response is not JSON', cause)
  }
  if (parsed?.error) throw toRefusal(parsed.error)
  if (status >= 400) throw unavailable(`HTTP status ${status}`)
  if (typeof parsed?.result !== 'object' || parsed.result === null) {
    throw invalidResponse('the response has no result')
  }
  if (parsed.id !== id) throw invalidResponse('the response belongs to another request')
  return parsed.result
}

type Target = {
  request: typeof http.request
  /** All options except the length of the body: computed once per URL, not per call. */
  options: http.RequestOptions
}

const createTarget = (url: URL, agent: http.Agent): Target => ({
  request: url.protocol === 'https:' ? https.request : http.request,
  options: { ...urlToHttpOptions(url), method: 'POST', agent },
})

type Call = { body: string; signal: AbortSignal | undefined; timeoutMs: number }
type OfResponse = Omit<BodyOptions, 'watch'>

const post = async (target: Target, call: Call, ofResponse: OfResponse): Promise<Answer> => {
  const { body, signal, timeoutMs } = call
  if (signal?.aborted) throw abortedError(signal)
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const outgoing = target.request({ ...target.options, headers })
  let stopped: AppError | undefined
  const stop = (reason: AppError) => {
    stopped ??= reason
    outgoing.destroy(reason)
  }
  const unlink = onAbort(signal, () => stop(abortedError(signal)))
  const watch = watchProgress(timeoutMs, stop)
  try {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve)
      outgoing.on('error', reject)
      outgoing.end(body)
    }).catch((error: NodeJS.ErrnoException) => {
      // The node closed an idle connection during the write: not a fault of the node.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET' && !stopped) return undefined
      throw unavailable(error.code ?? error.message, error)
    })
    if (!response) return await post(target, call, ofResponse)
    const { statusCode: status = 0 } = response
    return { status, body: await readBody(response, { ...ofResponse, watch }) }
  } catch (error) {
    throw stopped ?? error
  } finally {
    watch.stop()
    unlink()
  }
}

export const createRpcClient = (options: RpcOptions): RpcClient => {
  const { timeoutMs, maxConcurrentCalls, maxBodyBytes = Number.POSITIVE_INFINITY } = options
  const url = new URL(options.url)
  const agents = url.protocol === 'https:' ? https : http
  const agent = new agents.Agent({ keepAlive: true, maxSockets: maxConcurrentCalls })
  const target = createTarget(url, agent)
  const limited = pLimit(maxConcurrentCalls)
  let lastId = 0
  return {
    call: async <Result extends object>(
      method: string,
      params: Record<string, unknown>,
      { signal, memory, createPartReader }: CallOptions = {},
    ) => {
      const id = ++lastId
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const reservation = memory ?? options.budget.open()
      const part = reservation.part()
      let endLarge = () => {}
      const ofResponse: OfResponse = {
        part,
        createPartReader,
        maxBytes: Math.min(maxResponseBytes(method), maxBodyBytes),
        onLarge: () => {
          endLarge = options.onLarge?.(method, params) ?? endLarge
        },
      }
      try {
        const answer = await limited(() => post(target, { body, signal, timeoutMs }, ofResponse))
        return parseAnswer(answer, id) as Result
      } catch (error) {
        part.close()
        throw error
      } finally {
        endLarge()
        if (!memory) reservation.close()
      }
    },
    close: () => agent.destroy(),
  }
}
