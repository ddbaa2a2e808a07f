// JSON-RPC to one endpoint, at its pace and with a limit of response size. Classifies errors of nodes and gateways. Replaces
// `HttpClient` of @cosmjs/tendermint-rpc, which cannot be aborted, does not limit a response, and walks every response twice.
import { type Clock, systemClock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import { type BatchSize, createBatchSize, splitBatch } from './batch.ts'
import {
  type Body,
  createHttpPost,
  type Headers,
  type HttpAnswer,
  type HttpPost,
  MAX_BATCH_BYTES,
  maxResponseBytes,
  OversizeError,
  unavailable,
} from './http-post.ts'
import { LARGE_BYTES, parseCounted } from './large-json.ts'
import { findMeaning, isLimitStatus } from './meanings.ts'
import type { MemoryBudget, Reservation } from './memory-budget.ts'
import { createPace, LimitedError, type Pace, type PaceOptions } from './pace.ts'
import { invalidResponse, type RpcError, type RpcResponse } from './wire.ts'

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
  onRefused?: PaceOptions['onRefused']
  /** Called for each request that was sent, with `ok` or the code of its error. */
  onAnswer?: ((method: string, outcome: string) => void) | undefined
  /** Shared with the other endpoints. */
  budget: MemoryBudget
  clock?: Clock
}

export type CallOptions = {
  signal?: AbortSignal
  /** Its place in the turn: lower comes first. */
  order?: number | undefined
  /** Yields to all other calls. */
  isBackground?: boolean | undefined
  /** Has the memory of the response until its owner closes it; by default until the response is parsed. */
  memory?: Reservation | undefined
}

type Params = Record<string, unknown>

/** One response. */
export type Reply = {
  /** As it was received, the envelope included. */
  readonly text: Buffer
  /** Parses it. Throws as `call`. */
  result<Result extends object>(): Result
  /** The same if it is parsed already. */
  resultOf<Result extends object>(parsed: unknown): Result
}

