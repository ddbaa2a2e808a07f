// Renders pages of the web UI as HTML or Markdown, chosen by `Accept`, and sends those that are not cached.

import type { FastifyReply, FastifyRequest } from 'fastify'
import { PAGE_FIELDS } from '../../infra/base/html/page-frame.ts'
import { NO_STORE } from '../../infra/base/http/headers.ts'
import { listeningUrl } from '../../infra/base/http/listening-url.ts'
import { createNegotiation, type Negotiate } from '../../infra/base/http/negotiate.ts'
import { toHeaders } from '../../infra/base/http/response.ts'
import type { Request } from '../../infra/base/http/routes.ts'
import { homeLinks } from '../discovery/links.ts'
import type { DisplayUnit } from '../display-unit.ts'
import type { PageContext } from '../document/context.ts'
import { renderMarkdown as renderDocumentMarkdown } from '../document/markdown/page.ts'
import type { Document } from '../document/tree.ts'
import type { Rendered } from '../formats/rows.ts'
import { renderHtml } from '../html/layout.ts'
import { HTML } from '../html/renderers.ts'
import { renderMarkdown } from '../markdown/renderers.ts'
import { formatTime } from '../read/queries/values.ts'
import { isDemoSnapshot, lacksGov } from '../read/snapshot.ts'
import { isFarBehind } from '../read/snapshots/behind.ts'
import type { SnapshotSource } from '../read/snapshots/snapshot-source.ts'
import type { PageData, PageName } from '../resources/page-data.ts'
import type { RawQuery } from '../resources/parameters.ts'
import type { ProblemOptions } from './problem-details.ts'
import type { ResourceRoutes } from './routes/resources.ts'

export type PageRouteOptions = ResourceRoutes & {
  snapshots: SnapshotSource
  baseUrl: string
  version: string
  problems: ProblemOptions
  unit?: DisplayUnit | undefined
  explorerTxUrl?: string | undefined
}

export const MARKDOWN_TYPE = 'text/markdown'
export const HTML_TYPE = 'text/html'
export type PageType = typeof MARKDOWN_TYPE | typeof HTML_TYPE
export const PAGE_TYPES = [HTML_TYPE, MARKDOWN_TYPE] as const

/** A client that accepts neither type gets HTML. */
const negotiatePage: Negotiate<PageType> = createNegotiation<PageType>(PAGE_TYPES)
export const choosePageType = (request: FastifyRequest): PageType =>
  negotiatePage(request.headers.accept) ?? HTML_TYPE

export const formatMediaType = (type: PageType): string => `${type}; charset=utf-8`

/** Renders a page in one type. `jsonUrl` is the URL of the same data as JSON. */
export const renderPage = <Name extends PageName>(
  page: { name: Name; type: PageType; jsonUrl?: string | undefined },
  data: PageData[Name],
  at: PageContext,
): Rendered => {
  const { name, jsonUrl, type } = page
  const text = type === HTML_TYPE ? HTML[name](data, at) : renderMarkdown(name, data, at)
  const links = [
    ...(jsonUrl === undefined ? [] : [`<${jsonUrl}>; rel="alternate"; type="application/json"`]),
    ...(name === 'home' ? [homeLinks()] : []),
  ]
  const link = links.length > 0 ? ['link', links.join(', ')] : []
  return { text, fields: [...link, ...(type === HTML_TYPE ? PAGE_FIELDS : [])] }
}

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
    : { text: renderDocumentMarkdown(document, at), fields: link }
}

export type PageSettings = Pick<
  PageRouteOptions,
  'baseUrl' | 'unit' | 'explorerTxUrl' | 'snapshots'
>

export const createPageContext = (
  request: Request,
  { baseUrl, unit, explorerTxUrl, snapshots }: PageSettings,
): PageContext => {
  const { behind, silentSinceMs } = snapshots.freshness()
  return {
    baseUrl,
    serviceUrl: baseUrl || (listeningUrl(request.server.server) ?? ''),
    unit,
    explorerTxUrl,
    params: request.params,
    isDemo: isDemoSnapshot(snapshots.current()),
    lacksGov: lacksGov(snapshots.current()),
    isBehind: isFarBehind(behind),
    noBlockSince: silentSinceMs === null ? undefined : formatTime(silentSinceMs),
  }
}

/** HTML forms also send empty fields. */
export const omitEmptyFields = (query: RawQuery): RawQuery =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))

export type Uncached = { text: Rendered; type: PageType; status: number }

/** For pages that must not be cached: problems, the status, and the home page without data. */
export const sendUncached = (
  { text, type, status }: Uncached,
  reply: FastifyReply,
): FastifyReply => {
  const headers = { ...NO_STORE, ...toHeaders(text.fields), 'content-type': formatMediaType(type) }
  return reply.code(status).headers(headers).send(text.text)
}

/** What an input means can change with the chain, so it is not cached. */
export const sendSeeOther = (location: string, reply: FastifyReply) =>
  reply
    .code(303)
    .headers({ ...NO_STORE, location })
    .send()
