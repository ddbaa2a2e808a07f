// Documents for agents and crawlers: `/auth.md`, `/robots.txt` and `/sitemap.xml`; and what all documents are made of. Pure.
import { readFileSync } from 'node:fs'
import {
  API_PATHS,
  GRANT,
  ID_JAG_TYPE,
  PATHS,
  SCOPE,
  type ServiceDescription,
} from '../../auth/contract/service.ts'
import { locateFile } from '../../infra/base/runtime/product-files.ts'
import { element, xmlText } from '../../infra/base/runtime/xml.ts'
import { decodeAddress, encodeAddress } from '../../ingest/contract/address.ts'
import type { AddressPrefixes } from '../read/queries/addresses.ts'
import { formatTime } from '../read/queries/values.ts'
import type { Operation, Tag } from '../resources/operation.ts'
import { OPERATIONS } from '../resources/operations.ts'
import { describeParameter, getParameter, type ParameterName } from '../resources/parameters.ts'
import { toPathTemplate } from '../resources/path-parameters.ts'

export type About = {
  service: ServiceDescription
  /** The version of the product. */
  version: string
  /** False in a deployment that registers no agents. */
  issuesTokens: boolean
  /** True if the data is that of the demo chain. */
  isDemo: boolean
}

export type DiscoveryDocument = {
  path: string
  /** The value of `Content-Type`, with its parameters. */
  type: string
  /** A second media type for the same bytes, chosen by `Accept`. */
  alternateType?: string
  maxAgeSeconds: number
  /** True if it has addresses in examples. */
  hasAddresses?: boolean
  headers?: (about: About) => Readonly<Record<string, string>>
  write: (about: About) => string
}

export const MARKDOWN_MEDIA_TYPE = 'text/markdown; charset=utf-8'
export const TEXT_TYPE = 'text/plain; charset=utf-8'

export const asJson = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

/** `{{name}}` in the template becomes the value of this name. */
type Template = (values: Readonly<Record<string, string>>) => string

export const readTemplate = (file: string): Template => {
  const template = readFileSync(locateFile(`api/discovery/assets/${file}`), 'utf8')
  return (values) =>
    template.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = values[name]
      if (value === undefined) throw new Error(`${file} has no value for ${name}`)
      return value
    })
}

/** The parameters besides those of pages, which every list has. */
const findOwnParameters = ({ queryParameters }: Operation): ParameterName[] =>
  queryParameters.filter((name) => name !== 'page' && name !== 'cursor')

/** Its path with its own parameters, and what it answers. */
export const describeOperation = (operation: Operation): [call: string, answer: string] => {
  const { path, guide, pageSize } = operation
  const names = findOwnParameters(operation).map((name) => `\`${name}\``)
  const parameters = names.length === 0 ? '' : ` (${names.join(', ')})`
  const size = pageSize === undefined ? '' : `; ${pageSize.toLocaleString('en')} per page`
  return [`\`GET ${toPathTemplate(path)}\`${parameters}`, `${guide}${size}`]
}

/** A section with one line per operation: its path, its own parameters, and what it answers. */
export const writeOperations = ({ issuer }: ServiceDescription, tag?: Tag): string => {
  const operations = OPERATIONS.filter((each) => tag === undefined || each.tag === tag)
  return `## Operations

A path follows ${issuer}. Its own query parameters are in parentheses. A list also has \`cursor\`, most lists \`page\`.

${operations.map((each) => `- ${describeOperation(each).join(': ')}`).join('\n')}
`
}

/** A table of the parameters besides those of pages. */
export const writeParameters = (operation: Operation): string =>
  [
    '| parameter | value |',
    '|---|---|',
    ...findOwnParameters(operation).map((name) => {
      const meaning = describeParameter(getParameter(name, operation.parameters))
      return `| \`${name}\` | ${meaning} |`
    }),
  ].join('\n')

const withTokens = readTemplate('auth.md')
const withoutTokens = readTemplate('auth-without-tokens.md')

const write = ({ service: { issuer, urls }, issuesTokens }: About): string =>
  issuesTokens
    ? withTokens({
        ...urls,
        issuer,
        scope: SCOPE,
        idJagType: ID_JAG_TYPE,
        jwtBearerGrant: GRANT.jwtBearer,
        clientCredentialsGrant: GRANT.clientCredentials,
        claimGrant: GRANT.claim,
      })
    : withoutTokens(urls)

