// GET requests to the API of an untrusted Rollcall: with a deadline and a size limit, without redirects.

import type { ApiResponse, GetFromApi } from '../../../base/proof/verify-from-api.ts'
import { AppError } from '../../../base/runtime/errors.ts'
import { policies } from '../../../base/runtime/policies.ts'
import { retry, withDeadline } from '../../../base/runtime/retry.ts'

const MIB = 1024 * 1024
const TIMEOUT_MS = 30_000
/** A proof has the stored bytes of the proposal, which may contain code of several MiB. */
const MAX_BODY_BYTES = 32 * MIB

const unavailable = (message: string, options: { retryable?: boolean; cause?: unknown } = {}) =>
  new AppError('EVIDENCE_UNAVAILABLE', message, { ...options, expose: true })

const readBody = async (response: Response, url: URL, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      throw unavailable(`the response to ${url.href} is larger than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const parse = (body: string, url: URL): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    throw unavailable(`the response to ${url.href} is not JSON`)
  }
}

const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.cause.message !== ''
    ? error.cause.message
    : error.message
}

type Get = { url: URL; signal: AbortSignal; maxBytes: number }

const getOnce = async ({ url, signal, maxBytes }: Get): Promise<ApiResponse> => {
  try {
    const headers = { accept: 'application/json' }
    const response = await fetch(url, { signal, headers, redirect: 'manual' })
    const { status } = response
    const location = response.headers.get('location')
    if (location !== null && status >= 300 && status < 400) {
      const target = URL.canParse(location, url.href) ? new URL(location, url).href : location
      throw unavailable(`${url.href} redirects to ${target}: use that address if you trust it`)
    }
    if (status === 429 || status >= 500) {
      await response.body?.cancel()
      throw unavailable(`${url.href} answered ${status}`, { retryable: true })
    }
    return { status, body: parse(await readBody(response, url, maxBytes), url) }
  } catch (error) {
    if (signal.aborted || error instanceof AppError) throw error
    throw unavailable(`${url.origin} did not answer: ${describeError(error)}`, {
      retryable: true,
      cause: error,
    })
  }
}

export type ApiAddress = {
  /** The base URL of the service. */
  url: string
  signal: AbortSignal
  /** Limit of one response. */
  maxBodyBytes?: number
}

/** Throws `EVIDENCE_UNAVAILABLE` if there is no valid response. */
export const createGetFromApi = ({
  url,
  signal,
  maxBodyBytes: maxBytes = MAX_BODY_BYTES,
}: ApiAddress): GetFromApi => {
  const base = url.endsWith('/') ? url : `${url}/`
  return (path) => {
    const target = new URL(path.slice(1), base)
    return retry(
      () =>
        withDeadline(TIMEOUT_MS, signal, (deadline) =>
          getOnce({ url: target, signal: deadline, maxBytes }),
        ),
      { ...policies.servedEvidence, signal },
    )
  }
}
