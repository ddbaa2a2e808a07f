// POST requests over HTTP to one URL: connections, headers, compression, redirects within host and port, and the deadline.
import http from 'node:http'
import https from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import { createGunzip } from 'node:zlib'
import { abortedError, onAbort } from '../../../infra/base/runtime/abort.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { readVersion } from '../../../infra/base/runtime/product-files.ts'
import type { Part } from './memory-budget.ts'
import { invalidResponse } from './wire.ts'

const KIB = 2 ** 10
const MIB = 2 ** 20

/** Limits by method. A larger response is a fault of the endpoint: it is refused before it is parsed. */
const LARGEST_BYTES: ReadonlyMap<string, number> = new Map([
  // At most 20 headers of about 1 KiB each.
  ['blockchain', 256 * KIB],
  // CometBFT allows 10,000 validators; a signature has about 260 bytes.
  ['commit', 4 * MIB],
  // A page has at most 100 validators of about 300 bytes each. Some nodes ignore the limit of the page.
  ['validators', 4 * MIB],
  // A block of CometBFT has at most 100 MiB, which base64 makes a third larger.
  ['block', 160 * MIB],
  ['block_results', 256 * MIB],
  // A page has whole transactions with their events.
  ['tx_search', 256 * MIB],
  // A proposal may have the size of a block; pages of lists are shorter.
  ['abci_query', 160 * MIB],
])
const SMALL_BYTES = 64 * KIB

export const maxResponseBytes = (method: string): number => LARGEST_BYTES.get(method) ?? SMALL_BYTES

/** Of the responses to one batch together: a larger one is asked for in smaller batches. */
export const MAX_BATCH_BYTES = 32 * MIB

/** Memory of a response for each byte of its text: most texts are never parsed, or one at a time. */
const BYTES_PER_TEXT_BYTE = 2

/** The largest error page of a proxy that is received. */
const MAX_ERROR_BYTES = MIB

export type BodyOptions = {
  maxBytes: number
  /** The body of an error is shorter. */
  isError: boolean
  part: Part
  watch: ProgressWatch
}

export class OversizeError extends AppError {
  constructor(maxBytes: number) {
    super('RPC_INVALID_RESPONSE', `the response is larger than ${maxBytes} bytes`, {
      retryable: true,
    })
  }
}

type ProgressWatch = ReturnType<typeof watchProgress>

const TICKS = 10
const MIN_BYTES_PER_MS = 32

/**
 * Fails after `timeoutMs` without a byte, or if the whole takes much longer than its size explains. Counts ticks of the
 * event loop: while this process is busy, bytes wait unread and no tick counts.
 */
export const watchProgress = (timeoutMs: number, fail: (error: AppError) => void) => {
  const tickMs = timeoutMs / TICKS
  let idle = 0
  let ticks = 0
  let bytes = 0
  let isPaused = false
  const expire = (message: string) =>
    fail(new AppError('DEADLINE_EXCEEDED', message, { retryable: true }))
  const timer = setInterval(() => {
    if (isPaused) return
    idle++
    ticks++
    if (idle >= TICKS) expire(`no ${bytes === 0 ? 'answer' : 'more bytes'} within ${timeoutMs} ms`)
    else if (ticks * tickMs > timeoutMs + bytes / MIN_BYTES_PER_MS)
      expire(`only ${bytes} bytes of the answer within ${Math.round(ticks * tickMs)} ms`)
  }, tickMs)
  return {
    received: (more: number): void => {
      if (more > 0) idle = 0
      bytes += more
    },
    /** The time until `resume` is not counted: this process waits, not the endpoint. */
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
      idle = 0
    },
    stop: () => clearInterval(timer),
  }
}

/** So many bytes of each chunk are looked at. */
const SAMPLES = 64

/** Bytes that count as progress: a response may be made of white space without an end. */
const progressOf = (text: Buffer): number => {
  const step = Math.max(1, Math.floor(text.length / SAMPLES))
  let seen = 0
  let said = 0
  for (let at = 0; at < text.length; at += step) {
    seen++
    if (text[at]! > 0x20) said++
  }
  return seen === 0 ? 0 : Math.round((text.length * said) / seen)
}

const brokenConnection = (wasPaused: boolean, cause?: unknown): AppError =>
  wasPaused
    ? // Not a fault of the endpoint: it may not wait for so long.
      new AppError('RPC_REFUSED', 'the connection ended while its answer waited for memory', {
        retryable: true,
        cause,
      })
    : new AppError('RPC_UNAVAILABLE', 'the connection broke in the middle of an answer', {
        retryable: true,
        cause,
      })

/** Uses events: for many small responses an async iterator is slower than the read itself. */
export const readBody = (response: Readable, options: BodyOptions): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const { part, watch, isError } = options
    const maxBytes = isError ? Math.min(MAX_ERROR_BYTES, options.maxBytes) : options.maxBytes
    const chunks: Buffer[] = []
    let size = 0
    let hasWaited = false
    const waitForMemory = async (available: Promise<void>) => {
      hasWaited = true
      watch.pause()
      await available
      watch.resume()
      response.resume()
    }
    const receive = (text: Buffer) => {
      watch.received(progressOf(text))
      size += text.length
      if (size > maxBytes) {
        response.destroy()
        return reject(new OversizeError(maxBytes))
      }
      chunks.push(text)
      const available = part.resize(size * BYTES_PER_TEXT_BYTE)
      if (!available) return
      response.pause()
      void waitForMemory(available)
    }
    response.on('data', receive)
    response.on('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    response.on('close', () => {
      // Every response closes at its end, and an error with its stack is expensive.
      if (!response.readableEnded) reject(brokenConnection(hasWaited))
    })
    response.on('error', (error: NodeJS.ErrnoException) => {
      const isDamaged = error.code?.startsWith('Z_') && error.code !== 'Z_BUF_ERROR'
      reject(
        isDamaged
          ? invalidResponse('the response cannot be decompressed', error)
          : brokenConnection(hasWaited, error),
      )
    })
  })

