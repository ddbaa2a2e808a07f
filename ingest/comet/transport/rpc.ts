// JSON-RPC to one endpoint, at its pace and with a limit of response size. Classifies errors of nodes and gateways; repeats only what
// the endpoint refused because of its limits. Replaces `HttpClient` of @cosmjs/tendermint-rpc, which cannot be aborted, does not
// limit a response, and walks every response twice.
import { type Clock, systemClock } from '../../../infra/base/runtime/clock.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { invalidResponse } from './decode.ts'
import { createHttpPost, type Headers, type HttpAnswer, unavailable } from './http-post.ts'
import { findMeaning, isLimitStatus } from './meanings.ts'
import type { MemoryBudget, Reservation } from './memory-budget.ts'
import { createPace, LimitedError, type Pace, type PaceOptions } from './pace.ts'
import type { Body, PartReader } from './response-body.ts'
import { maxResponseBytes } from './response-limits.ts'
import type { RpcError, RpcResponse } from './wire.ts'

export type RpcOptions = {
  url: string
  headers?: Headers | undefined
  /** A call fails after this time without a byte of its response; its turn is not counted. */
  timeoutMs: number
  /** In addition to the limits by method. */
  maxBodyBytes?: number
  maxConcurrentCalls: number
  /** By default the limit of the endpoint is found. */
  maxPerSecond?: number | undefined
  /** How long a call is repeated that the endpoint refuses because of its limits. */
  patienceMs?: number
  onRefused?: PaceOptions['onRefused']
  /** Called for each request that was sent, with `ok` or the code of its error. */
  onAnswer?: ((method: string, outcome: string) => void) | undefined
  /** Shared with the other endpoints. */
  budget: MemoryBudget
  /** Called before a large response is parsed; returns what to call after. */
  onLarge?: (method: string, params: Record<string, unknown>) => () => void
  clock?: Clock
}

export type CallOptions = {
  signal?: AbortSignal
  /** Yields to all other calls. */
  isBackground?: boolean | undefined
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
  readonly pace: Pick<Pace, 'read' | 'waitMs'>
  close(): void
}

const messageOf = ({ code, data, message }: RpcError): string =>
  (typeof data === 'string' && data) || message || `error ${code}`

/** `error`: some gateways send only a text. */
const toRefusal = (error: RpcError | string, retryAfterMs: number | null): AppError => {
  const message = typeof error === 'string' ? error : messageOf(error)
  const meaning = findMeaning(message)
  if (meaning === 'pruned') return new AppError('HEIGHT_UNAVAILABLE', message)
  if (meaning === 'refused') return new LimitedError(message, retryAfterMs)
  return new AppError('RPC_REFUSED', message, { retryable: meaning === 'not_yet' })
}

/** True if the node is healthy and only has not reached the height yet. */
export const isNotYet = (error: AppError): boolean =>
  error.code === 'RPC_REFUSED' && error.retryable

/** The words of an error page. */
const wordsOf = (body: Body): string => {
  const text = body.start()
  const words = /<title>([^<]*)/i.exec(text)?.[1] ?? text.replace(/<[^>]*>/g, ' ')
  return words.replace(/\s+/g, ' ').trim().slice(0, 200)
}

const statusError = ({ status, retryAfterMs, body }: HttpAnswer): AppError => {
  const words = wordsOf(body)
  const message = `HTTP status ${status}${words === '' ? '' : `: ${words}`}`
  return isLimitStatus(status) ? new LimitedError(message, retryAfterMs) : unavailable(message)
}

const parseAnswer = (answer: HttpAnswer, id: number): object => {
  const { status, body, retryAfterMs } = answer
  let parsed: RpcResponse | null
  try {
    parsed = body.parse() as RpcResponse | null
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    // The status is more useful than the error page of a proxy.
    if (status >= 400) throw statusError(answer)
    // No node sends nothing: a gateway does, instead of HTTP status 429.
    if (body.bytes === 0)
      throw new LimitedError(
        'the response is empty, as under the rate limit of a gateway',
        retryAfterMs,
      )
    throw invalidResponse('the response is not JSON', cause)
  }
  if (parsed?.error) throw toRefusal(parsed.error, retryAfterMs)
  if (status >= 400) throw statusError(answer)
  if (typeof parsed?.result !== 'object' || parsed.result === null) {
    throw invalidResponse('the response has no result')
  }
  if (parsed.id !== id) throw invalidResponse('the response belongs to another request')
  return parsed.result
}

export const createRpcClient = (options: RpcOptions): RpcClient => {
  const { maxConcurrentCalls, maxBodyBytes = Number.POSITIVE_INFINITY } = options
  const http = createHttpPost({ ...options, maxConnections: maxConcurrentCalls })
  const pace = createPace({
    maxConcurrent: maxConcurrentCalls,
    maxPerSecond: options.maxPerSecond,
    patienceMs: options.patienceMs ?? 0,
    clock: options.clock ?? systemClock,
    onRefused: options.onRefused,
  })
  let lastId = 0
  return {
    call: async <Result extends object>(
      method: string,
      params: Record<string, unknown>,
      { signal, isBackground, memory, createPartReader }: CallOptions = {},
    ) => {
      const reservation = memory ?? options.budget.open()
      const part = reservation.part()
      const maxBytes = Math.min(maxResponseBytes(method), maxBodyBytes)
      const ask = async (): Promise<object> => {
        const id = ++lastId
        const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
        let endLarge = () => {}
        const onLarge = () => {
          endLarge = options.onLarge?.(method, params) ?? endLarge
        }
        try {
          const ofResponse = { part, createPartReader, maxBytes, onLarge }
          const result = parseAnswer(await http.send(body, ofResponse, signal), id)
          options.onAnswer?.(method, 'ok')
          return result
        } catch (error) {
          options.onAnswer?.(
            method,
            error instanceof AppError ? error.code : 'RPC_INVALID_RESPONSE',
          )
          throw error
        } finally {
          endLarge()
        }
      }
      try {
        return (await pace.run(ask, { signal, isBackground })) as Result
      } catch (error) {
        part.close()
        throw error
      } finally {
        if (!memory) reservation.close()
      }
    },
    pace,
    close: () => {
      pace.close()
      http.close()
    },
  }
}
