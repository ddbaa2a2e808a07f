// The client of Rollcall's own API and operator ports, for every command and process that asks a Rollcall. The server may be
// anybody's: a response ends at 32 MiB, a list at 1,000 pages, every request has a deadline, and no redirect is followed.
import { Type } from 'typebox'
import type { ApiResponse, GetFromApi } from '../../base/proof/verify-from-api.ts'
import { AppError } from '../../base/runtime/errors.ts'
import { policies } from '../../base/runtime/policies.ts'
import { retry, withDeadline } from '../../base/runtime/retry.ts'

/** A proof has the stored bytes of the proposal, which may contain code of several MiB. */
const MAX_BODY_BYTES = 32 * 2 ** 20
const MAX_PAGES = 1_000
const PATIENT_MS = 30_000
/** For a process of this machine. */
const QUICK_MS = 2_000

export function evidenceUnavailable(
  message: string,
  options: { retryable?: boolean; cause?: unknown } = {},
): AppError {
  return new AppError('EVIDENCE_UNAVAILABLE', message, { ...options, expose: true })
}

export type RequestOptions = {
  signal?: AbortSignal | undefined
  timeoutMs?: number
  maxBodyBytes?: number
  method?: 'GET' | 'POST'
}

const readBody = async (response: Response, url: URL, maxBytes: number): Promise<string> => {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxBytes) {
      throw evidenceUnavailable(`the response to ${url.href} is larger than ${maxBytes} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The reason of a failed request: `fetch` has it in the cause. */
const describeFailure = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { cause, message } = error
  return cause instanceof Error && cause.message !== '' ? cause.message : message
}

const refuseRedirect = (response: Response, url: URL): void => {
  const location = response.headers.get('location')
  if (location === null || response.status < 300 || response.status > 399) return
  const target = URL.canParse(location, url.href) ? new URL(location, url).href : location
  throw evidenceUnavailable(`${url.href} redirects to ${target}: use that address if you trust it`)
}

/** One request. Throws `EVIDENCE_UNAVAILABLE` (retryable without a response), `DEADLINE_EXCEEDED` or `ABORTED`. */
export function request(
  url: URL,
  options: RequestOptions = {},
): Promise<{ status: number; text: string }> {
  const { timeoutMs = PATIENT_MS, maxBodyBytes = MAX_BODY_BYTES, method = 'GET' } = options
  return withDeadline(timeoutMs, options.signal, async (signal) => {
    try {
      const headers = { accept: 'application/json' }
      const response = await fetch(url, { method, signal, headers, redirect: 'manual' })
      refuseRedirect(response, url)
      return { status: response.status, text: await readBody(response, url, maxBodyBytes) }
    } catch (error) {
      if (signal.aborted || error instanceof AppError) throw error
      throw evidenceUnavailable(`${url.origin} did not answer: ${describeFailure(error)}`, {
        retryable: true,
        cause: error,
      })
    }
  })
}

/** `request`, with the response as JSON. */
export async function requestJson(url: URL, options: RequestOptions = {}): Promise<ApiResponse> {
  const { status, text } = await request(url, options)
  try {
    return { status, body: JSON.parse(text) }
  } catch {
    // A gateway answers with a page while the service behind it is busy.
    const retryable = isBusy(status)
    throw evidenceUnavailable(
      retryable ? `${url.href} answered ${status}` : `the response to ${url.href} is not JSON`,
      { retryable },
    )
  }
}

/** For a process of this machine: what `read` makes of its answer, or undefined if it does not give a usable one in time. */
export async function ask<Answer>(
  url: URL,
  read: (answer: { status: number; text: string }) => Answer,
  options: Pick<RequestOptions, 'signal' | 'method'> = {},
): Promise<Answer | undefined> {
  try {
    return read(await request(url, { ...options, timeoutMs: QUICK_MS }))
  } catch {
    return undefined
  }
}

const isBusy = (status: number): boolean => status === 429 || status >= 500

export type ApiAddress = {
  /** The base URL of the service. */
  url: string
  signal: AbortSignal
  maxBodyBytes?: number
}

/** GET requests to a path such as `/api/proposals`, repeated while the service is busy. Throws `EVIDENCE_UNAVAILABLE`. */
export function createGetFromApi({ url, ...options }: ApiAddress): GetFromApi {
  const base = url.endsWith('/') ? url : `${url}/`
  return (path) => {
    const target = new URL(path.slice(1), base)
    const attempt = async () => {
      const response = await requestJson(target, options)
      if (!isBusy(response.status)) return response
      const message = `${target.href} answered ${response.status}${readDetail(response.body)}`
      throw evidenceUnavailable(message, { retryable: true })
    }
    return retry(attempt, { ...policies.servedEvidence, signal: options.signal })
  }
}

/** The `detail` of problem details, if any. */
export function readDetail(body: unknown): string {
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : null
  return typeof detail === 'string' ? `: ${detail}` : ''
}

/** Reads the body of a response. Throws `EVIDENCE_UNAVAILABLE`. */
export type ReadBody<T> = (path: string, response: ApiResponse) => T

/** The links of a page of a list. */
export const PageLinks = Type.Object({ next: Type.Union([Type.String(), Type.Null()]) })

/** Follows `links.next` to the end, for at most 1,000 pages of the same service. */
export async function* readPages<T extends { links: { next: string | null } }>(
  get: GetFromApi,
  first: string,
  read: ReadBody<T>,
): AsyncGenerator<T> {
  const [list = ''] = first.split('?')
  const seen = new Set<string>()
  for (let path = first; ; ) {
    if (seen.has(path)) throw evidenceUnavailable(`${path} is its own successor`)
    if (seen.size === MAX_PAGES) {
      throw evidenceUnavailable(`${list} does not end after ${MAX_PAGES} pages`)
    }
    seen.add(path)
    const page = read(path, await get(path))
    yield page
    const { next } = page.links
    if (next === null) return
    // The address of the API may differ from the address in its links.
    const at = next.lastIndexOf(`${list}?`)
    if (at < 0) throw evidenceUnavailable(`${list} leads away to ${next}`)
    path = next.slice(at)
  }
}

export type HealthSummary = { chainId: string; height: number; tip: number }

/** A lag below this number of heights counts as caught up. */
const FOLLOWING_HEIGHTS = 5

export function isFollowing({ height, tip }: HealthSummary): boolean {
  return tip - height < FOLLOWING_HEIGHTS
}

/** From `/api/health`; undefined without a response or without indexed data. */
export async function fetchHealth(
  apiUrl: string,
  signal: AbortSignal,
): Promise<HealthSummary | undefined> {
  type Body = { chain?: { chainId: string; height: number } | null; tip?: number | null }
  const read = ({ text }: { text: string }) => JSON.parse(text) as Body
  const { chain, tip } = (await ask(new URL('/api/health', apiUrl), read, { signal })) ?? {}
  return chain ? { ...chain, tip: tip ?? chain.height } : undefined
}
