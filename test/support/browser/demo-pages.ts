// The kinds of pages of the web UI, with their paths on the started demo chain.
import { getJson } from '../process/rollcall-process.ts'

type Items<Item> = { items: Item[] }
type Found = { pool: string; voter: string }

/** Pages for readers of governance. `/docs` and `/mcp` are for developers. */
const PAGES = {
  home: () => '/',
  proposals: () => '/proposals?status=passed',
  'all-proposals': () => '/proposals',
  proposal: () => '/proposals/2',
  'two-messages': () => '/proposals/14',
  failed: () => '/proposals/6',
  canceled: () => '/proposals/12',
  'open-vote': () => '/proposals/20',
  'long-texts': () => '/proposals/17',
  ballots: () => '/proposals/2/ballots',
  search: () => '/search?q=quorum',
  pools: () => '/pools',
  pool: ({ pool }: Found) => `/pools/${pool}`,
  'voter-look-up': () => '/voters',
  voter: ({ voter }: Found) => `/voters/${voter}`,
  status: () => '/status',
  'not-found': () => '/proposals/99999',
} as const

export type ReaderPage = keyof typeof PAGES
export const READER_PAGES = Object.keys(PAGES) as ReaderPage[]

export const findReaderPages = async (url: string): Promise<Record<ReaderPage, string>> => {
  const pools = await getJson<Items<{ operatorAddress: string }>>(url, '/api/pools')
  const ballots = await getJson<Items<{ voter: string }>>(url, '/api/proposals/2/ballots')
  const found = {
    pool: pools.items[0]?.operatorAddress ?? '',
    voter: ballots.items[0]?.voter ?? '',
  }
  const entries = READER_PAGES.map((name) => [name, PAGES[name](found)])
  return Object.fromEntries(entries) as Record<ReaderPage, string>
}
