// The shortest way from an address to its bytes: answers a page that was just answered, before any routing.
// Only for plain anonymous GETs; whatever is special goes the ordinary way, and both send the same fields.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RateLimiter } from '../../infra/runtime/rate-limit.ts'
import { takesJson } from '../formats/list-formats.ts'
import type { Served } from '../served/served.ts'
import type { ServedState } from '../served/served-state.ts'
import type { AnsweredPage } from './pages.ts'
import { pageAnswer } from './send-page.ts'

type HotPage = { answered: AnsweredPage; count: (status: number) => void }

export type HotPages = {
  /** The JSON of an address: other forms of it go the ordinary way. */
  remember(url: string, page: HotPage): void
  /** Undefined as soon as there is anything newer to serve. */
  recall(url: string): HotPage | undefined
}

/** Forgotten with every look at the checkpoint, so this bounds only what is asked for in between. */
const MAX_PAGES = 2_000

export const createHotPages = (state: Pick<ServedState, 'current'>): HotPages => {
  const pages = new Map<string, HotPage>()
  let of: Served | undefined
  const forgetOlder = () => {
    const served = state.current()
    if (served === of) return
    of = served
    pages.clear()
  }
  return {
    remember: (url, page) => {
      forgetOlder()
      if (pages.size < MAX_PAGES) pages.set(url, page)
    },
    recall: (url) => {
      forgetOlder()
      return pages.get(url)
    },
  }
}

export type HotPathOptions = {
  hotPages: HotPages
  limiter: RateLimiter
  nextRequestId: () => string
  countHit: () => void
}

/** True where the request is answered. */
export const createHotPath =
  ({ hotPages, limiter, nextRequestId, countHit }: HotPathOptions) =>
  (request: IncomingMessage, response: ServerResponse): boolean => {
    const { method, url = '', headers } = request
    if (method !== 'GET' || headers.authorization !== undefined) return false
    if (!takesJson(headers.accept)) return false
    const hot = hotPages.recall(url)
    if (!hot) return false
    const quota = limiter.take(request.socket.remoteAddress ?? '')
    // The ordinary way refuses it, and says why.
    if (quota.isExceeded) return false
    const { status, fields, bytes } = pageAnswer(hot.answered, headers)
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
