// The MCP server card (SEP-2127), which also has the members of its predecessor (SEP-1649), and the entry for the MCP registry.
// Pure.
import { API_PATHS, PATHS } from '../../auth/contract/service.ts'
import { ICON } from '../../infra/base/html/asset.ts'
import { createMcpIdentity, MCP_PROTOCOL_VERSIONS } from '../mcp/identity.ts'
import { type About, asJson, type Document, JSON_TYPE } from './about.ts'

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'

/** Where hosts send people with questions. */
const createPolicies = ({ privacy }: About['service']['urls']) => ({
  privacyPolicyUrl: privacy,
  supportUrl: `${privacy}#support`,
})

const write = ({ service, version, issuesTokens }: About): string => {
  const { urls, issuer } = service
  const { name, title, description, websiteUrl } = createMcpIdentity(issuer, version)
  return asJson({
    $schema: SCHEMA,
    name,
    version,
    title,
    description,
    websiteUrl,
    remotes: [
      {
        type: 'streamable-http',
        url: urls.mcp,
        supportedProtocolVersions: MCP_PROTOCOL_VERSIONS,
      },
    ],
    serverInfo: { name, title, version },
    protocolVersion: MCP_PROTOCOL_VERSIONS[0],
    endpoint: urls.mcp,
    transport: { type: 'streamable-http', endpoint: PATHS.mcp },
    capabilities: { tools: {}, resources: {}, prompts: {} },
    authentication: { required: false, schemes: issuesTokens ? ['bearer'] : [] },
    documentationUrl: urls.authMd,
    ...createPolicies(urls),
  })
}

const card = { maxAgeSeconds: 3_600, write } as const

export const serverCard: Document = {
  ...card,
  path: API_PATHS.serverCard,
  type: 'application/mcp-server-card+json; charset=utf-8',
  alternateType: 'application/json',
}

/** The earlier path of the card, with the media type that clients expect there. */
export const knownServerCard: Document = {
  ...card,
  path: API_PATHS.knownServerCard,
  type: JSON_TYPE,
  alternateType: 'application/mcp-server-card+json',
}

const REGISTRY_SCHEMA =
  'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** `server.json`, as an operator publishes it in the MCP registry. */
export const serverJson: Document = {
  path: API_PATHS.serverJson,
  type: JSON_TYPE,
  maxAgeSeconds: 3_600,
  write: ({ service: { urls, issuer }, version }) =>
    asJson({
      $schema: REGISTRY_SCHEMA,
      ...createMcpIdentity(issuer, version),
      icons: [{ src: issuer + ICON.path, mimeType: 'image/svg+xml', sizes: ['any'] }],
      remotes: [{ type: 'streamable-http', url: urls.mcp }],
      _meta: { 'io.modelcontextprotocol.registry/publisher-provided': createPolicies(urls) },
    }),
}
