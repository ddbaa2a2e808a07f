// What a request asks for, cut apart: a client may send a whole address (RFC 9112, 3.2.2), and what that says of the host is
// its own word. Pure.

/** Longer targets are refused: no address of this service needs as many bytes. */
export const MAX_TARGET_BYTES = 4_096

const MAX_PLAIN_LENGTH = 256
const PLAIN =
  /^\/[A-Za-z0-9/._-]*(?:\?[a-z]+=(?!0[0-9])[A-Za-z0-9_,.-]+(?:&[a-z]+=(?!0[0-9])[A-Za-z0-9_,.-]+)*)?$/

/** True for a short target without anything that can be written in many ways: encoding, empty fields, leading zeros. */
export const isPlainTarget = (url: string): boolean =>
  url.length <= MAX_PLAIN_LENGTH && PLAIN.test(url)

const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i

/** `query` with its `?`; empty where there is none. Nothing is decoded. */
export const splitTarget = (url: string): { path: string; query: string } => {
  const target = url.replace(ORIGIN, '')
  const at = target.indexOf('?')
  return at < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, at), query: target.slice(at) }
}
