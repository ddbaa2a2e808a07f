// Which web pages may speak to the MCP server: its own, and those an operator names. Pure.
import { isIP } from 'node:net'

const getHostname = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

/**
 * Without a base URL a page counts as our own where it is at the address that was asked, and that is no name but
 * localhost: any other name may have been made to point here (DNS rebinding).
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
