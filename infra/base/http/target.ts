// The target of a request: its path and its query. In an absolute URL (RFC 9112, 3.2.2) the host is ignored, because it is not
// trusted. Pure.

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i

/** `query` includes the `?`, or is empty. Nothing is decoded. */
export const splitTarget = (url: string): { path: string; query: string } => {
  const target = url.replace(ORIGIN, '')
  const at = target.indexOf('?')
  return at < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, at), query: target.slice(at) }
}

/** Decodes like the router, which accepts absolute URLs and percent-encoded paths. */
export const decodePath = (url: string): string => {
  const path = splitTarget(url).path || '/'
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
