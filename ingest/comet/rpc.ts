// JSON-RPC over HTTP to one endpoint, with limits for concurrent calls, time and response size. Classifies errors of nodes;
// never retries. Replaces `HttpClient` of @cosmjs/tendermint-rpc, which cannot be aborted, does not limit a response, and
// walks every response twice.
import http from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import pLimit from 'p-limit'
import { abortedError, onAbort } from '../../infra/runtime/abort.ts'
import { AppError } from '../../infra/runtime/errors.ts'
import { withDeadline } from '../../infra/runtime/retry.ts'
import type { AnswerBudget, Reservation } from './answer-budget.ts'
import { invalidResponse } from './decode.ts'
import { findMeaning } from './meanings.ts'
import type { RpcError, RpcResponse } from './wire.ts'

export type RpcOptions = {
  url: string
  timeoutMs: number
  maxBodyBytes: number
  maxConcurrentCalls: number
  /** Shared with the other endpoints. */
  budget: AnswerBudget
}

/** `Result` is the expected response; the caller checks the members that it reads. */
export type RpcClient = {
  call<Result extends object>(
    method: string,
    params: Record<string, unknown>,
    signal?: AbortSignal,
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

type Answer = { status: number; body: string }
type BodyBudget = { maxBytes: number; reservation: Reservation }

/** Uses events: for many small responses an async iterator is slower than the read itself. */
const readBody = (
  response: http.IncomingMessage,
  { maxBytes, reservation }: BodyBudget,
): Promise<string> =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let size = 0
    response.on('data', (part: Buffer) => {
      size += part.length
      parts.push(part)
      if (size > maxBytes) {
        response.destroy()
        return reject(invalidResponse(`the response is larger than ${maxBytes} bytes`))
      }
      const available = reservation.add(part.length)
      if (!available) return
      response.pause()
      void available.then(() => response.resume())
    })
    response.on('end', () =>
      resolve(
        parts.length === 1 ? parts[0]!.toString('utf8') : Buffer.concat(parts).toString('utf8'),
      ),
    )
    response.on('close', () => {
      // Every response closes at its end, and an error with its stack is expensive.
      if (response.readableEnded) return
      reject(unavailable('the connection broke in the middle of an answer'))
    })
    response.on('error', (error) =>
      reject(unavailable('the connection broke in the middle of an answer', error)),
    )
  })

const parseAnswer = ({ status, body }: Answer, id: number): object => {
  let parsed: RpcResponse | null
  try {
    parsed = JSON.parse(body) as RpcResponse | null
  } catch (cause) {
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
  maxBodyBytes: number
}

const createTarget = (url: URL, agent: http.Agent, maxBodyBytes: number): Target => ({
  request: url.protocol === 'https:' ? https.request : http.request,
  options: { ...urlToHttpOptions(url), method: 'POST', agent },
  maxBodyBytes,
})

type Call = { body: string; signal: AbortSignal; reservation: Reservation }

const post = async (target: Target, call: Call): Promise<Answer> => {
  const { body, signal, reservation } = call
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const outgoing = target.request({ ...target.options, headers })
  const unlink = onAbort(signal, () => outgoing.destroy(abortedError(signal)))
  try {
    const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
      outgoing.on('response', resolve)
      outgoing.on('error', reject)
      outgoing.end(body)
    }).catch((error: NodeJS.ErrnoException) => {
      // The node closed an idle connection during the write: not a fault of the node.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted) return undefined
      throw unavailable(error.code ?? error.message, error)
    })
    if (!response) return await post(target, call)
    const { statusCode = 0 } = response
    const budget = { maxBytes: target.maxBodyBytes, reservation }
    return { status: statusCode, body: await readBody(response, budget) }
  } finally {
    unlink()
  }
}

export const createRpcClient = (options: RpcOptions): RpcClient => {
  const url = new URL(options.url)
  const agents = url.protocol === 'https:' ? https : http
  const agent = new agents.Agent({ keepAlive: true, maxSockets: options.maxConcurrentCalls })
  const target = createTarget(url, agent, options.maxBodyBytes)
  const limited = pLimit(options.maxConcurrentCalls)
  let lastId = 0
  return {
    call: async <Result extends object>(
      method: string,
      params: Record<string, unknown>,
      signal?: AbortSignal,
    ) => {
      const id = ++lastId
      const body = JSON.stringify({ jsonrpc: '2.0', id, method, params })
      const reservation = options.budget.open()
      try {
        const answer = await limited(() =>
          withDeadline(options.timeoutMs, signal, (until) =>
            post(target, { body, signal: until, reservation }),
          ),
        )
        return parseAnswer(answer, id) as Result
      } finally {
        reservation.close()
      }
    },
    close: () => agent.destroy(),
  }
}
