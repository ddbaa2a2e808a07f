// `GET /api/votes`: how many pools voted, one row per proposal, newest first.
import { addressKey } from '../../ingest/contract/address.ts'
import { findNamedPools, listPools, quoteMoniker } from '../pool-search.ts'
import { ApiProblem } from '../problem.ts'
import type { PoolName } from '../read/queries/pools.ts'
import { readVotesOfPools } from '../read/queries/votes-of-pools.ts'
import { heightVersion, type Reads } from '../read/query.ts'
import type { Pool } from '../schemas/pool.ts'
import { VotesOfPoolsPage } from '../schemas/pool.ts'
import { toCanonical } from './address.ts'
import { defineList, notIssued } from './list.ts'
import { invalidParameters } from './parameters.ts'
import { allPools } from './pools.ts'
import { quote } from './reading.ts'

/** A report card of 500 proposals is two pages. */
const PROPOSALS_PER_PAGE = 250

/** By address or moniker. Throws `ApiProblem`. */
export function findPool<Named extends PoolName>(
  pools: readonly Named[],
  text: string,
  parameter = 'pools',
): Named {
  const key = toCanonical(text) && addressKey(text)
  const found =
    key === undefined
      ? findNamedPools(pools, text)
      : pools.filter((pool) =>
          [pool.operatorAddress, pool.accountAddress].some((each) => addressKey(each) === key),
        )
  const [pool, ...others] = found
  if (!pool) {
    throw new ApiProblem(
      'pool-not-found',
      `This chain has no pool with the name or the address ${quoteMoniker(text)}.`,
    )
  }
  if (others.length === 0) return pool
  const detail = `has a name of ${found.length} pools, send the address of one: ${listPools(found).join(', ')}`
  throw invalidParameters([{ parameter, detail }])
}

/** Each pool once, in the order of the request; all that count by their power. Throws `ApiProblem`. */
export const readRequestedPools = async (
  reads: Reads,
  names: readonly string[] | undefined,
): Promise<readonly Pool[]> => {
  const pools = (await reads.use(allPools)).value
  if (names === undefined) return pools.filter(({ counted }) => counted)
  return [...new Set(names.map((name) => findPool(pools, name)))]
}

export const votesOfPools = defineList({
  operationId: 'listVotesOfPools',
  path: '/api/votes',
  tag: 'Pools and voters',
  summary: 'List the votes of many pools',
  guide: 'how many pools voted, newest proposal first',
  description:
    '250 proposals per page, newest first, with the current round of each. It has one state per pool, in the order of `pools` of the page. A vote is its option, or `split`. Without a vote it is `missed` (a closed vote counted the pool), `not_yet` (an open vote counts it now), `not_counted` or `unknown`. `unknownReason` says why: a silent node never makes a vote missing. `details` has the options and the reason of each vote that is split or has a reason.',
  queryParameters: ['cursor', 'pools'],
  answer: VotesOfPoolsPage,
  problems: ['pool-not-found'],
  paging: 'cursor',
  pageSize: PROPOSALS_PER_PAGE,
  pagesPerReading: 1,
  // The last ID of the previous page.
  positionPattern: /^(?:0|[1-9][0-9]{0,19})$/,
  columns: null,
  getWholePath: ({ proposalId }) => `/api/proposals/${proposalId}/votes`,
  scope: ({ pools }) => ['votes-of-pools', JSON.stringify(pools ?? null)],
  version: () => heightVersion,
  read: async (reads, { pools: names }, { start, limit }) => {
    const below = 'position' in start ? start.position : undefined
    if (below !== undefined && !reads.snapshot.watermarks.has(below)) throw notIssued()
    const pools = await readRequestedPools(reads, names)
    const { items, total } = await readVotesOfPools(reads, pools, { below, limit })
    return {
      items,
      total,
      positionAfter: (index) => items[index]?.proposalId ?? '',
      extra: {
        pools: pools.map(({ operatorAddress, moniker }) => ({ operatorAddress, moniker })),
      },
    }
  },
  tool: {
    name: 'list_votes_of_pools',
    title: 'List the votes of many pools',
    description:
      'Lists how up to 50 pools voted, newest proposal first: votes are in the order of pools of the result. not_yet: an open vote lacks the vote of this pool.',
    lines: ({ pools }) => [
      `Pools: ${pools.map(({ moniker }) => quoteMoniker(moniker)).join(', ')}.`,
    ],
    row: ({ proposalId, title, status, votes }) =>
      `${proposalId} ${quote(title)} (${status}): ${votes.join(', ')}`,
  },
})
