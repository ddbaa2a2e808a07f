// `GET /api/metrics/governance`: who voted on the open proposals, in the text format of Prometheus. `feed.ts` serves it.
import { readVotesOfPools } from '../read/queries/votes-of-pools.ts'
import { heightVersion, type Query } from '../read/query.ts'
import type { AsOf } from '../schemas/common.ts'
import { cut } from '../shortened.ts'
import { type Operation, type RequestParser, withReadProblems } from './operation.ts'
import { parseQuery } from './parameters.ts'
import { readRequestedPools } from './votes-of-pools.ts'

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
