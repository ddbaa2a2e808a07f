// Renders documents as HTML or Markdown, chosen by `Accept`, and sends those that are not cached.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_FIELDS } from '../../infra/base/html/page-frame.tsx'
import { NO_STORE } from '../../infra/base/http/headers.ts'
import { createNegotiation, type Negotiate } from '../../infra/base/http/negotiate.ts'
import { toHeaders } from '../../infra/base/http/response.ts'
import type { Request } from '../../infra/base/http/routes.ts'
import { listeningUrl } from '../../infra/base/runtime/ports.ts'
import { homeLinks } from '../discovery/catalogs.ts'
import type { Rendered } from '../formats/rows.ts'
import { formatTime } from '../read/queries/values.ts'
import { isDemoSnapshot, lacksGov } from '../read/snapshot.ts'
import { type Document, renderHtml, renderMarkdownPage } from '../view/page.tsx'
import type { PageContext } from '../view/paths.ts'
import type { Service } from './service.ts'

export const MARKDOWN_TYPE = 'text/markdown'
export const HTML_TYPE = 'text/html'
export type PageType = typeof MARKDOWN_TYPE | typeof HTML_TYPE
export const PAGE_TYPES = [HTML_TYPE, MARKDOWN_TYPE] as const

export const isPageType = (type: string): type is PageType =>
  (PAGE_TYPES as readonly string[]).includes(type)

/** A client that accepts neither type gets HTML. */
const negotiatePage: Negotiate<PageType> = createNegotiation<PageType>(PAGE_TYPES)
export const choosePageType = (request: FastifyRequest): PageType =>
  negotiatePage(request.headers.accept) ?? HTML_TYPE

export const formatMediaType = (type: PageType): string => `${type}; charset=utf-8`

/** `Link` names the same data as JSON, and on the home page the documents for programs. */
export const renderDocument = (document: Document, type: PageType, at: PageContext): Rendered => {
  const { json, path } = document
  const links = [
    ...(json === undefined
      ? []
      : [`<${at.baseUrl}${json}>; rel="alternate"; type="application/json"`]),
    ...(path === '/' ? [homeLinks()] : []),
  ]
  const link = links.length > 0 ? ['link', links.join(', ')] : []
  return type === HTML_TYPE
    ? { text: renderHtml(document, at), fields: [...link, ...PAGE_FIELDS] }
    : { text: renderMarkdownPage(document, at), fields: link }
}

export const createPageContext = (
  request: Request,
  { baseUrl, unit, explorerTxUrl, snapshots }: Service,
): PageContext => {
  const { catchUp, silentSinceMs } = snapshots.freshness()
  return {
    baseUrl,
    serviceUrl: baseUrl || (listeningUrl(request.server.server) ?? ''),
    unit,
    explorerTxUrl,
    params: request.params,
    isDemo: isDemoSnapshot(snapshots.current()),
    lacksGov: lacksGov(snapshots.current()),
    catchUp,
    noBlockSince: silentSinceMs === null ? undefined : formatTime(silentSinceMs),
  }
}

/** For pages that must not be cached: the status, and answers to an input. */
export const sendUncached = (
  { document, status, at }: { document: Document; status: number; at: PageContext },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const type = choosePageType(request)
  const { text, fields } = renderDocument(document, type, at)
  const headers = { ...NO_STORE, ...toHeaders(fields), 'content-type': formatMediaType(type) }
  return reply.code(status).headers(headers).send(text)
}
