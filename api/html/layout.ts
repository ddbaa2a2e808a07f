// The layout of the pages for people: the frame that all rooms share, with what the API knows of a page, and with what
// those read of it who show it elsewhere: search engines, feed readers, whoever makes a card of a link.
import { type Html, html, jsonBlock } from '../../infra/html/html.ts'
import { type FramedPage, pageFrame, toRootPath } from '../../infra/html/page-frame.ts'
import type { PageContext } from '../resources/page-data.ts'
import { LIVE_SCRIPT, SCRIPTS } from './assets.ts'

export type LaidOutPage = Omit<FramedPage, 'alternates'> & {
  /** Address of the same as JSON, below the root. */
  json?: string | undefined
  /** The same facts in the terms of schema.org. */
  data?: object | undefined
  /** Address of the changes that make this page old, while there may be any. */
  stream?: string | undefined
}

/** Cards are words: networks keep a picture for days, and a tally in it would be wrong the next minute. */
const socialCard = ({ title, description }: LaidOutPage): Html => html`
<meta property="og:site_name" content="Rollcall">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta name="twitter:card" content="summary">`

/** Search engines want an address with a host: there is none to tell where the service was not told its own. */
const canonicalLinks = (url: string): Html | null =>
  url.startsWith('/')
    ? null
    : html`
<link rel="canonical" href="${url}">
<meta property="og:url" content="${url}">`

const NOT_INDEXED = html`<meta name="robots" content="noindex">`

const feedLink = (baseUrl: string): Html =>
  html`<link rel="alternate" type="application/atom+xml" title="Proposals" \
href="${toRootPath(baseUrl)}/feed.atom">`

/** Where search engines, feed readers and link cards find the page. */
const indexingTags = (page: LaidOutPage, { baseUrl }: PageContext): Html => {
  const address = `${baseUrl}${page.path.replace(/[?&]page=0$/, '')}`
  return html`${feedLink(baseUrl)}${socialCard(page)}${canonicalLinks(address)}`
}

const pageHead = (page: LaidOutPage, at: PageContext): Html =>
  html`${page.path === '' ? NOT_INDEXED : indexingTags(page, at)}
${page.data && jsonBlock('application/ld+json', page.data)}
${page.head}`

const JSON_LABEL = 'This page as JSON'

export const layout = (page: LaidOutPage, at: PageContext): string => {
  const { json, stream, scripts = [], data, ...rest } = page
  const root = toRootPath(at.baseUrl)
  const alternates =
    json === undefined ? [] : [{ path: json, type: 'application/json', label: JSON_LABEL }]
  return pageFrame(
    {
      ...rest,
      head: pageHead(page, at),
      alternates,
      scripts: [...SCRIPTS, ...(stream === undefined ? [] : [LIVE_SCRIPT]), ...scripts],
      stream: stream === undefined ? undefined : `${root}${stream}`,
    },
    root,
  )
}
