// The frame of every HTML page: head, header, main and footer. The policy allows files of this service only.
import type { ComponentChildren } from 'preact'
import { ICON, STYLE } from './asset.ts'

type Alternate = { path: string; type: string; label: string }

export type FramedPage = {
  /** The prefix of all paths: a result of `toRootPath`. */
  root: string
  title: string
  description: string
  /** The path with its query; empty if the page has no URL of its own. */
  path: string
  /** The content of the page. */
  children?: ComponentChildren
  /** More elements of the head: structured data, feeds, link previews. */
  head?: ComponentChildren
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

function SearchForm({ search, root }: { search: string; root: string }) {
  return (
    <form class="search" role="search" action={`${root}/search`} method="get">
      <label class="hidden" for="site-search">
        Search for a proposal, an address or a validator
      </label>
      <input
        id="site-search"
        type="search"
        name="q"
        value={search}
        maxlength={200}
        placeholder="Number, address, name or words"
        autocapitalize="none"
        autocomplete="off"
        spellcheck={false}
      />
      <button type="submit">Search</button>
    </form>
  )
}

/** The site name and the main navigation. `here` is the path of the current page. */
export function SiteNavigation({ root, here }: { root: string; here?: string | undefined }) {
  return (
    <>
      <a class="site-name" href={`${root}/`}>
        {SITE}
      </a>
      <nav aria-label="Site">
        <ul class="inline">
          {NAVIGATION.map(([to, label]) => (
            <li>
              <a href={root + to} aria-current={here === to ? 'page' : undefined}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}

/** A notice about all data of a page. Without a text it is hidden, so that a script can show a later one. */
export function SiteNotice({ text }: { text: string | undefined }) {
  const isHidden = text === undefined
  return (
    <aside id="notice" class="site-notice" aria-label="Notice" data-live="yes" hidden={isHidden}>
      {text}
    </aside>
  )
}

function AsOf({ chainId, height, time }: NonNullable<FramedPage['asOf']>) {
  return (
    <p id="as-of" data-live="yes">
      As of block <strong>{height}</strong> of <bdi>{chainId}</bdi>,{' '}
      <time datetime={time}>{time}</time>.
    </p>
  )
}

const FOOTER_LINKS = [
  ['/docs', undefined, 'API reference'],
  ['/llms.txt', undefined, 'llms.txt'],
  ['/feed.atom', 'application/atom+xml', 'Proposal feed (Atom)'],
  ['/calendar.ics', 'text/calendar', 'Calendar of ends (iCalendar)'],
  ['/privacy', undefined, 'Privacy and support'],
] as const

function SiteFooter({ asOf, alternates = [], root }: FramedPage) {
  const others = alternates.map(({ path, type, label }) => [path, type, label] as const)
  return (
    <footer class="site">
      {asOf && <AsOf {...asOf} />}
      <p>
        {SITE} shows all proposals and votes of this chain. Every count can be recomputed. It never
        votes and never moves funds. Unknown values are marked as not known.
      </p>
      <ul class="inline">
        {[...others, ...FOOTER_LINKS].map(([path, type, label]) => (
          <li>
            <a href={root + path} type={type}>
              {label}
            </a>
          </li>
        ))}
      </ul>
    </footer>
  )
}

/** What the heads of all pages have. */
export function PageHead({ title, icon }: { title: string; icon: string }) {
  return (
    <>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{title === SITE ? SITE : `${title} · ${SITE}`}</title>
      <meta name="color-scheme" content="light dark" />
      <link rel="icon" type="image/svg+xml" href={icon} />
    </>
  )
}

export function PageFrame(page: FramedPage) {
  const { title, description, path, root, alternates = [], scripts = [] } = page
  const [here] = path.split('?', 1)
  return (
    <html lang="en">
      <head>
        <PageHead title={title} icon={root + ICON.path} />
        <meta name="description" content={description} />
        <link rel="stylesheet" href={root + STYLE.path} />
        {path !== '' && <link rel="alternate" type="text/markdown" href={root + path} />}
        {alternates.map((other) => (
          <link rel="alternate" type={other.type} href={root + other.path} />
        ))}
        {scripts.map((script) => (
          <script type="module" src={root + script} />
        ))}
        {page.head}
      </head>
      <body>
        <header class="site">
          <a class="skip" href="#main">
            Skip to the content
          </a>
          <div class="site-row">
            <SiteNavigation root={root} here={here} />
            <SearchForm search={page.search ?? ''} root={root} />
          </div>
        </header>
        <SiteNotice text={page.notice} />
        <main id="main" tabindex={-1} data-stream={page.stream} data-health={page.health}>
          {page.children}
        </main>
        <SiteFooter {...page} />
      </body>
    </html>
  )
}
