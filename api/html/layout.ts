// The layout of the web UI: the shared page frame, with metadata for search engines, feed readers and link previews.

import { API_PATHS } from '../../auth/contract/service.ts'
import { type Html, html, jsonBlock } from '../../infra/base/html/html.ts'
import { pageFrame, toRootPath } from '../../infra/base/html/page-frame.ts'
import type { PageContext } from '../document/context.ts'
import { renderBlocks, renderInline } from '../document/html/render.ts'
import type { Document } from '../document/tree.ts'
import { noticeText } from '../site-notice.ts'
import { LIVE_SCRIPTS, SCRIPTS } from './assets.ts'

/** Text only: social networks cache images for days, and a tally in an image would soon be out of date. */
const socialCard = ({ title, description }: Document): Html => html`
<meta property="og:site_name" content="Rollcall">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta name="twitter:card" content="summary">`

/** A canonical URL needs a host. It is left out if no public URL is configured. */
const canonicalLinks = (url: string): Html | null =>
  url.startsWith('/')
    ? null
    : html`
<link rel="canonical" href="${url}">
<meta property="og:url" content="${url}">`

const NOT_INDEXED = html`<meta name="robots" content="noindex">`

/** Metadata for search engines, feed readers and link previews. */
const indexingTags = (page: Document, { baseUrl }: PageContext): Html => {
  const address = `${baseUrl}${page.path.replace(/[?&]page=0$/, '')}`
  return html`<link rel="alternate" type="application/atom+xml" title="Proposals" \
href="${toRootPath(baseUrl)}/feed.atom">${socialCard(page)}${canonicalLinks(address)}`
}

const pageHead = (page: Document, at: PageContext): Html =>
  html`${page.isIndexed === false || page.path === '' ? NOT_INDEXED : indexingTags(page, at)}
${page.data && jsonBlock('application/ld+json', page.data)}
${page.head}`

const JSON_LABEL = 'This page as JSON'

/** Pages after the first of a list have their number in the title and in the path. */
const numberPage = (document: Document): Document => {
  const { title, path, page } = document
  const number = page?.number ?? 0
  if (number === 0) return document
  return {
    ...document,
    title: `${title}, page ${number + 1}`,
    path: `${path}${path.includes('?') ? '&' : '?'}page=${number}`,
  }
}

const writeTop = ({ above, heading, title, top }: Document, at: PageContext): Html =>
  top ??
  html`${above !== undefined && html`<p class="above">${renderInline(above, at)}</p>\n`}\
<h1>${renderInline(heading ?? title, at)}</h1>`

export const renderHtml = (document: Document, at: PageContext): string => {
  const page = numberPage(document)
  const { title, description, path, search, asOf, json, stream, scripts = [] } = page
  const root = toRootPath(at.baseUrl)
  const isLive = stream !== undefined
  return pageFrame(
    {
      title,
      description,
      path,
      search,
      asOf,
      main: html`${writeTop(document, at)}\n${renderBlocks(document.blocks, at)}`,
      head: pageHead(page, at),
      alternates:
        json === undefined ? [] : [{ path: json, type: 'application/json', label: JSON_LABEL }],
      scripts: [...SCRIPTS, ...(isLive ? LIVE_SCRIPTS : []), ...scripts],
      stream: isLive ? `${root}${stream}` : undefined,
      health: isLive ? `${root}${API_PATHS.health}` : undefined,
      notice: noticeText(at),
    },
    root,
  )
}