export const authMd: DiscoveryDocument = {
  path: PATHS.authMd,
  type: MARKDOWN_MEDIA_TYPE,
  maxAgeSeconds: 300,
  write,
}

const AI_CRAWLERS = [
  'GPTBot',
  'OAI-SearchBot',
  'ChatGPT-User',
  'ClaudeBot',
  'Claude-User',
  'Claude-SearchBot',
  'PerplexityBot',
  'Google-Extended',
  'Applebot-Extended',
  'CCBot',
  'Amazonbot',
  'meta-externalagent',
]

/** The record is public: search, AI answers and AI training are allowed. */
const RULES = [
  'Content-Signal: search=yes, ai-input=yes, ai-train=yes',
  'Allow: /',
  // This page is only for the person who received its link.
  `Disallow: ${PATHS.delegation}`,
]

const writeRobots = ({ service: { urls } }: About): string =>
  [
    '# All data is public and read only. Each IP address has a request quota. Agents: see the documents below.',
    'User-agent: *',
    ...RULES,
    '',
    ...AI_CRAWLERS.map((name) => `User-agent: ${name}`),
    ...RULES,
    '',
    `Sitemap: ${urls.sitemap}`,
    // As a comment: parsers reject a file with an unknown directive.
    `# Agentmap: ${urls.ard}`,
    '',
  ].join('\n')

export const robots: DiscoveryDocument = {
  path: API_PATHS.robots,
  type: TEXT_TYPE,
  maxAgeSeconds: 3_600,
  write: writeRobots,
}

export const SITEMAP_TYPE = 'application/xml; charset=utf-8'

/** Together about 1 MB, far below the limits of the format. Older proposals are linked from the list. */
const MAX_PROPOSALS = 6_000
const MAX_POOLS = 1_000

const DOCUMENTS = ['docs', 'authMd', 'llms', 'openapi', 'apiCatalog', 'aiCatalog'] as const
const PAGES = ['/', '/proposals', '/pools', '/voters', '/status', '/data/', '/privacy'] as const

export type SitemapData = {
  /** In any order. `changedMs` is the block time of its last change. */
  proposals: readonly { proposalId: string; changedMs: number }[]
  /** Operator addresses, largest pool first. */
  pools: readonly string[]
}

const byNewest = (one: { proposalId: string }, other: { proposalId: string }): number =>
  other.proposalId.length - one.proposalId.length || (one.proposalId < other.proposalId ? 1 : -1)

const entry = (url: string, changedMs?: number): string => {
  const changed =
    changedMs === undefined ? '' : element('lastmod', {}, xmlText(formatTime(changedMs)))
  return `  ${element('url', {}, `${element('loc', {}, xmlText(url))}${changed}`)}`
}

export const writeSitemap = (
  { issuer, urls }: Pick<ServiceDescription, 'issuer' | 'urls'>,
  { proposals, pools }: SitemapData,
): string => {
  const newest = proposals.toSorted(byNewest).slice(0, MAX_PROPOSALS)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...PAGES.map((path) => entry(`${issuer}${path}`)),
    ...DOCUMENTS.map((name) => entry(urls[name])),
    ...newest.map((each) => entry(`${issuer}/proposals/${each.proposalId}`, each.changedMs)),
    ...pools
      .slice(0, MAX_POOLS)
      .map((operator) => entry(`${issuer}/pools/${encodeURIComponent(operator)}`)),
    '</urlset>',
    '',
  ].join('\n')
}

/** An address of the demo chain, as an account or as an operator. */
const RECORDED = /\bwasm(valoper)?1[02-9ac-hj-np-z]{38,58}\b/g

/** The same bytes with other prefixes; a prefix that is not known changes nothing. */
export const respellExamples = (text: string, prefixes: AddressPrefixes | null): string =>
  text.replace(RECORDED, (recorded: string, operator: string | undefined) => {
    const prefix = operator === undefined ? prefixes?.account : prefixes?.operator
    const decoded = decodeAddress(recorded)
    return prefix && decoded ? encodeAddress(prefix, decoded.bytes) : recorded
  })
