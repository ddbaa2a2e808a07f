// Decides which web origins may use the MCP server: its own and the configured ones. Pure.
import { isIP } from 'node:net'

const getHostname = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/**
 * Without a base URL, an origin is our own if it equals the requested host, and if this host is localhost or an IP address.
 * Other names can be pointed at this service (DNS rebinding).
 */
const isAtOwnAddress = (origin: string, host: string | undefined): boolean => {
  if (!URL.canParse(origin) || host === undefined) return false
  const url = new URL(origin)
  const name = getHostname(url)
  return url.host === host.toLowerCase() && (name === 'localhost' || isIP(name) !== 0)
}

export type OriginRules = { baseUrl: string; allowed: readonly string[] }

export const isOriginAllowed = (
  { origin, host }: { origin?: string | undefined; host?: string | undefined },
  { baseUrl, allowed }: OriginRules,
): boolean => {
  if (origin === undefined || allowed.includes(origin)) return true
  return baseUrl === '' ? isAtOwnAddress(origin, host) : origin === new URL(baseUrl).origin
}
