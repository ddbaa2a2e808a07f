// What all documents of one request share, the paths of pages, and the URLs of lists in other formats. Paths start with a slash
// and have no prefix.
import type { DisplayUnit } from '../words/display-unit.ts'
import type { Unusual } from '../words/notice.ts'

export type PageContext = Unusual & {
  /** The prefix of links; empty if no public URL is configured. */
  baseUrl: string
  /** The URL of the service, for commands; the listening address if no public URL is configured. */
  serviceUrl?: string
  /** The parameters of the path. */
  params: Readonly<Record<string, string>>
  /** The unit of displayed amounts. Without it, amounts are in the chain's base unit. */
  unit?: DisplayUnit | undefined
  /** The URL of a transaction in an explorer, with `{txHash}`, and perhaps `{height}`. */
  explorerTxUrl?: string | undefined
}

/** Replaces unpaired surrogates, which a URL cannot contain. */
export const encodePathSegment = (text: string): string =>
  encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'))

/** Empty values are left out. */
export const withQuery = (path: string, parameters: Readonly<Record<string, string>>): string => {
  const given = Object.entries(parameters).filter(([, value]) => value !== '')
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`
}

/** The value of a parameter of a URL; empty if it has none. */
export const readQuery = (url: string, name: string): string =>
  new URLSearchParams(url.split('?', 2)[1] ?? '').get(name) ?? ''

/** The path with the query of a URL: the page of people for a page of the API. */
export const withQueryFrom = (path: string, url: string): string => {
  const at = url.indexOf('?')
  return at < 0 ? path : `${path}${url.slice(at)}`
}

/** The URL of the same page of a list in one format. */
export const addFormat = (url: string, format: 'json' | 'ndjson' | 'csv'): string =>
  `${url}${url.includes('?') ? '&' : '?'}format=${format}`

export const proposalPath = (proposalId: string): string =>
  `/proposals/${encodePathSegment(proposalId)}`

/** As query parameters; an empty text is no filter. */
export type BallotFilters = {
  voter?: string
  option?: string
  delegatedTo?: string
  sort?: string
  round?: string
}

/** The page with the ballots of a vote. */
export const ballotsPath = (proposalId: string, filters: BallotFilters = {}): string =>
  withQuery(`${proposalPath(proposalId)}/ballots`, filters)

export const poolPath = (operatorAddress: string): string =>
  `/pools/${encodePathSegment(operatorAddress)}`

export const voterPath = (address: string): string => `/voters/${encodePathSegment(address)}`

/** The votes of a pool as a feed. */
export const poolFeedPath = (operatorAddress: string): string =>
  `/feed.atom?pool=${encodePathSegment(operatorAddress)}`

/** The votes of a voter as a feed. */
export const voterFeedPath = (address: string): string =>
  `/feed.atom?voter=${encodePathSegment(address)}`
