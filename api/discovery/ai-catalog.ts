// `/.well-known/ai-catalog.json` and `/.well-known/ard.json`: the catalog of services for agents, under two paths. Pure.
// AI Catalog 1.0 has `type`, its drafts have `mediaType`. Entries have both.
import { API_PATHS } from '../../auth/contract/service.ts'
import { createMcpIdentity } from '../mcp/identity.ts'
import { TOOL_NAMES } from '../mcp/tools.ts'
import { type About, asJson, type Document, JSON_TYPE } from './about.ts'
import { API_VERSION } from './openapi/info.ts'
import { getSkills, toSkillUrl } from './skills.ts'

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

const write = (about: About): string => {
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

const catalogAt = (path: string): Document => ({
  path,
  type: JSON_TYPE,
  alternateType: 'application/ai-catalog+json',
  maxAgeSeconds: 300,
  write,
})

export const aiCatalog = catalogAt(API_PATHS.aiCatalog)
export const ardCatalog = catalogAt(API_PATHS.ard)
