// Redirect URIs of clients: which are allowed, which are the same, and what a person is told of them. Pure.

/** Ports of loopback addresses are free (RFC 8252, 7.3). Nothing but a path or a query may follow the host. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(?=[/?]|$)/

/** A browser does not leave them to an app. */
const FORBIDDEN_SCHEMES = [
  ...['http:', 'javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'filesystem:', 'about:'],
  ...['view-source:', 'ws:', 'wss:', 'ftp:', 'mailto:', 'tel:', 'sms:', 'intent:'],
]

export const isLoopback = (uri: string): boolean => LOOPBACK.test(uri)

export function isRedirect(uri: string): boolean {
  if (!/^[\x21-\x7E]+$/.test(uri) || /[#\\]/.test(uri) || !URL.canParse(uri)) return false
  const { protocol, username, password } = new URL(uri)
  // Without slashes a browser resolves it against the page.
  if (protocol === 'https:' && !/^https:\/\/[^/]/i.test(uri)) return false
  if (username !== '' || password !== '') return false
  return isLoopback(uri) || !FORBIDDEN_SCHEMES.includes(protocol)
}

const withoutPort = (uri: string): string => uri.replace(LOOPBACK, '$1')

/** Character by character, apart from the port of a loopback address. */
export function isSameRedirect(known: string, asked: string): boolean {
  return known === asked || (isRedirect(asked) && withoutPort(known) === withoutPort(asked))
}

/** The host, or the scheme of an app. */
export function nameRedirect(uri: string): string {
  const { host, protocol } = new URL(uri)
  return protocol === 'https:' || protocol === 'http:' ? host : protocol.slice(0, -1)
}

/** The parameters are added to a query that the URI has. */
export function withParameters(
  uri: string,
  parameters: Record<string, string | undefined>,
): string {
  const given = Object.entries(parameters).filter((each): each is [string, string] => !!each[1])
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}
