// What a request asks for, cut apart: a client may send a whole address (RFC 9112, 3.2.2), and what that says of the host is
// its own word. Pure.

/** Longer targets are refused: no address of this service needs as many bytes. */
export const MAX_TARGET_BYTES = 4_096

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i

/** `query` with its `?`; empty where there is none. Nothing is decoded. */
export const splitTarget = (url: string): { path: string; query: string } => {
  const target = url.replace(ORIGIN, '')
  const at = target.indexOf('?')
  return at < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, at), query: target.slice(at) }
}
