// `/sitemap.xml` (sitemaps.org): the pages of the service, its validators and its newest proposals. Pure.
import type { ServiceDescription } from '../../auth/contract/service.ts'
import { element, xmlText } from '../../infra/base/runtime/xml.ts'
import { formatTime } from '../read/queries/values.ts'

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
