// What every address that gives a page does: reads its parameters once, finds or reads the page, sends it.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Store } from '../../infra/clickhouse/client.ts'
import type { ApiMetrics } from '../api-metrics.ts'
import type { RoundsReader } from '../page-kinds/proposal-rounds.ts'
import type { ByteCache } from '../pages/byte-cache.ts'
import type { HotPages } from '../pages/hot-pages.ts'
import type { PageKind } from '../pages/page-kind.ts'
import type { AnsweredPage, Pages } from '../pages/pages.ts'
import type { Represent, Representation } from '../pages/representations.ts'
import { sendPage } from '../pages/send-page.ts'
import { commonHeaders } from '../plugins/headers.ts'

export type PageRoutes = {
  store: Store
  /** One for all addresses: what one of them has read the others need not ask for. */
  rounds: RoundsReader
  pages: Pages
  baseUrl: string
  /** One for everything that is cached. */
  memory: ByteCache
  metrics: ApiMetrics
  hotPages: HotPages
  represent: Represent
}

/** What of a request says which page is wanted. */
export type PageRequest = Pick<FastifyRequest, 'params' | 'query' | 'url'>

/** A page, or where the same page is under its canonical id. */
export type Wish = { kind: PageKind } | { location: string }

/** One operation by its name: its path, and what a request for it wants. Both throw `ApiProblem`. */
export type PageOperation = {
  path: string
  wish: (request: PageRequest) => Wish
  /** Undefined for the JSON as it is. */
  form?: (request: FastifyRequest) => Representation | undefined
}

type Exchange = { request: FastifyRequest; reply: FastifyReply }

const redirect = (location: string, request: FastifyRequest, reply: FastifyReply) =>
  reply
    .code(308)
    .headers({ ...commonHeaders(request), location, 'cache-control': 'public, max-age=86400' })
    .send()

export const addPageRoutes = (
  app: FastifyInstance,
  { pages, metrics, hotPages, represent }: PageRoutes,
  operations: Readonly<Record<string, PageOperation>>,
): void => {
  for (const [name, operation] of Object.entries(operations)) {
    const answered = metrics.answers(name)
    const send = (
      page: AnsweredPage,
      form: Representation | undefined,
      { request, reply }: Exchange,
    ): FastifyReply => {
      answered(sendPage(form ? represent(page, form) : page, request, reply))
      return reply
    }
    app.get(operation.path, { config: { operation: name } }, (request, reply) => {
      const wish = operation.wish(request)
      const form = operation.form?.(request)
      if ('location' in wish) {
        answered(308)
        return redirect(wish.location, request, reply)
      }
      const held = pages.find(wish.kind)
      if (held) {
        metrics.hit()
        if (!form) hotPages.remember(request.url, { kind: wish.kind, count: answered })
        return send(held, form, { request, reply })
      }
      return pages.get(wish.kind, request.ip).then((page) => send(page, form, { request, reply }))
    })
  }
}
