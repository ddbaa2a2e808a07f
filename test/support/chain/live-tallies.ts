// Folds a log height by height and compares every open vote, at the height of each reading, with the node's own tally query.
import { type Answer, isKnown } from '../../../ingest/chain/answer.ts'
import { createStateAt, type StateAt } from '../../../ingest/chain/state-at.ts'
import type { ChainNode } from '../../../ingest/comet/endpoints/node.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import type { PoolState, TallyCounts } from '../../../ingest/contract/facts.ts'
import type { PoolVoteRow, TallyRow } from '../../../projections/contract/tables/votes.ts'
import { createGovernanceFold } from '../../../projections/fold/governance-fold.ts'
import { toFoldRecords } from '../fold/fold-heights.ts'

export type ChainPool = Pick<PoolState, 'operatorAddress' | 'tokens' | 'status' | 'jailed'>

export type ChainAt = {
  tally(proposalId: string, height: number): Promise<TallyCounts>
  bondedTokens(height: number): Promise<string>
  pools(height: number): Promise<readonly ChainPool[]>
}

export type LiveTallies = {
  /** Open votes compared, each at every height of a reading with its pools and all stake. */
  compared: number
  /** Of these, the tallies that are the node's own, because no known rule gives them. */
  reported: number
  /** Rows of pools compared. */
  poolRows: number
  /** Live values that the log does not contain. */
  unknown: number
  /** One line per difference: height, proposal, values. */
  differences: string[]
}

const known = <Value>(answer: Answer<Value>): Value => {
  if (!isKnown(answer)) throw new Error(answer.unavailable)
  return answer.value
}

/** Queries of the chain; the node must have the state of every height. */
export const createChainAt = (node: Pick<ChainNode, 'abciQuery'>) => {
  let state: StateAt | undefined
  const at = (height: number): StateAt => {
    if (state?.height !== height) state = createStateAt(node, height)
    return state
  }
  return {
    tally: async (id: string, height: number) => known(await at(height).tally(id)),
    bondedTokens: async (height: number) => known(await at(height).bondedTokens()),
    pools: async (height: number) => known(await at(height).pools()),
  }
}

export const groupByHeight = (events: readonly GovernanceEvent[]): GovernanceEvent[][] => {
  const groups: GovernanceEvent[][] = []
  for (const event of events) {
    const last = groups.at(-1)
    if (last?.[0]?.height === event.height) last.push(event)
    else groups.push([event])
  }
  return groups
}

type Counts = { [Option in keyof TallyCounts]: unknown }

const formatCounts = ({ yes, abstain, no, noWithVeto }: Counts): string =>
  [yes, abstain, no, noWithVeto].join(' ')

/** The rows that a reader of the tables finds after each height. */
const createRows = () => {
  const tallies = new Map<string, TallyRow>()
  const poolVotes = new Map<string, PoolVoteRow>()
  return {
    take: (rows: { tallies: readonly TallyRow[]; poolVotes: readonly PoolVoteRow[] }) => {
      for (const row of rows.tallies) tallies.set(row.proposalId, row)
      for (const row of rows.poolVotes) {
        poolVotes.set(`${row.proposalId}/${row.round}/${row.rank}`, row)
      }
    },
    open: () => [...tallies.values()].filter(({ final }) => !final),
    findPools: ({ proposalId, round }: TallyRow) =>
      [...poolVotes.values()].filter((row) => row.proposalId === proposalId && row.round === round),
  }
}

/** The open votes whose pools were read at the height, and whether all stake that moved was. */
const listRead = (height: readonly GovernanceEvent[]): ReadonlyMap<string, boolean> =>
  new Map(
    height.flatMap((event) =>
      event.type === 'rollcall.round.read.v1' &&
      !event.data.final &&
      event.data.params !== undefined
        ? [[event.data.proposalId, event.data.queued === undefined] as const]
        : [],
    ),
  )

/** `events` are a whole log in order. */
export const compareLiveTallies = async (
  events: readonly GovernanceEvent[],
  chain: ChainAt,
): Promise<LiveTallies> => {
  const fold = createGovernanceFold()
  const rows = createRows()
  const result: LiveTallies = { compared: 0, reported: 0, poolRows: 0, unknown: 0, differences: [] }
  const differ = (height: number, what: string, values: { ours: unknown; chain: unknown }) =>
    result.differences.push(`height ${height}, ${what}: ${values.ours} instead of ${values.chain}`)

  const compareVote = async (row: TallyRow, height: number): Promise<void> => {
    const what = `proposal ${row.proposalId}`
    if (row.yes === null) {
      result.unknown += 1
      return
    }
    const [tally, bonded] = await Promise.all([
      chain.tally(row.proposalId, height),
      chain.bondedTokens(height),
    ])
    result.compared += 1
    if (row.reported) result.reported += 1
    const counts = { ours: formatCounts(row), chain: formatCounts(tally) }
    if (counts.ours !== counts.chain) differ(height, what, counts)
    if (`${row.bondedTokens}` !== bonded) {
      differ(height, `${what}, bonded`, { ours: row.bondedTokens, chain: bonded })
    }
  }
  const comparePools = async (row: TallyRow, height: number): Promise<void> => {
    const states = await chain.pools(height)
    const byOperator = new Map(states.map((state) => [state.operatorAddress, state]))
    for (const pool of rows.findPools(row)) {
      const state = byOperator.get(pool.operatorAddress)
      result.poolRows += 1
      const ours = `${pool.bondedTokens} ${pool.status} ${pool.jailed}`
      const real = state ? `${state.tokens} ${state.status} ${state.jailed}` : '0 unbonded'
      if (!ours.startsWith(real)) differ(height, pool.operatorAddress, { ours, chain: real })
    }
  }
  let offset = 0n
  for (const group of groupByHeight(events)) {
    const height = group[0]?.height ?? 0
    fold.apply(toFoldRecords(group, offset))
    offset += BigInt(group.length)
    rows.take(fold.drain())
    const read = listRead(group)
    for (const row of rows.open()) {
      const hasAllStake = read.get(row.proposalId)
      if (hasAllStake === undefined || !(hasAllStake || row.reported)) continue
      await compareVote(row, height)
      if (row.yes !== null) await comparePools(row, height)
    }
  }
  return result
}
