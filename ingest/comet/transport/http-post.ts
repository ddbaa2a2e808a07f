// POST requests over HTTP to one URL: connections, headers, compression, redirects within host and port, and the deadline.
import http from 'node:http'
import https from 'node:https'
import { pipeline, type Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import { createGunzip } from 'node:zlib'
import { abortedError, onAbort } from '../../../infra/base/runtime/abort.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { readVersion } from '../../../infra/base/runtime/version.ts'
import { invalidResponse } from './decode.ts'
import { type Body, type BodyOptions, readBody, watchProgress } from './response-body.ts'

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
  body: Body
}

export type HttpPost = {
  /** Throws `RPC_UNAVAILABLE`, `DEADLINE_EXCEEDED`, `RPC_INVALID_RESPONSE` or `ABORTED`. */
  send(body: string, ofResponse: OfResponse, signal?: AbortSignal): Promise<HttpAnswer>
  close(): void
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

export const createHttpPost = ({
  timeoutMs,
  maxConnections,
  ...options
}: HttpPostOptions): HttpPost => {
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
        body: await readBody(decoded(response), { ...ofResponse, isError, watch }),
      }
    } catch (error) {
      throw stopped ?? error
    } finally {
      watch.stop()
      unlink()
    }
  }
  return {
    send: (body, ofResponse, signal) => send(body, ofResponse, signal),
    close: () => {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
