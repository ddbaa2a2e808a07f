// Who the MCP server says it is, at run time and on its card alike. Pure.

/** Those that begin with `initialize`, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'] as const

/** Newest first. In 2026-07-28 every request stands alone, and `server/discover` says what there is. */
export const MCP_PROTOCOL_VERSIONS = ['2026-07-28', ...HANDSHAKE_VERSIONS] as const

export const MCP_TOOLS = [
  'list_proposals',
  'get_proposal',
  'list_proposal_votes',
  'list_proposal_deposits',
  'get_proposal_proof',
  'list_pool_votes',
  'get_service_status',
] as const

const TITLE = 'Rollcall: on-chain proposals and their votes'
const DESCRIPTION =
  'Read on-chain improvement proposals and the votes on them, pool by pool. Never votes.'

export type McpIdentity = {
  /** Reverse domain name, one slash: `org.example.gov/proposals`. */
  name: string
  title: string
  version: string
  description: string
  websiteUrl: string
}

/** An IPv6 address has characters that a name may not have. */
const reverseHostname = (hostname: string): string =>
  hostname
    .replace(/[^a-zA-Z0-9.-]/g, '-')
    .split('.')
    .reverse()
    .join('.')

/** `baseUrl` has no trailing slash. */
export const createMcpIdentity = (baseUrl: string, version: string): McpIdentity => ({
  name: `${reverseHostname(new URL(baseUrl).hostname)}/proposals`,
  title: TITLE,
  version,
  description: DESCRIPTION,
  websiteUrl: baseUrl,
})
