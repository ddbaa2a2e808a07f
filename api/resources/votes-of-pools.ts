// `GET /api/votes`: how many pools voted, one row per proposal, newest first; and the same of open votes as gauges of Prometheus,
// `GET /api/metrics/governance`.
import { addressKey } from '../../ingest/contract/address.ts'
import { ApiProblem } from '../read/problems.ts'
import type { NamedPool } from '../read/queries/pools.ts'
import { readVotesOfPools } from '../read/queries/votes-of-pools.ts'
import { heightVersion, type Query, type Reads } from '../read/query.ts'
import type { AsOf } from '../schemas/common.ts'
import { type Pool, VotesOfPoolsPage } from '../schemas/pool.ts'
import { cut } from '../words/shortened.ts'
import { toCanonical } from './address.ts'
import { defineList, notIssued } from './list.ts'
import { type Operation, type RequestParser, withReadProblems } from './operation.ts'
import { invalidParameters, parseQuery } from './parameters.ts'
import { findNamedPools, listPools, quoteMoniker } from './pool-search.ts'
import { allPools } from './pools.ts'
import { quote } from './reading.ts'

/** A report card of 500 proposals is two pages. */
const PROPOSALS_PER_PAGE = 250

/** By address or moniker. Throws `ApiProblem`. */
export function findPool<Named extends NamedPool>(
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

const PATH = '/api/metrics/governance'
const MAX_PROPOSALS = 200
const MAX_LABEL = 200

export const governanceMetrics: Operation<typeof PATH, 'pools'> = {
  operationId: 'getGovernanceMetrics',
  path: PATH,
  tag: 'Pools and voters',
  summary: 'Get gauges of open votes for Prometheus',
  guide: 'who voted on the open proposals, as gauges for alerts',
  description:
    'The text format of Prometheus. `rollcall_pool_voted` is 1 or 0. It is absent if the pool does not count, or if it is not known whether it voted. While Rollcall is behind the chain, no 0 is known, and `rollcall_governance_current` is 0. `rollcall_proposal_voting_end_time_seconds`, `rollcall_proposal_expedited` and `rollcall_proposal_deposit` have one series per open vote.',
  queryParameters: ['pools'],
  answer: null,
  problems: withReadProblems(PATH, ['pool-not-found']),
  kind: 'text',
}

type Sample = readonly [labels: Readonly<Record<string, string>>, value: string | number]
type Family = { name: string; help: string; samples: readonly Sample[] }
export type GovernanceMetrics = { families: readonly Family[]; asOf: AsOf }

const escapeLabel = (text: string): string =>
  cut(text, MAX_LABEL)
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll(/[\n\r\u2028\u2029]/g, ' ')

export const writeMetrics = ({ families, asOf }: GovernanceMetrics): string =>
  families
    .flatMap(({ name, help, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...samples.map(([labels, value]) => {
        const all = Object.entries({ chain_id: asOf.chainId, ...labels })
        const written = all.map(([label, text]) => `${label}="${escapeLabel(text)}"`)
        return `${name}{${written.join(',')}} ${value}`
      }),
    ])
    .map((line) => `${line}\n`)
    .join('')

const toSeconds = (time: string): number => Date.parse(time) / 1_000

const createQuery = (
  names: readonly string[] | undefined,
  isCurrent: boolean,
): Query<readonly Family[], GovernanceMetrics> => ({
  name: `governance metrics of ${JSON.stringify(names ?? null)}, ${isCurrent}`,
  proposalId: null,
  version: heightVersion,
  isFinal: () => false,
  read: async (reads) => {
    const pools = await readRequestedPools(reads, names)
    const range = { limit: MAX_PROPOSALS, isOpenOnly: true }
    const { items, rows } = await readVotesOfPools(reads, pools, range)
    const of = ({ proposalId }: { proposalId: string }) => ({ proposal_id: proposalId })
    const voted = items.flatMap((item) =>
      item.votes.flatMap((state, at): Sample[] => {
        const operator = pools[at]?.operatorAddress ?? ''
        if (state === 'not_counted' || state === 'unknown') return []
        // A vote stays a vote; none may have come since.
        if (state === 'not_yet' && !isCurrent) return []
        return [[{ ...of(item), operator_address: operator }, state === 'not_yet' ? 0 : 1]]
      }),
    )
    return {
      value: [
        {
          name: 'rollcall_governance_current',
          help: '1 while Rollcall is at the tip of the chain, else 0',
          samples: [[{}, isCurrent ? 1 : 0]],
        },
        {
          name: 'rollcall_proposal_voting_end_time_seconds',
          help: 'The scheduled end of an open vote',
          samples: items.flatMap((item): Sample[] =>
            item.votingEndTime === null
              ? []
              : [[{ ...of(item), title: item.title }, toSeconds(item.votingEndTime)]],
          ),
        },
        {
          name: 'rollcall_proposal_expedited',
          help: '1 if the open vote is expedited',
          samples: rows.map((row): Sample => [of(row), row.expedited ? 1 : 0]),
        },
        {
          name: 'rollcall_proposal_deposit',
          help: 'The deposit of an open vote, in base units',
          samples: rows.flatMap((row) =>
            row.totalDeposit.map(({ denom, amount }): Sample => [{ ...of(row), denom }, amount]),
          ),
        },
        {
          name: 'rollcall_pool_info',
          help: '1, with the name of a pool',
          samples: pools.map(
            ({ operatorAddress, moniker }): Sample => [
              { operator_address: operatorAddress, moniker },
              1,
            ],
          ),
        },
        {
          name: 'rollcall_pool_voted',
          help: '1 if the operator of the pool voted, 0 if not; absent if it is not known or not counted',
          samples: voted,
        },
      ],
    }
  },
  complete: (families, { asOf }) => ({ families, asOf }),
})

/** `isCurrent`: whether the served height is the tip of the chain. */
export const createMetricsParser =
  (isCurrent: () => boolean): RequestParser<GovernanceMetrics>['parseRequest'] =>
  ({ query }) => ({
    query: createQuery(parseQuery(query, ['pools']).pools, isCurrent()),
    params: {},
  })
