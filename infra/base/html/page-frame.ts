// The frame of every HTML page: head, header, main and footer. The policy allows files of this service only.
import { ICON, STYLE } from './asset.ts'
import { type Html, html, markupOf } from './html.ts'

type Alternate = { path: string; type: string; label: string }

export type FramedPage = {
  title: string
  description: string
  /** The path with its query; empty if the page has no URL of its own. */
  path: string
  main: Html
  /** More elements of the head: structured data, feeds, link previews. */
  head?: Html | undefined
  /** Paths of script modules. The page must work without them. */
  scripts?: readonly string[] | undefined
  /** URL of server-sent events that report changes of parts marked `data-live`. */
  stream?: string | undefined
  /** The text in the search field, on the page with the results. */
  search?: string | undefined
  asOf?: { chainId: string; height: number; time: string } | null | undefined
  /** About all data of the page: it stands above everything else. */
  notice?: string | undefined
  /** URL that a live page asks whether the service responds. */
  health?: string | undefined
  /** The same page in other formats. */
  alternates?: readonly Alternate[] | undefined
  /** False if the path has no page as Markdown. */
  hasMarkdown?: boolean | undefined
}

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Header fields of every page. */
export const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
} as const

/** Names and values alternate. */
export const PAGE_FIELDS: readonly string[] = Object.entries(PAGE_HEADERS).flat()

/** The prefix of all paths. Links have no host, so pages work under every host name. */
export const toRootPath = (baseUrl: string): string =>
  baseUrl === '' ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '')

const NAVIGATION = [
  ['/proposals', 'Proposals'],
  ['/pools', 'Validators'],
  ['/voters', 'Voters'],
  ['/status', 'Status'],
  ['/docs', 'API reference'],
] as const

const SITE = 'Rollcall'

const searchForm = (search: string, root: string): Html =>
  html`<form class="search" role="search" action="${root}/search" method="get">
<label class="hidden" for="site-search">Search for a proposal, an address or a validator</label>
<input id="site-search" type="search" name="q" value="${search}" maxlength="200" \
placeholder="Number, address, name or words" autocapitalize="none" autocomplete="off" spellcheck="false">
<button type="submit">Search</button>
</form>`

/** The site name and the main navigation. `here` is the path of the current page. */
export const siteNavigation = (root: string, here?: string): Html => {
  const items = NAVIGATION.map(([to, label]) => {
    const current = here === to ? html` aria-current="page"` : null
    return html`<li><a href="${root}${to}"${current}>${label}</a></li>`
  })
  return html`<a class="site-name" href="${root}/">${SITE}</a>
<nav aria-label="Site"><ul class="inline">${items}</ul></nav>`
}

const siteHeader = ({ path, search = '' }: FramedPage, root: string): Html => {
  const [here = ''] = path.split('?', 1)
  return html`<header class="site">
<a class="skip" href="#main">Skip to the content</a>
<div class="site-row">
${siteNavigation(root, here)}
${searchForm(search, root)}
</div>
</header>`
}

/** A notice about all data of a page. Without a text it is hidden, so that a script can show a later one. */
export const siteNotice = (text: string | undefined): Html =>
  html`<aside id="notice" class="site-notice" aria-label="Notice" data-live="yes"\
${text === undefined && html` hidden`}>${text}</aside>`

const timeElement = (time: string): Html => html`<time datetime="${time}">${time}</time>`

const asOfLine = ({ chainId, height, time }: NonNullable<FramedPage['asOf']>): Html =>
  html`<p id="as-of" data-live="yes">As of block <strong>${height}</strong> \
of <bdi>${chainId}</bdi>, ${timeElement(time)}.</p>`

const ABOUT = html`<p>${SITE} shows all proposals and votes of this chain. Every count can be recomputed. \
It never votes and never moves funds. Unknown values are marked as not known.</p>`

const alternateItem = ({ path, type, label }: Alternate, root: string): Html =>
  html`<li><a href="${root}${path}" type="${type}">${label}</a></li>`

const siteFooter = (
  { asOf, alternates = [] }: FramedPage,
  root: string,
): Html => html`<footer class="site">
${asOf && asOfLine(asOf)}
${ABOUT}
<ul class="inline">
${alternates.map((alternate) => alternateItem(alternate, root))}
<li><a href="${root}/docs">API reference</a></li>
<li><a href="${root}/llms.txt">llms.txt</a></li>
<li><a href="${root}/feed.atom" type="application/atom+xml">Proposal feed (Atom)</a></li>
<li><a href="${root}/calendar.ics" type="text/calendar">Calendar of ends (iCalendar)</a></li>
<li><a href="${root}/privacy">Privacy and support</a></li>
</ul>
</footer>`

const alternateLink = (type: string, address: string): Html =>
  html`<link rel="alternate" type="${type}" href="${address}">`

/** `root` is a result of `toRootPath`. */
export const pageFrame = (page: FramedPage, root: string): string => {
  const { title, description, path, stream, health, alternates = [], scripts = [] } = page
  const live = stream !== undefined && html` data-stream="${stream}"`
  const hasMarkdown = path !== '' && page.hasMarkdown !== false
  const pulse = health !== undefined && html` data-health="${health}"`
  const whole = title === SITE ? SITE : `${title} · ${SITE}`
  return `${markupOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${whole}</title>
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${root}${STYLE.path}">
<link rel="icon" type="image/svg+xml" href="${root}${ICON.path}">
${hasMarkdown && alternateLink('text/markdown', `${root}${path}`)}
${alternates.map((other) => alternateLink(other.type, `${root}${other.path}`))}
${scripts.map((script) => html`<script type="module" src="${root}${script}"></script>`)}
${page.head}
</head>
<body>
${siteHeader(page, root)}
${siteNotice(page.notice)}
<main id="main" tabindex="-1"${live}${pulse}>
${page.main}
</main>
${siteFooter(page, root)}
</body>
</html>`)}\n`
}
