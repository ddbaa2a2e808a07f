// The rows of one voting round that are to be written, and what the operator must know of them.

import type { ReadModelRows } from '../contract/read-model.ts'
import type { RowFault } from '../row-checks.ts'
import { ballotRows } from './ballots.ts'
import type { Moment } from './moment.ts'
import type { PoolBook } from './pool-book.ts'
import { createPricing, missedVoteRows, poolVoteRow } from './pool-votes.ts'
import { checkedPricing } from './possible-numbers.ts'
import {
  type ImpossibleNumbers,
  type RoundState,
  type TallyAlarm,
  tallyAlarm,
  tallyRow,
} from './tallies.ts'

export type VoteRows = Pick<
  ReadModelRows,
  'ballots' | 'pool_votes' | 'missed_votes' | 'tallies'
> & {
  alarms: TallyAlarm[]
  impossible: ImpossibleNumbers[]
  /** Rows that could not be made. */
  faults: RowFault[]
}

export const emptyVoteRows = (): VoteRows => ({
  ballots: [],
  pool_votes: [],
  missed_votes: [],
  tallies: [],
  alarms: [],
  impossible: [],
  faults: [],
})

/** Rows that cannot be made are reported: they keep no other row from being written. */
export const makingRows = (
  { faults }: Pick<VoteRows, 'faults'>,
  of: { table: string; proposalId: string; moment: Moment },
  make: () => void,
): void => {
  try {
    make()
  } catch (error) {
    const { table, proposalId, moment } = of
    const reason = `rows of ${table} could not be made`
    const detail = (error as Error).message
    faults.push({ table, proposalId, position: moment.position, reason, detail })
  }
}

/** Once while the same is wrong: every commit makes the row again. */
const noteImpossible = (rows: VoteRows, vote: RoundState, problem: string | undefined): void => {
  if (problem === vote.impossible) return
  vote.impossible = problem
  const { proposalId, round } = vote
  if (problem) rows.impossible.push({ proposalId, round, reason: problem })
}

const push = (rows: VoteRows, vote: RoundState, book: PoolBook): void => {
  const { fold } = vote
  const pricing = checkedPricing(createPricing(fold, book), { isExact: fold.exact !== undefined })
  // First: its walk over all pools decides which problem is named, whatever rows this commit makes.
  const row = tallyRow(vote, pricing)
  const problem = pricing.problem()
  const { entries, ballots } = fold.takeDirty()
  for (const entry of entries) rows.pool_votes.push(poolVoteRow(vote, entry, pricing))
  for (const ballotRow of ballotRows(vote, ballots, book)) rows.ballots.push(ballotRow)
  for (const missed of missedVoteRows(vote)) rows.missed_votes.push(missed)
  rows.tallies.push(row)
  noteImpossible(rows, vote, problem)
  if (vote.end?.by === 'tallied' && row.matches_chain !== 'yes') rows.alarms.push(tallyAlarm(row))
}

export const pushVoteRows = (rows: VoteRows, vote: RoundState, book: PoolBook): void => {
  const { proposalId, fold } = vote
  makingRows(rows, { table: 'tallies', proposalId, moment: fold.moment }, () =>
    push(rows, vote, book),
  )
}
