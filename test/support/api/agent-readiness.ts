// The checks of public scanners for agent readiness, as far as they need only HTTP.
// They follow the published checks of these scanners and use only GET.
import { fetchText } from './document-walk.ts'

/** `neutral`: does not count, because Rollcall has no such feature. */
export type CheckResult = 'pass' | 'fail' | 'neutral'
type Check = (base: string) => Promise<boolean>

// biome-ignore lint/suspicious/noExplicitAny: checks read documents of every shape
const readJson = async (url: string): Promise<any> => {
  const { status, text } = await fetchText(url)
  if (status !== 200) return {}
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

const isUrl = (text: unknown): boolean => typeof text === 'string' && URL.canParse(text)

const fetchRobotsTxt = async (base: string) => fetchText(`${base}/robots.txt`)

const robotsTxt: Check = async (base) => {
  const { status, type, text } = await fetchRobotsTxt(base)
  return status === 200 && type === 'text/plain' && /^User-agent:/im.test(text)
}

const sitemap: Check = async (base) => {
  const { text } = await fetchRobotsTxt(base)
  const [, url = `${base}/sitemap.xml`] = /^Sitemap:\s*(\S+)$/im.exec(text) ?? []
  const found = await fetchText(url)
  return found.status === 200 && /<urlset|<sitemapindex/.test(found.text)
}

const linkHeaders: Check = async (base) => {
  const { headers } = await fetchText(`${base}/`)
  return /rel="?(?:api-catalog|service-doc|service-desc|describedby|llms\.txt)/.test(
    headers.get('link') ?? '',
  )
}

const markdownNegotiation: Check = async (base) => {
  const { status, type, headers } = await fetchText(`${base}/`, {
    headers: { accept: 'text/markdown' },
  })
  return status === 200 && type === 'text/markdown' && /accept/i.test(headers.get('vary') ?? '')
}

const robotsTxtAiRules: Check = async (base) => {
  const { text } = await fetchRobotsTxt(base)
  return /^User-agent:\s*(?:GPTBot|ClaudeBot|PerplexityBot|CCBot)$/im.test(text)
}

const contentSignals: Check = async (base) => {
  const { text } = await fetchRobotsTxt(base)
  return /^Content-Signal:\s*(?:(?:search|ai-input|ai-train)=(?:yes|no)(?:,\s*|$))+/im.test(text)
}

const apiCatalog: Check = async (base) => {
  const { status, type, text } = await fetchText(`${base}/.well-known/api-catalog`)
  if (status !== 200 || type !== 'application/linkset+json') return false
  const head = await fetchText(`${base}/.well-known/api-catalog`, { method: 'HEAD' })
  return JSON.parse(text).linkset.length > 0 && /api-catalog/.test(head.headers.get('link') ?? '')
}

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'

const oauthDiscovery: Check = async (base) => {
  const documents = [SERVER, '/.well-known/openid-configuration']
  const found = await Promise.all(documents.map((path) => readJson(base + path)))
  return found.every(
    (each) =>
      each.issuer === base &&
      [each.authorization_endpoint, each.token_endpoint, each.jwks_uri].every(isUrl) &&
      each.grant_types_supported.length > 0 &&
      each.response_types_supported.length > 0,
  )
}

const oauthProtectedResource: Check = async (base) => {
  const { resource, authorization_servers: servers } = await readJson(base + RESOURCE)
  return resource === base && servers?.length > 0
}

const authMd: Check = async (base) => {
  const page = await fetchText(`${base}/auth.md`)
  const resource = await readJson(base + RESOURCE)
  const { issuer, agent_auth: agent } = await readJson(base + SERVER)
  const isPage = page.type === 'text/markdown' && /^# .*auth\.md/m.test(page.text)
  const isLinked =
    resource.authorization_servers?.includes(issuer) &&
    resource.scopes_supported?.length > 0 &&
    resource.bearer_methods_supported?.includes('header')
  const hasMethod =
    agent?.anonymous?.credential_types_supported.length > 0 && isUrl(agent?.claim_uri)
  return isPage && isLinked && hasMethod && agent.skill === page.url && !!agent.register_uri
}

const mcpServerCard: Check = async (base) => {
  const card = await readJson(`${base}/.well-known/mcp/server-card.json`)
  const named = [card.name, card.version, card.serverInfo?.name, card.serverInfo?.version]
  return [card.endpoint, ...named].every((each) => typeof each === 'string')
}

const agentSkills: Check = async (base) => {
  const { skills = [] } = await readJson(`${base}/.well-known/agent-skills/index.json`)
  const first = skills.slice(0, 3) as { url: string }[]
  const found = await Promise.all(first.map(({ url }) => fetchText(url)))
  return found.length > 0 && found.every(({ status, text }) => status === 200 && text !== '')
}

const ard: Check = async (base) => {
  const found = await fetchText(`${base}/.well-known/ard.json`)
  if (found.status !== 200 || found.headers.get('access-control-allow-origin') !== '*') return false
  const entries = JSON.parse(found.text).entries as Record<string, unknown>[]
  return entries.every(
    ({ identifier, representativeQueries: queries }) =>
      `${identifier}`.startsWith('urn:air:') &&
      Array.isArray(queries) &&
      queries.length >= 2 &&
      queries.length <= 5,
  )
}

const CHECKS: Readonly<Record<string, Check>> = {
  robotsTxt,
  sitemap,
  linkHeaders,
  markdownNegotiation,
  robotsTxtAiRules,
  contentSignals,
  apiCatalog,
  oauthDiscovery,
  oauthProtectedResource,
  authMd,
  mcpServerCard,
  agentSkills,
  ard,
}

/** Signs of features that Rollcall does not have: signed bots, other agents, payments. */
const NEUTRAL: Readonly<Record<string, string>> = {
  webBotAuth: '/.well-known/http-message-signatures-directory',
  a2aAgentCard: '/.well-known/agent-card.json',
  x402: '/.well-known/x402',
  mpp: '/.well-known/mpp',
  ucp: '/.well-known/ucp',
  acp: '/.well-known/acp.json',
  ap2: '/.well-known/ap2',
}

export const checkReadiness = async (base: string): Promise<Record<string, CheckResult>> => {
  const results: Record<string, CheckResult> = {}
  for (const [name, check] of Object.entries(CHECKS)) {
    results[name] = (await check(base)) ? 'pass' : 'fail'
  }
  for (const [name, path] of Object.entries(NEUTRAL)) {
    results[name] = (await fetchText(base + path)).status === 404 ? 'neutral' : 'fail'
  }
  return results
}