/** `Result` is the expected response; the caller checks the members that it reads. */
export type RpcClient = {
  call<Result extends object>(
    method: string,
    params: Params,
    options?: CallOptions,
  ): Promise<Result>
  /** Several calls in order without a parse, in as few requests as the endpoint takes. */
  askAll(method: string, params: readonly Params[], options: CallOptions): Promise<Reply[]>
  readonly pace: Pick<Pace, 'pausedMs' | 'waitMs'>
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
const wordsOf = (body: Pick<Body, 'start'>): string => {
  const text = body.start()
  const words = /<title>([^<]*)/i.exec(text)?.[1] ?? text.replace(/<[^>]*>/g, ' ')
  return words.replace(/\s+/g, ' ').trim().slice(0, 200)
}

const statusError = ({ status, retryAfterMs, body }: Answer): AppError => {
  const words = wordsOf(body)
  const message = `HTTP status ${status}${words === '' ? '' : `: ${words}`}`
  return isLimitStatus(status) ? new LimitedError(message, retryAfterMs) : unavailable(message)
}

type Answer = Pick<HttpAnswer, 'status' | 'retryAfterMs'> & {
  body: Pick<Body, 'bytes' | 'parse' | 'start'>
}

const parseBody = (answer: Answer): unknown => {
  const { status, body, retryAfterMs } = answer
  try {
    return body.parse()
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
}

const readResult = (answer: Answer, id: number, response: unknown): object => {
  const { status, retryAfterMs } = answer
  const parsed = response as RpcResponse | null
  if (parsed?.error) throw toRefusal(parsed.error, retryAfterMs)
  if (status >= 400) throw statusError(answer)
  if (typeof parsed?.result !== 'object' || parsed.result === null) {
    throw invalidResponse('the response has no result')
  }
  if (parsed.id !== id) throw invalidResponse('the response belongs to another request')
  return parsed.result
}

const parseAnswer = (answer: Answer, id: number): object =>
  readResult(answer, id, parseBody(answer))

/** Whether a text begins as a node writes a result: then it is no error. */
const RESULT = /^\{"jsonrpc":"2\.0","id":(\d+),"result":\{/
const RESULT_BYTES = 64

const isResult = (text: Buffer, id: number): boolean =>
  RESULT.exec(text.toString('latin1', 0, RESULT_BYTES))?.[1] === String(id)

/** Parses only what may be an error: that is found in its turn at the pace. No error is large. */
const toReply = (answer: Answer, id: number, text: Buffer): Reply => {
  const isKept = answer.status < 400 && (text.length > LARGE_BYTES || isResult(text, id))
  const parsed = isKept ? undefined : parseAnswer(answer, id)
  return {
    text,
    result: <Result extends object>() => (parsed ?? parseAnswer(answer, id)) as Result,
    resultOf: <Result extends object>(response: unknown) =>
      readResult(answer, id, response) as Result,
  }
}

/** The endpoint takes no batches. */
class BatchRefused extends Error {}

const toBatchPart = (text: Buffer): Answer['body'] => ({
  bytes: text.length,
  parse: () => parseCounted(text),
  start: () => text.toString('utf8', 0, 200),
})

/** The responses of a batch, in the order of the requests. */
const readBatch = (answer: HttpAnswer, ids: readonly number[]): Reply[] => {
  const { status, retryAfterMs, body } = answer
  if (isLimitStatus(status)) throw statusError(answer)
  if (status >= 400) throw new BatchRefused()
  const text = body.text()
  if (body.bytes === 0) throw new BatchRefused()
  let parts: ReadonlyMap<number, Buffer> | undefined
  try {
    parts = splitBatch(text)
  } catch (cause) {
    throw invalidResponse('the response is not JSON', cause)
  }
  if (!parts) throw new BatchRefused()
  return ids.map((id) => {
    const part = parts.get(id)
    if (!part) throw invalidResponse('the batch lacks a response')
    // An error decides about the whole batch.
    return toReply({ status, retryAfterMs, body: toBatchPart(part) }, id, part)
  })
}

const inBatches = async (
  { method, params }: { method: string; params: readonly Params[] },
  size: BatchSize,
  ask: (params: readonly Params[]) => Promise<Reply[]>,
): Promise<Reply[]> => {
  const replies: Reply[] = []
  while (replies.length < params.length) {
    const next = params.slice(replies.length, replies.length + size.of(method))
    const startedMs = performance.now()
    try {
      const answered = await ask(next)
      const bytes = answered.reduce((sum, { text }) => sum + text.length, 0)
      const tookMs = performance.now() - startedMs
      size.answered({ method, requests: next.length, bytes, tookMs })
      replies.push(...answered)
    } catch (error) {
      if (next.length === 1) throw error
      if (error instanceof BatchRefused) size.refused()
      else if (error instanceof OversizeError || hasCode(error, 'DEADLINE_EXCEEDED')) size.tooMuch()
      else {
        if (error instanceof LimitedError) size.limited()
        throw error
      }
    }
  }
  return replies
}

type Sent = { method: string; params: readonly Params[]; maxBytes: number; isRaw?: boolean }
type Send = <T>(
  sent: Sent,
  ofCall: CallOptions,
  read: (answer: HttpAnswer, ids: readonly number[]) => T,
) => Promise<T>

const outcomeOf = (error: unknown): string =>
  error instanceof AppError ? error.code : 'RPC_INVALID_RESPONSE'

/** Sends one request at the pace of the endpoint; `read` runs in its turn. */
const createSend = (options: RpcOptions, http: HttpPost, pace: Pace): Send => {
  let lastId = 0
  const toBody = (method: string, params: readonly Params[]) => {
    const requests = params.map((each) => ({ jsonrpc: '2.0', id: ++lastId, method, params: each }))
    const text = JSON.stringify(requests.length === 1 ? requests[0] : requests)
    return { ids: requests.map(({ id }) => id), text }
  }
  return async ({ method, params, ...sent }, ofCall, read) => {
    const { signal, order, isBackground, memory } = ofCall
    const reservation = memory ?? options.budget.open()
    const part = reservation.part()
    const request = async () => {
      const { ids, text } = toBody(method, params)
      try {
        const answer = await http.send(text, { ...sent, part }, signal)
        const result = read(answer, ids)
        options.onAnswer?.(method, 'ok')
        return result
      } catch (error) {
        options.onAnswer?.(method, outcomeOf(error))
        throw error
      }
    }
    try {
      return await pace.run(request, { signal, order, isBackground })
    } catch (error) {
      part.close()
      throw error
    } finally {
      if (!memory) reservation.close()
    }
  }
}

const readReply = (answer: HttpAnswer, [id]: readonly number[]): Reply =>
  toReply(answer, id!, answer.body.text())

export const createRpcClient = (options: RpcOptions): RpcClient => {
  const { maxConcurrentCalls, maxBodyBytes = Number.POSITIVE_INFINITY } = options
  const clock = options.clock ?? systemClock
  const http = createHttpPost({ ...options, maxConnections: maxConcurrentCalls })
  const pace = createPace({
    maxConcurrent: maxConcurrentCalls,
    maxPerSecond: options.maxPerSecond,
    clock,
    onRefused: options.onRefused,
  })
  const send = createSend(options, http, pace)
  const batchSize = createBatchSize(clock)
  const toSent = (method: string, params: Params): Sent => ({
    method,
    params: [params],
    maxBytes: Math.min(maxResponseBytes(method), maxBodyBytes),
  })
  const ask = (method: string, params: Params, ofCall: CallOptions): Promise<Reply> =>
    send({ ...toSent(method, params), isRaw: true }, ofCall, readReply)
  /** A gateway may forbid batches with the status of a limit: the first one says nothing about the pace. */
  const readFirstBatch = (answer: HttpAnswer, ids: readonly number[]): Reply[] => {
    if (!batchSize.hasWorked() && isLimitStatus(answer.status)) throw new BatchRefused()
    return readBatch(answer, ids)
  }
  return {
    call: <Result extends object>(method: string, params: Params, ofCall: CallOptions = {}) =>
      send(toSent(method, params), ofCall, (answer, [id]) => parseAnswer(answer, id!) as Result),
    askAll: (method, params, ofCall) =>
      inBatches({ method, params }, batchSize, async (next) => {
        if (next.length === 1) return [await ask(method, next[0]!, ofCall)]
        const maxBytes = Math.min(MAX_BATCH_BYTES, maxBodyBytes)
        return await send({ method, params: next, maxBytes, isRaw: true }, ofCall, readFirstBatch)
      }),
    pace,
    close: () => {
      pace.close()
      http.close()
    },
  }
}
