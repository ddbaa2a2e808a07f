// The fast path from an address to the bytes of a page that is in memory, before any routing.
// Only for plain anonymous GETs: everything else takes the ordinary path, and both send the same fields.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ambiguityOf } from '../../infra/runtime/http-service.ts'
import type { RateLimiter } from '../../infra/runtime/rate-limit.ts'
import { takesJson } from '../formats/list-formats.ts'
import { isPlainTarget } from '../request/target.ts'
import type { PageKind } from './page-kind.ts'
import type { Pages } from './pages.ts'
import { pageAnswer } from './send-page.ts'

/** What an address asks for, as JSON, and how its answers are counted. */
type HotPage = { kind: PageKind; count: (status: number) => void }

export type HotPages = {
  /** Other forms than JSON, and addresses that can be written in many ways, take the ordinary path. */
  remember(url: string, page: HotPage): void
  recall(url: string): HotPage | undefined
}

const MAX_ADDRESSES = 2_000

export const createHotPages = (): HotPages => {
  const pages = new Map<string, HotPage>()
  return {
    remember: (url, page) => {
      if (pages.has(url) || !isPlainTarget(url)) return
      if (pages.size >= MAX_ADDRESSES) pages.clear()
      pages.set(url, page)
    },
    recall: (url) => pages.get(url),
  }
}

export type HotPathOptions = {
  hotPages: HotPages
  pages: Pages
  limiter: RateLimiter
  nextRequestId: () => string
  countHit: () => void
}

/** True where the request is answered. */
export const createHotPath =
  ({ hotPages, pages, limiter, nextRequestId, countHit }: HotPathOptions) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '', headers } = request
    if (method !== 'GET' || headers.authorization !== undefined) return false
    const hot = hotPages.recall(url)
    if (!hot || !takesJson(headers.accept) || ambiguityOf(request) !== undefined) return false
    const answered = pages.find(hot.kind)
    if (!answered) return false
    const quota = limiter.take(request.socket.remoteAddress ?? '')
    // The ordinary path refuses it, and says why.
    if (quota.isExceeded) return false
    const { status, fields, bytes } = pageAnswer(answered, headers)
    response.writeHead(status, [
      ...fields,
      'ratelimit',
      quota.limit,
      'ratelimit-policy',
      quota.policy,
      'x-request-id',
      nextRequestId(),
    ])
    response.end(bytes)
    countHit()
    hot.count(status)
    return true
  }
