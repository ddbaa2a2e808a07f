// The frame of every page for people: head, header, main, footer. Only own files are loaded, and the policy says so.
import { ICON, STYLE } from './asset.ts'
import { type Html, html, markupOf } from './html.ts'

export type FramedPage = {
  title: string
  description: string
  /** Below the service's root, with its query; empty where the page has no address of its own. */
  path: string
  main: Html
  /** Further elements of the head: data, alternates, cards. */
  head?: Html | undefined
  /** Paths of own scripts, each a module; the page must do without them. */
  scripts?: readonly string[] | undefined
  /** Address of server-sent events that say when parts marked `data-live` are old. */
  stream?: string | undefined
  /** What is read in the search field; for the page that shows what was found. */
  search?: string | undefined
  asOf?: { chainId: string; height: number; time: string } | null | undefined
  /** The same in other forms: address below the root and media type. */
  alternates?: readonly { path: string; type: string; label: string }[] | undefined
}

/** Header fields of every page, name and value in turn. */
export const PAGE_FIELDS: readonly string[] = [
  'content-security-policy',
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy',
  'no-referrer',
]

/** What paths start with: a page is read where its own files are, whatever name it is reached by. */
export const rootOf = (baseUrl: string): string =>
  baseUrl === '' ? '' : new URL(baseUrl).pathname.replace(/\/+$/, '')

const NAVIGATION = [
  ['/proposals', 'Proposals'],
  ['/pools', 'Pools'],
  ['/voters', 'Voters'],
  ['/status', 'Status'],
  ['/docs', 'API reference'],
] as const

const SITE = 'Rollcall'

const headerOf = ({ path, search = '' }: FramedPage, root: string): Html => {
  const [here = ''] = path.split('?', 1)
  const items = NAVIGATION.map(([to, label]) => {
    const current = here === to ? html` aria-current="page"` : null
    return html`<li><a href="${root}${to}"${current}>${label}</a></li>`
  })
  return html`<header class="site">
<a class="skip" href="#main">Skip to the content</a>
<div class="site-row">
<a class="site-name" href="${root}/">${SITE}</a>
<nav aria-label="Site"><ul class="inline">${items}</ul></nav>
<form class="search" role="search" action="${root}/proposals" method="get">
<label class="hidden" for="site-search">Search proposals by title and text</label>
<input id="site-search" type="search" name="q" value="${search}" placeholder="Search proposals" autocomplete="off">
<button type="submit">Search</button>
</form>
</div>
</header>`
}

const timeOf = (time: string): Html => html`<time datetime="${time}">${time}</time>`

const footerOf = (
  { asOf, alternates = [] }: FramedPage,
  root: string,
): Html => html`<footer class="site">
${asOf && html`<p id="as-of" data-live="yes">As of height <strong>${asOf.height}</strong> of <bdi>${asOf.chainId}</bdi>, ${timeOf(asOf.time)}.</p>`}
<p>${SITE} is a complete, exact and replayable record of on-chain governance. It reads; it never votes and never moves funds. What is not known is said to be not known.</p>
<ul class="inline">
${alternates.map(({ path, type, label }) => html`<li><a href="${root}${path}" type="${type}">${label}</a></li>`)}
<li><a href="${root}/docs">API reference</a></li>
<li><a href="${root}/llms.txt">llms.txt</a></li>
<li><a href="${root}/feed.atom" type="application/atom+xml">Feed of proposals</a></li>
</ul>
</footer>`

/** `root` is what `rootOf` gives. */
export const pageFrame = (page: FramedPage, root: string): string => {
  const { title, description, alternates = [], scripts = [] } = page
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
${page.path !== '' && html`<link rel="alternate" type="text/markdown" href="${root}${page.path}">`}
${alternates.map(({ path, type }) => html`<link rel="alternate" type="${type}" href="${root}${path}">`)}
${scripts.map((path) => html`<script type="module" src="${root}${path}"></script>`)}
${page.head}
</head>
<body>
${headerOf(page, root)}
<main id="main" tabindex="-1"${page.stream === undefined ? null : html` data-stream="${page.stream}"`}>
${page.main}
</main>
${footerOf(page, root)}
</body>
</html>`)}\n`
}
