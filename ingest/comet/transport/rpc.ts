// JSON-RPC to one endpoint, at its pace, in batches, and with a limit of response size. Classifies errors of nodes and gateways. Replaces
// `HttpClient` of @cosmjs/tendermint-rpc, which cannot be aborted, does not limit a response, and walks every response twice.
import { abortedError, onAbort } from '../../../infra/base/runtime/abort.ts'
import { type Clock, systemClock } from '../../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../../infra/base/runtime/errors.ts'
import { type BatchSize, createBatchSize, splitBatch } from './batch.ts'
import {
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
import { createPace, LimitedError, type Pace, type PaceOptions, type Turn } from './pace.ts'
import { invalidResponse, type RpcError, type RpcResponse } from './wire.ts'

export type RpcOptions = {
  url: string
  headers?: Headers | undefined
  /** A call fails after this time without a byte of its response; its turn is not counted. */
  timeoutMs: number
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
  /** Has the memory of the response until its owner closes it; by default until it is received. */
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

/** What is read of an error page. */
const ERROR_PAGE_BYTES = 4_096

const wordsOf = (page: Buffer): string => {
  const text = page.toString('utf8', 0, ERROR_PAGE_BYTES)
  const words = /<title>([^<]*)/i.exec(text)?.[1] ?? text.replace(/<[^>]*>/g, ' ')
  return words.replace(/\s+/g, ' ').trim().slice(0, 200)
}

const statusError = ({ status, retryAfterMs, text }: HttpAnswer): AppError => {
  const words = wordsOf(text)
  const message = `HTTP status ${status}${words === '' ? '' : `: ${words}`}`
  return isLimitStatus(status) ? new LimitedError(message, retryAfterMs) : unavailable(message)
}

const parseBody = (answer: HttpAnswer): unknown => {
  const { status, text, retryAfterMs } = answer
  try {
    return parseCounted(text)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    // The status is more useful than the error page of a proxy.
    if (status >= 400) throw statusError(answer)
    // No node sends nothing: a gateway does, instead of HTTP status 429.
    if (text.length === 0)
      throw new LimitedError(
        'the response is empty, as under the rate limit of a gateway',
        retryAfterMs,
      )
    throw invalidResponse('the response is not JSON', cause)
  }
}

const readResult = (answer: HttpAnswer, id: number, response: unknown): object => {
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

const parseAnswer = (answer: HttpAnswer, id: number): object =>
  readResult(answer, id, parseBody(answer))

/** Whether a text begins as a node writes a result: then it is no error. */
const RESULT = /^\{"jsonrpc":"2\.0","id":(\d+),"result":\{/
const RESULT_BYTES = 64

const isResult = (text: Buffer, id: number): boolean =>
  RESULT.exec(text.toString('latin1', 0, RESULT_BYTES))?.[1] === String(id)

/** Parses only what may be an error: that is found in its turn at the pace. No error is large. */
const toReply = (answer: HttpAnswer, id: number): Reply => {
  const { text } = answer
  const isKept = answer.status < 400 && (text.length > LARGE_BYTES || isResult(text, id))
  const parsed = isKept ? undefined : parseAnswer(answer, id)
  return {
    text,
    result: <Result extends object>() => (parsed ?? parseAnswer(answer, id)) as Result,
    resultOf: <Result extends object>(response: unknown) =>
      readResult(answer, id, response) as Result,
  }
}

const PAYLOAD_TOO_LARGE = 413

/** The endpoint takes no batches. */
class BatchRefused extends Error {}

/** The responses of a batch, in the order of the requests; undefined for one that is absent. */
const splitAnswer = (
  answer: HttpAnswer,
  { ids, hasWorked }: { ids: readonly number[]; hasWorked: boolean },
): (HttpAnswer | undefined)[] => {
  const { status, text } = answer
  if (isLimitStatus(status)) throw statusError(answer)
  if (status >= 400 || text.length === 0) {
    // An endpoint that has answered one takes them.
    if (!hasWorked || status === PAYLOAD_TOO_LARGE) throw new BatchRefused()
    parseBody(answer)
    throw statusError(answer)
  }
  const parts = splitBatch(text)
  // Each call alone shows what is wrong with the endpoint, if anything is.
  if (!parts) throw new BatchRefused()
  return ids.map((id) => {
    const part = parts.get(id)
    return part && { ...answer, text: part }
  })
}

type Call = {
  method: string
  params: Params
  /** Calls of the same kind may share a request; undefined: never. */
  kind: string | undefined
  options: CallOptions
}

/** A call from its beginning to its outcome. */
class PendingCall implements Turn {
  readonly call: Call
  readonly order: number
  readonly isBackground: boolean
  readonly outcome: Promise<Reply>
  readonly start: () => void
  isOver = false
  /** Gives up its turn, or its share of a request. */
  leave: () => void = () => {}
  #resolve: (answer: Reply) => void = () => {}
  #reject: (error: unknown) => void = () => {}

  constructor(call: Call, start: (pending: PendingCall) => void) {
    const { signal, order = 0, isBackground = false } = call.options
    this.call = call
    this.order = order
    this.isBackground = isBackground
    this.start = () => start(this)
    this.outcome = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    const unlink = onAbort(signal, () => this.fail(abortedError(signal)))
    if (signal) this.outcome.then(unlink, unlink)
  }

  succeed(answer: Reply): void {
    this.isOver = true
    this.#resolve(answer)
  }

  fail(error: unknown): void {
    this.isOver = true
    this.#reject(error)
    this.leave()
  }

  /** Without a kind, or for another owner of the memory, it goes alone. */
  goesWith({ kind, options }: Call): boolean {
    const own = this.call
    return kind !== undefined && kind === own.kind && options.memory === own.options.memory
  }
}

/** `error`: why there is no `read`. */
type Outcome = { read?: Reply; error?: unknown }

const outcomeOf = (error: unknown): string =>
  error instanceof AppError ? error.code : 'RPC_INVALID_RESPONSE'

/** Each call waits for its own turn. One that has it takes others of its kind along, in one request. */
export class RpcClient {
  readonly pace: Pace<PendingCall>
  readonly #options: RpcOptions
  readonly #http: HttpPost
  readonly #size: BatchSize
  #lastId = 0

  constructor(options: RpcOptions) {
    const { maxConcurrentCalls, maxPerSecond, onRefused, clock = systemClock } = options
    this.#options = options
    this.#http = createHttpPost({ ...options, maxConnections: maxConcurrentCalls })
    this.pace = createPace({ maxConcurrent: maxConcurrentCalls, maxPerSecond, clock, onRefused })
    this.#size = createBatchSize(clock)
  }

  /** `Result` is the expected response; the caller checks the members that it reads. */
  async call<Result extends object>(
    method: string,
    params: Params,
    options: CallOptions = {},
  ): Promise<Result> {
    const kind = method === 'abci_query' ? String(params.path) : undefined
    return (await this.#begin({ method, params, kind, options })).result<Result>()
  }

  /** Without a parse. Calls of one method at the same time share requests, as far as the endpoint takes it. */
  ask(method: string, params: Params, options: CallOptions = {}): Promise<Reply> {
    return this.#begin({ method, params, kind: method, options })
  }

  close(): void {
    for (const each of this.pace.close()) each.fail(abortedError())
    this.#http.close()
  }

  #begin(call: Call): Promise<Reply> {
    const pending = new PendingCall(call, (each) => this.#start(each))
    if (!pending.isOver) this.#wait(pending)
    return pending.outcome
  }

  #wait(pending: PendingCall): void {
    pending.leave = () => this.pace.leave(pending)
    this.pace.enter(pending)
  }

  #start(first: PendingCall): void {
    const { call } = first
    const most = call.kind === undefined ? 1 : this.#size.of(call.kind)
    const others = this.pace.takeAlong(first, most - 1, (each) => each.goesWith(call))
    const calls = [first, ...others]
    // Each call has its own outcome.
    this.pace.run(() => this.#send(calls), calls.length).catch(() => undefined)
  }

  /** Settles each call. Throws what the pace must know. */
  async #send(calls: readonly PendingCall[]): Promise<void> {
    const isBatch = calls.length > 1
    const end = isBatch ? this.#size.begin() : undefined
    const startedMs = performance.now()
    try {
      const { answers, bytes } = await this.#request(calls)
      const tookMs = performance.now() - startedMs
      this.#size.answered({ kind: calls[0]!.call.kind, requests: calls.length, bytes, tookMs })
      for (const [at, { read, error }] of answers.entries()) {
        if (read) calls[at]!.succeed(read)
        else calls[at]!.fail(error)
      }
      const limited = answers.find(({ error }) => error instanceof LimitedError)
      if (limited) throw limited.error
    } catch (error) {
      const isRefused = error instanceof BatchRefused
      const isTooLarge = error instanceof OversizeError
      if (isBatch && isRefused) this.#size.refused()
      else if (isBatch && error instanceof LimitedError) this.#size.limited()
      else if (isBatch && (isTooLarge || hasCode(error, 'DEADLINE_EXCEEDED'))) this.#size.tooMuch()
      for (const each of calls) {
        if (each.isOver) continue
        // A batch that is late has taken the time of its calls: another endpoint is asked.
        if (isBatch && (isRefused || isTooLarge)) this.#wait(each)
        else each.fail(error)
      }
      throw error
    } finally {
      end?.()
    }
  }

  /** Ends early once nobody waits for it. */
  async #request(
    calls: readonly PendingCall[],
  ): Promise<{ answers: readonly Outcome[]; bytes: number }> {
    const { budget, onAnswer } = this.#options
    const { method, options } = calls[0]!.call
    const flight = new AbortController()
    for (const each of calls)
      each.leave = () => {
        if (calls.every(({ isOver }) => isOver)) flight.abort()
      }
    const isBatch = calls.length > 1
    const maxBytes = isBatch ? MAX_BATCH_BYTES : maxResponseBytes(method)
    const reservation = options.memory ?? budget.open()
    const part = reservation.part()
    const { ids, text } = this.#toBody(calls)
    try {
      const answer = await this.#http.send(text, { maxBytes, part }, flight.signal)
      const hasWorked = this.#size.hasWorked()
      // A gateway may forbid batches with the status of a limit: the first one says nothing about the pace.
      if (isBatch && !hasWorked && isLimitStatus(answer.status)) throw new BatchRefused()
      const parts = isBatch ? splitAnswer(answer, { ids, hasWorked }) : [answer]
      const answers = parts.map((each, at) => this.#read(each, ids[at]!))
      const failed = answers.find(({ read }) => !read)
      onAnswer?.(method, failed ? outcomeOf(failed.error) : 'ok')
      // Nothing of it is kept.
      if (answers.every(({ read }) => !read)) part.close()
      return { answers, bytes: answer.text.length }
    } catch (error) {
      onAnswer?.(method, outcomeOf(error))
      part.close()
      throw error
    } finally {
      if (!options.memory) reservation.close()
    }
  }

  #read(answer: HttpAnswer | undefined, id: number): Outcome {
    try {
      if (!answer) throw invalidResponse('the batch lacks a response')
      return { read: toReply(answer, id) }
    } catch (error) {
      return { error }
    }
  }

  #toBody(calls: readonly PendingCall[]): { ids: number[]; text: string } {
    const requests = calls.map(({ call: { method, params } }) => ({
      jsonrpc: '2.0',
      id: ++this.#lastId,
      method,
      params,
    }))
    const text = JSON.stringify(requests.length === 1 ? requests[0] : requests)
    return { ids: requests.map(({ id }) => id), text }
  }
}
