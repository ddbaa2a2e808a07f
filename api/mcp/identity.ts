// Name, title and version of the MCP server, for its responses and its card. Pure.
import { isIP } from 'node:net'

/** Revisions with the request `initialize`, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const

/** Newest first. Revision 2026-07-28 has no handshake; clients use `server/discover`. */
export const MCP_PROTOCOL_VERSIONS = ['2026-07-28', ...HANDSHAKE_VERSIONS] as const

const TITLE = 'Rollcall: governance proposals and votes'
const DESCRIPTION =
  'Read governance proposals of a chain and the votes of its pools and voters. Read only.'

export type McpIdentity = {
  /** Reverse domain name, one slash: `org.example.gov/proposals`. At an IP address `rollcall/proposals`. */
  name: string
  title: string
  version: string
  description: string
  websiteUrl: string
}

/** An IP address is no domain. `URL` writes an IPv6 address in brackets. */
const createNamespace = (hostname: string): string => {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return 'rollcall'
  const labels = hostname.replace(/[^a-zA-Z0-9.-]/g, '-').split('.')
  return labels.reverse().join('.')
}

/** `baseUrl` has no trailing slash. */
export const createMcpIdentity = (baseUrl: string, version: string): McpIdentity => ({
  name: `${createNamespace(new URL(baseUrl).hostname)}/proposals`,
  title: TITLE,
  version,
  description: DESCRIPTION,
  websiteUrl: baseUrl,
})
