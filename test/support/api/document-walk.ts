// Follows every link in every document of a started service and reports problems.

export type Fetched = { url: string; status: number; type: string; text: string; headers: Headers }

export const fetchText = async (url: string, init: RequestInit = {}): Promise<Fetched> => {
  const signal = AbortSignal.timeout(60_000)
  const response = await fetch(url, { redirect: 'manual', signal, ...init })
  const text = await response.text()
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0] ?? ''
  return { url, status: response.status, type, text, headers: response.headers }
}

/** Ends a link in text before the punctuation of the sentence. */
const bareUrl = (text: string): string => text.replace(/[.,;:]+$/, '')

/** Absolute URLs of this service anywhere in the text; relative URLs only in links. */
export const addressesIn = (
  { url, type, text: source, headers }: Fetched,
  base: string,
): string[] => {
  // One of these entities occurs in URLs of Rollcall, the other next to them.
  const read = (page: string) => page.replaceAll('&#39;', "'").replaceAll('&amp;', '&')
  const isMarkup = type === 'text/html' || type.endsWith('+xml')
  const text = isMarkup ? read(source) : source
  const absolute = [...text.matchAll(/https?:\/\/[^\s"'`<>()\\|]+/g)].map(([match]) => match)
  const relative = type === 'text/html' ? [...text.matchAll(/href="([^"#][^"]*)"/g)] : []
  const linked = [...(headers.get('link') ?? '').matchAll(/<([^>]+)>/g)]
  const resolved = [...relative, ...linked].map(([, href = '']) => new URL(href, url).href)
  const all = [...absolute.map(bareUrl), ...resolved]
  return all.map((each) => each.split('#', 1)[0] ?? '').filter((each) => each.startsWith(base))
}

/** URLs with placeholders for the reader are not followed. */
const isTemplate = (url: string): boolean => /[{}$]|%7B|…/.test(url)

export type Expectation = {
  /** URLs that accept only POST: they answer GET with 405. */
  posts: readonly string[]
  /** URLs that need parameters: without them, they answer GET with a page that says so. */
  incomplete: readonly string[]
  /** Responses that never end. */
  streams: readonly string[]
  /** HTML pages, by pattern: they only have to exist. */
  pages: RegExp
}

const wrongWithDocument = async (found: Fetched): Promise<string[]> => {
  const { url, type, text, headers } = found
  const problems: string[] = []
  const addProblem = (what: string) => problems.push(`${url}: ${what}`)
  if (headers.get('access-control-allow-origin') !== '*') addProblem('not for every origin')
  const head = await fetchText(url, { method: 'HEAD' })
  if (head.status !== 200 || head.text !== '' || head.type !== type)
    addProblem(`HEAD ${head.status}`)
  const caching = headers.get('cache-control') ?? ''
  if (caching === 'no-store') return problems
  const etag = headers.get('etag') ?? ''
  if (!/^"[^"]+"$/.test(etag)) addProblem(`has no strong entity tag but ${etag}`)
  if (!/max-age=\d+/.test(caching)) addProblem('has no cache lifetime')
  const again = await fetchText(url, { headers: { 'if-none-match': etag } })
  const mayChange = /max-age=1,/.test(caching)
  if (again.status !== 304 && !mayChange)
    addProblem(`answers ${again.status} to its own entity tag`)
  if (text === '') addProblem('is empty')
  return problems
}

const wrongWithPost = async (url: string): Promise<string[]> => {
  const { status, headers } = await fetchText(url)
  const allow = headers.get('allow') ?? ''
  return status === 405 && allow.includes('POST') ? [] : [`${url}: answers GET with ${status}`]
}

const wrongWithIncomplete = async (url: string): Promise<string[]> => {
  const { status, type } = await fetchText(url)
  return status === 400 && type.startsWith('text/html') ? [] : [`${url}: answers ${status} ${type}`]
}

/** The first bytes are enough. */
const wrongWithStream = async (url: string): Promise<string[]> => {
  const controller = new AbortController()
  const signal = AbortSignal.any([controller.signal, AbortSignal.timeout(60_000)])
  const { status, headers } = await fetch(url, { signal })
  controller.abort()
  const type = headers.get('content-type') ?? ''
  const isStream = status === 200 && type.startsWith('text/event-stream')
  return isStream ? [] : [`${url}: answers ${status} ${type}`]
}

export type Walk = { visited: ReadonlyMap<string, Fetched>; problems: string[] }

/** Starts at the first URLs and follows everything that can be reached. */
export const walkDocuments = async (
  base: string,
  starts: readonly string[],
  { posts, incomplete, streams, pages }: Expectation,
): Promise<Walk> => {
  const visited = new Map<string, Fetched>()
  const problems: string[] = []
  const queue = starts.map((path) => base + path)
  const known = new Set(queue)
  const visit = async (url: string, path: string): Promise<void> => {
    const found = await fetchText(url)
    visited.set(path, found)
    if (found.status >= 400) problems.push(`${url}: answers ${found.status}`)
    else if (found.status === 200 && !pages.test(path)) {
      problems.push(...(await wrongWithDocument(found)))
    }
    const location = found.headers.get('location')
    const onward = location === null ? [] : [new URL(location, url).href]
    for (const next of [...addressesIn(found, base), ...onward]) {
      if (known.has(next) || isTemplate(next)) continue
      known.add(next)
      queue.push(next)
    }
  }
  for (let url = queue.shift(); url !== undefined; url = queue.shift()) {
    const path = url.slice(base.length)
    if (posts.includes(path)) problems.push(...(await wrongWithPost(url)))
    else if (incomplete.includes(path)) problems.push(...(await wrongWithIncomplete(url)))
    else if (streams.includes(path)) problems.push(...(await wrongWithStream(url)))
    else await visit(url, path)
  }
  return { visited, problems }
}
