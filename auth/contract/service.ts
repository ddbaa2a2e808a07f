// The single source of all discovery documents: URLs, grants, methods. Pure.

export const SCOPE = 'proposals:read'

export const GRANT = {
  jwtBearer: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
  clientCredentials: 'client_credentials',
  claim: 'urn:workos:agent-auth:grant-type:claim',
  authorizationCode: 'authorization_code',
  refreshToken: 'refresh_token',
} as const

export const ID_JAG_TYPE = 'urn:ietf:params:oauth:token-type:id-jag'
export const ID_JAG_PROFILE = 'urn:ietf:params:oauth:grant-profile:id-jag'

export const PATHS = {
  identity: '/agent/identity',
  claim: '/agent/identity/claim',
  authorize: '/oauth2/authorize',
  registerClient: '/oauth2/register',
  token: '/oauth2/token',
  revoke: '/oauth2/revoke',
  delegation: '/delegation',
  jwks: '/.well-known/jwks.json',
  authorizationServer: '/.well-known/oauth-authorization-server',
  openidConfiguration: '/.well-known/openid-configuration',
  protectedResource: '/.well-known/oauth-protected-resource',
  authMd: '/auth.md',
  mcp: '/mcp',
} as const

/** Other documents of the read API. */
export const API_PATHS = {
  home: '/',
  api: '/api',
  health: '/api/health',
  proposals: '/api/proposals',
  pools: '/api/pools',
  stream: '/api/stream',
  data: '/data/',
  dataList: '/api/data',
  dataSql: '/data/rollcall.sql',
  openapi: '/openapi.json',
  docs: '/docs',
  apiCatalog: '/.well-known/api-catalog',
  aiCatalog: '/.well-known/ai-catalog.json',
  ard: '/.well-known/ard.json',
  skillsIndex: '/.well-known/agent-skills/index.json',
  knownServerCard: '/.well-known/mcp/server-card.json',
  serverCard: '/mcp/server-card',
  serverJson: '/mcp/server.json',
  privacy: '/privacy',
  llms: '/llms.txt',
  robots: '/robots.txt',
  sitemap: '/sitemap.xml',
  securityTxt: '/.well-known/security.txt',
} as const

/** Source of the documents. URLs are absolute; `issuer` has no trailing slash. */
export type ServiceDescription = {
  issuer: string
  /** Identifiers that a token may be requested for; the first is the default. */
  resources: readonly [string, ...string[]]
  scopes: readonly string[]
  grantTypes: readonly string[]
  identityTypes: readonly string[]
  assertionTypes: readonly string[]
  urls: Readonly<Record<keyof typeof PATHS | keyof typeof API_PATHS, string>>
}

/** Metadata with `/.well-known/…` between the host and the path of the base URL (RFC 8414 and RFC 9728, section 3.1). */
const AFTER_HOST: readonly string[] = [PATHS.authorizationServer, PATHS.protectedResource]

/** The path of the base URL, such as `/rollcall`; empty if it has none. */
export const basePath = (baseUrl: string): string => baseUrl.slice(new URL(baseUrl).origin.length)

const toUrl = (baseUrl: string, path: string): string =>
  AFTER_HOST.includes(path) ? new URL(baseUrl).origin + path + basePath(baseUrl) : baseUrl + path

export const describeService = (baseUrl: string): ServiceDescription => ({
  issuer: baseUrl,
  resources: [baseUrl, `${baseUrl}${PATHS.mcp}`],
  scopes: [SCOPE],
  grantTypes: Object.values(GRANT),
  // Verified e-mail is advertised as its specification requires, and responds that it is not enabled.
  identityTypes: ['anonymous', 'identity_assertion', 'verified_email'],
  assertionTypes: [ID_JAG_TYPE, 'verified_email'],
  urls: Object.fromEntries(
    Object.entries({ ...PATHS, ...API_PATHS }).map(([name, path]) => [name, toUrl(baseUrl, path)]),
  ) as ServiceDescription['urls'],
})

/** The path of a resource's metadata: inserted between host and path (RFC 9728, section 3.1). */
export const resourceMetadataUrl = (service: ServiceDescription, resource: string): string =>
  service.urls.protectedResource + resource.slice(service.issuer.length)

/** RFC 9728. */
export const protectedResourceMetadata = (service: ServiceDescription, resource: string) => ({
  resource,
  authorization_servers: [service.issuer],
  scopes_supported: service.scopes,
  bearer_methods_supported: ['header'],
  resource_name: 'Rollcall: governance proposals and votes, read only',
  resource_documentation: service.urls.authMd,
  resource_policy_uri: service.urls.privacy,
})

/** Has the names of all versions of auth.md. A test keeps the aliases equal. */
const agentAuth = ({ urls, identityTypes, assertionTypes }: ServiceDescription) => ({
  skill: urls.authMd,
  register_uri: urls.identity,
  identity_endpoint: urls.identity,
  claim_uri: urls.claim,
  claim_endpoint: urls.claim,
  revocation_uri: urls.revoke,
  claim_grant_type: GRANT.claim,
  identity_types_supported: identityTypes,
  anonymous: { credential_types_supported: ['access_token'] },
  identity_assertion: {
    assertion_types_supported: assertionTypes,
    credential_types_supported: ['access_token'],
  },
})

/** RFC 8414, RFC 9207, and the draft on client ID metadata documents. */
export const authorizationServerMetadata = (service: ServiceDescription) => ({
  issuer: service.issuer,
  authorization_endpoint: service.urls.authorize,
  registration_endpoint: service.urls.registerClient,
  token_endpoint: service.urls.token,
  revocation_endpoint: service.urls.revoke,
  jwks_uri: service.urls.jwks,
  scopes_supported: service.scopes,
  response_types_supported: ['code'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
  grant_types_supported: service.grantTypes,
  token_endpoint_auth_methods_supported: ['none'],
  revocation_endpoint_auth_methods_supported: ['none'],
  authorization_grant_profiles_supported: [ID_JAG_PROFILE],
  service_documentation: service.urls.authMd,
  op_policy_uri: service.urls.privacy,
  protected_resources: service.resources,
  resource: service.resources[0],
  authorization_servers: [service.issuer],
  bearer_methods_supported: ['header'],
  agent_auth: agentAuth(service),
})

/** OpenID Connect Discovery 1.0: the same facts. No ID token is issued, but the JWKS has an RS256 key, which the specification requires. */
export const openidConfiguration = (service: ServiceDescription) => ({
  ...authorizationServerMetadata(service),
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256', 'ES256'],
})