export type Headers = Readonly<Record<string, string>>

export type HttpPostOptions = {
  url: string
  /** Sent with each request, for example a key. */
  headers?: Headers | undefined
  /** A request fails after this time without a byte of its response. */
  timeoutMs: number
  maxConnections: number
}

type OfResponse = Omit<BodyOptions, 'watch' | 'isError'>

export type HttpAnswer = {
  status: number
  /** `Retry-After`; null if it is absent or not valid. */
  retryAfterMs: number | null
  /** As it was received. */
  text: Buffer
}

/** Some gateways refuse requests without a name. */
export const USER_AGENT = `rollcall/${readVersion()}`

const COMMON_HEADERS: Headers = {
  'content-type': 'application/json',
  'accept-encoding': 'gzip',
  'user-agent': USER_AGENT,
}

const MAX_REDIRECTS = 3

export const unavailable = (message: string, cause?: unknown): AppError =>
  new AppError('RPC_UNAVAILABLE', message, { retryable: true, cause })

/** The time that `Retry-After` names, in seconds or as a date; null if it is absent or not valid. */
export const readRetryAfter = (
  { 'retry-after': value }: http.IncomingHttpHeaders,
  nowMs: number,
): number | null => {
  if (value === undefined) return null
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - nowMs
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

type Target = {
  url: URL
  request: typeof http.request
  /** All options except the length of the body: computed once per URL, not per request. */
  options: http.RequestOptions
}

const createTarget = (url: URL, agent: http.Agent): Target => ({
  url,
  request: url.protocol === 'https:' ? https.request : http.request,
  options: { ...urlToHttpOptions(url), method: 'POST', agent },
})

type Redirect = { url: URL; isPermanent: boolean }

/** A gateway may move its address within its origin. What listens at another host or port is not the endpoint, and headers may be secret. */
const redirected = ({ url }: Target, response: http.IncomingMessage): Redirect | undefined => {
  const { statusCode, headers } = response
  if (statusCode !== 307 && statusCode !== 308) return undefined
  const location = headers.location ?? ''
  const next = URL.canParse(location, url.href) ? new URL(location, url) : undefined
  if (next?.origin !== url.origin) {
    throw unavailable(`the address redirects to ${next?.origin ?? 'an invalid address'}`)
  }
  next.username = url.username
  next.password = url.password
  return { url: next, isPermanent: statusCode === 308 }
}

/** The limits of a body count what is decoded: compressed bytes do not bound it. */
const decoded = (response: http.IncomingMessage): Readable => {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return response
  if (encoding !== 'gzip') throw invalidResponse(`the response has the encoding ${encoding}`)
  // Errors reach the reader as errors of the decoder.
  return pipeline(response, createGunzip(), () => undefined)
}

export type HttpPost = ReturnType<typeof createHttpPost>

export const createHttpPost = ({ timeoutMs, maxConnections, ...options }: HttpPostOptions) => {
  const settings = { keepAlive: true, maxSockets: maxConnections }
  const agents = { 'http:': new http.Agent(settings), 'https:': new https.Agent(settings) }
  const targetOf = (url: URL): Target =>
    createTarget(url, agents[url.protocol === 'https:' ? 'https:' : 'http:'])
  let usual = targetOf(new URL(options.url))
  const ownHeaders = { ...COMMON_HEADERS, ...options.headers }

  const send = async (
    body: string,
    ofResponse: OfResponse,
    signal: AbortSignal | undefined,
    earlier = { redirects: 0, resets: 0, target: usual },
  ): Promise<HttpAnswer> => {
    if (signal?.aborted) throw abortedError(signal)
    const { target } = earlier
    const headers = { ...ownHeaders, 'content-length': Buffer.byteLength(body) }
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
        // The node closed an idle connection during the write: once in a row that is not a fault of the node.
        const isReset = outgoing.reusedSocket && error.code === 'ECONNRESET' && !stopped
        if (isReset && earlier.resets === 0) return undefined
        throw unavailable(error.code ?? error.message, error)
      })
      if (!response) return await send(body, ofResponse, signal, { ...earlier, resets: 1 })
      const next = redirected(target, response)
      if (next) {
        response.resume()
        const redirects = earlier.redirects + 1
        if (redirects > MAX_REDIRECTS) throw unavailable('the address redirects without end')
        const moved = targetOf(next.url)
        // A temporary one is asked for again each time.
        if (next.isPermanent && target === usual) usual = moved
        return await send(body, ofResponse, signal, { ...earlier, redirects, target: moved })
      }
      const { statusCode: status = 0 } = response
      const retryAfterMs = readRetryAfter(response.headers, Date.now())
      const isError = status >= 400
      return {
        status,
        retryAfterMs,
        text: await readBody(decoded(response), { ...ofResponse, isError, watch }),
      }
    } catch (error) {
      throw stopped ?? error
    } finally {
      watch.stop()
      unlink()
    }
  }
  return {
    /** Throws `RPC_UNAVAILABLE`, `DEADLINE_EXCEEDED`, `RPC_INVALID_RESPONSE` or `ABORTED`. */
    send: (body: string, ofResponse: OfResponse, signal?: AbortSignal) =>
      send(body, ofResponse, signal),
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
