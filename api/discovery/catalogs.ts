// Catalogs of this service for agents: `/.well-known/api-catalog` (RFC 9727), the AI catalog under two paths, the MCP server card
// (SEP-2127 with the members of SEP-1649), the entry for the MCP registry, and the `Link` header of the home page (RFC 8288). Pure.
import { API_PATHS, PATHS } from '../../auth/contract/service.ts'
import { ICON } from '../../infra/base/html/asset.ts'
import { JSON_MEDIA_TYPE } from '../formats/rows.ts'
import { createMcpIdentity, MCP_PROTOCOL_VERSIONS } from '../mcp/identity.ts'
import { TOOL_NAMES } from '../mcp/tools.ts'
import { type About, asJson, type DiscoveryDocument } from './documents.ts'
import { API_VERSION } from './openapi/document.ts'
import { getSkills, toSkillUrl } from './skills.ts'

export const API_CATALOG_TYPE = 'application/linkset+json'
const PROFILE = 'https://www.rfc-editor.org/info/rfc9727'

const writeApiCatalog = ({ service, issuesTokens }: About): string => {
  const { urls } = service
  const metadata = (href: string) =>
    issuesTokens ? { 'service-meta': [{ href, type: 'application/json' }] } : {}
  return asJson({
    linkset: [
      { anchor: urls.apiCatalog, item: [{ href: urls.api }, { href: urls.mcp }] },
      {
        anchor: urls.api,
        'service-desc': [{ href: urls.openapi, type: 'application/openapi+json' }],
        'service-doc': [
          { href: urls.docs, type: 'text/html' },
          { href: urls.authMd, type: 'text/markdown' },
          { href: urls.llms, type: 'text/plain' },
        ],
        ...metadata(urls.protectedResource),
        status: [{ href: urls.health, type: 'application/json' }],
      },
      {
        anchor: urls.mcp,
        'service-desc': [{ href: urls.serverCard, type: 'application/mcp-server-card+json' }],
        ...metadata(`${urls.protectedResource}${PATHS.mcp}`),
      },
    ],
  })
}

export const apiCatalog: DiscoveryDocument = {
  path: API_PATHS.apiCatalog,
  type: `${API_CATALOG_TYPE}; profile="${PROFILE}"`,
  maxAgeSeconds: 300,
  headers: ({ service }) => ({ link: `<${service.urls.apiCatalog}>; rel="api-catalog"` }),
  write: writeApiCatalog,
}

const LINKS: readonly (readonly [path: string, relation: string, type: string])[] = [
  [API_PATHS.apiCatalog, 'api-catalog', API_CATALOG_TYPE],
  [API_PATHS.openapi, 'service-desc', 'application/openapi+json;version=3.1'],
  [API_PATHS.docs, 'service-doc', 'text/html'],
  [PATHS.authMd, 'service-doc', 'text/markdown'],
  [API_PATHS.health, 'status', 'application/json'],
  [API_PATHS.llms, 'describedby', 'text/plain'],
  [API_PATHS.aiCatalog, 'ai-catalog', 'application/ai-catalog+json'],
  [API_PATHS.ard, 'ard', 'application/json'],
]

/** Relative URLs: they are valid for every host name of the service. */
export const homeLinks = (): string =>
  LINKS.map(([path, relation, type]) => {
    const quoted = type.replaceAll('"', '\\"')
    return `<${path}>; rel="${relation}"; type="${quoted}"`
  }).join(', ')

/** The host without its port. Identifiers do not allow the colons and brackets of an IPv6 address. */
const toPublisher = (baseUrl: string): string =>
  new URL(baseUrl).hostname.replace(/[^a-zA-Z0-9.-]/g, '-')

type Entry = {
  name: string
  type: string
  url: string
  displayName: string
  description: string
  tags: readonly string[]
  capabilities?: readonly string[]
  representativeQueries: readonly string[]
  version?: string
}

const createEntry = (publisher: string, { name, type, ...rest }: Entry) => ({
  identifier: `urn:air:${publisher}:${name}`,
  type,
  mediaType: type,
  ...rest,
})

const createEntries = (about: About, publisher: string) => {
  const { urls, issuer } = about.service
  const mcp = createMcpIdentity(issuer, about.version)
  const server: Entry = {
    name: 'mcp:proposals',
    type: 'application/mcp-server-card+json',
    url: urls.serverCard,
    displayName: mcp.title,
    description: mcp.description,
    tags: ['governance', 'cosmos', 'mcp', 'read-only'],
    capabilities: TOOL_NAMES,
    representativeQueries: [
      'List the newest governance proposals of the chain',
      'How did each pool vote on proposal 42?',
      'Which proposals did this validator miss?',
    ],
    version: mcp.version,
  }
  const api: Entry = {
    name: 'api:proposals',
    type: 'application/openapi+json',
    url: urls.openapi,
    displayName: 'Rollcall read API',
    description: 'Proposals, votes by pool and by voter, events and evidence as JSON over HTTP.',
    tags: ['governance', 'cosmos', 'openapi', 'read-only'],
    capabilities: ['listProposals', 'getProposal', 'listProposalVotes', 'getHealth'],
    representativeQueries: [
      'Read the tally of a governance proposal with its votes',
      'Download every ballot cast on a proposal',
    ],
    version: API_VERSION,
  }
  const skills = getSkills(about).map(
    (skill): Entry => ({
      name: `skill:${skill.name}`,
      type: 'application/agent-skills+md',
      url: toSkillUrl(about.service, skill.name),
      displayName: skill.title,
      description: skill.description,
      tags: ['governance', 'skill'],
      representativeQueries: skill.queries,
    }),
  )
  return [server, api, ...skills].map((entry) => createEntry(publisher, entry))
}

const writeAiCatalog = (about: About): string => {
  const { urls, issuer } = about.service
  const publisher = toPublisher(issuer)
  return asJson({
    specVersion: '1.0',
    host: {
      displayName: 'Rollcall',
      identifier: `did:web:${publisher}`,
      documentationUrl: urls.docs,
    },
    entries: createEntries(about, publisher),
  })
}

const catalogAt = (path: string): DiscoveryDocument => ({
  path,
  type: JSON_MEDIA_TYPE,
  alternateType: 'application/ai-catalog+json',
  maxAgeSeconds: 300,
  write: writeAiCatalog,
})

export const aiCatalog = catalogAt(API_PATHS.aiCatalog)
export const ardCatalog = catalogAt(API_PATHS.ard)

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'

/** Where hosts send people with questions. */
const createPolicies = ({ privacy }: About['service']['urls']) => ({
  privacyPolicyUrl: privacy,
  supportUrl: `${privacy}#support`,
})

const writeServerCard = ({ service, version, issuesTokens }: About): string => {
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

const card = { maxAgeSeconds: 3_600, write: writeServerCard } as const

export const serverCard: DiscoveryDocument = {
  ...card,
  path: API_PATHS.serverCard,
  type: 'application/mcp-server-card+json; charset=utf-8',
  alternateType: 'application/json',
}

/** The earlier path of the card, with the media type that clients expect there. */
export const knownServerCard: DiscoveryDocument = {
  ...card,
  path: API_PATHS.knownServerCard,
  type: JSON_MEDIA_TYPE,
  alternateType: 'application/mcp-server-card+json',
}

const REGISTRY_SCHEMA =
  'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/** `server.json`, as an operator publishes it in the MCP registry. */
export const serverJson: DiscoveryDocument = {
  path: API_PATHS.serverJson,
  type: JSON_MEDIA_TYPE,
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
