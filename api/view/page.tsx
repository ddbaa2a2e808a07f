// A page: what it is about, its content, and how it is written as HTML and as Markdown.
import type { ComponentChildren } from 'preact'
import { API_PATHS } from '../../auth/contract/service.ts'
import { type FramedPage, PageFrame, toRootPath } from '../../infra/base/html/page-frame.tsx'
import { renderPage, StructuredData } from '../../infra/base/html/render.tsx'
import { noticeText } from '../words/notice.ts'
import { plainLine } from '../words/texts.ts'
import { LIVE_SCRIPT, SCRIPTS } from './assets.ts'
import { renderMarkdown } from './markdown.ts'
import { Link } from './parts.tsx'
import type { PageContext } from './paths.ts'

/** A page with what its formats say of it besides its content. */
export type Document = Omit<FramedPage, 'root' | 'notice' | 'health' | 'alternates'> & {
  /** By default the title. */
  heading?: ComponentChildren
  /** HTML instead of the heading. */
  top?: ComponentChildren
  /** The page above this one. */
  above?: ComponentChildren
  body: ComponentChildren
  /** The path of the same data as JSON. */
  json?: string | undefined
  /** For a page of a list, whose later pages say their number. */
  page?: { number: number | null }
  /** False for a page that search engines must not list: an error, or the matches of a search. */
  isIndexed?: boolean | undefined
  /** Structured data of schema.org. */
  data?: object | undefined
}

/** For search engines, feed readers and link previews. Text only: social networks cache images for days. */
function Indexing({ title, description, path }: Document, at: PageContext) {
  const { baseUrl } = at
  const url = `${baseUrl}${path.replace(/[?&]page=0$/, '')}`
  return (
    <>
      <link
        rel="alternate"
        type="application/atom+xml"
        title="Proposals"
        href={`${toRootPath(baseUrl)}/feed.atom`}
      />
      <meta property="og:site_name" content="Rollcall" />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta name="twitter:card" content="summary" />
      {/* A canonical URL needs a host. */}
      {!url.startsWith('/') && <link rel="canonical" href={url} />}
      {!url.startsWith('/') && <meta property="og:url" content={url} />}
    </>
  )
}

function Head({ page }: { page: Document }) {
  const isIndexed = page.isIndexed !== false && page.path !== ''
  return (
    <>
      {isIndexed ? <Indexing {...page} /> : <meta name="robots" content="noindex" />}
      {page.data && <StructuredData data={page.data} />}
      {page.head}
    </>
  )
}

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

const JSON_LABEL = 'This page as JSON'

export function renderHtml(document: Document, at: PageContext): string {
  const page = numberPage(document)
  const { title, description, path, search, asOf, json, stream, scripts = [], body } = page
  const { above, heading, top } = page
  const root = toRootPath(at.baseUrl)
  const isLive = stream !== undefined
  return renderPage(
    <PageFrame
      {...{ root, title, description, path, search, asOf }}
      head={<Head page={page} />}
      alternates={
        json === undefined ? [] : [{ path: json, type: 'application/json', label: JSON_LABEL }]
      }
      scripts={[...SCRIPTS, ...(isLive ? [LIVE_SCRIPT] : []), ...scripts]}
      stream={isLive ? `${root}${stream}` : undefined}
      health={isLive ? `${root}${API_PATHS.health}` : undefined}
      notice={noticeText(at)}
    >
      {top ?? (
        <>
          {above && <p class="above">{above}</p>}
          <h1>{heading ?? document.title}</h1>
        </>
      )}
      {body}
    </PageFrame>,
    at,
  )
}

const describeUnit = ({ unit }: PageContext): string => {
  if (!unit) return 'Amounts are in the smallest unit of the chain.'
  const [name, denom] = [plainLine(unit.name), plainLine(unit.denom)]
  const inBase = `1 ${name} = ${10n ** BigInt(unit.decimals)} ${denom}`
  return `Amounts are exact, in ${name}; the JSON has ${denom} (${inBase}).`
}

const PAGES = [
  ['/', 'Rollcall'],
  ['/proposals', 'proposals'],
  ['/pools', 'validators'],
  ['/voters', 'voters'],
  ['/status', 'status'],
] as const

/** The notice, the heading, the content, and what the page is as of. */
export function renderMarkdownPage(
  { heading, title, above, body, asOf }: Document,
  at: PageContext,
): string {
  const notice = noticeText(at)
  const page = (
    <>
      {notice && (
        <p>
          <strong>{notice}</strong>
        </p>
      )}
      <h1>{heading ?? title}</h1>
      {above && <p>{above}</p>}
      {body}
      {asOf && (
        <p>
          As of block {asOf.height} of {plainLine(asOf.chainId)}, {plainLine(asOf.time)}.{' '}
          {describeUnit(at)}
        </p>
      )}
      <p>{PAGES.map(([path, label], n) => [n > 0 && ' · ', <Link to={path}>{label}</Link>])}</p>
    </>
  )
  return `${renderMarkdown(page, at)}\n`
}
