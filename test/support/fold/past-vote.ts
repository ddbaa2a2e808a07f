// A vote that is indexed live, and the same one as a log has it that begins after it.

import {
  closed,
  createHeightEvents,
  type EventBuilder,
  finalReading,
  snapshot,
  voteWith,
  votingState,
} from '../log/governance-events.ts'
import { all, pool, to } from '../log/governance-values.ts'
import { type PastRound, reconstructed } from '../log/history-events.ts'
import type { TableName } from '../store/memory-store.ts'
import { type given, openVote } from './given.ts'

export const FIRST = 100
export const LATER = 107

/** Power differs from shares: 900 tokens for 1000 shares. */
export const POOLS = [
  pool('a', { tokens: '900', delegatorShares: '1000.000000000000000000' }),
  pool('b'),
]
export const ofPool = { voter: 'a-account', options: all('yes'), delegations: [to('a', '1')] }
export const ofCarol = {
  voter: 'carol',
  options: all('no'),
  delegations: [to('a', '300'), to('b', '7')],
}
export const finalTally = { yes: '630', abstain: '0', no: '277', noWithVeto: '0' }
export const tallied: PastRound = {
  finalTally,
  evidence: { pools: POOLS, ballots: [ofPool, ofCarol] },
}

export const ended = {
  proposal: votingState('7', { status: 'passed', finalTally }),
  messages: [],
  round: 1,
}
export const begin = (proposals = [ended]) =>
  createHeightEvents(FIRST, [snapshot({ proposals, pools: [pool('z')] })])
export const at = (height: number, ...events: EventBuilder[]) => createHeightEvents(height, events)
export const history = (rounds: readonly PastRound[] = [tallied]) => reconstructed('7', rounds)

/** The rows of a proposal in a table, without the columns that say how and when they became known. */
export const withoutTimes = (tables: ReturnType<typeof given>, table: TableName) =>
  tables.rows(table).map((row) => ({
    ...row,
    version: null,
    height: null,
    time: null,
    tx_hash: null,
    vote_height: null,
    vote_time: null,
    vote_tx_hash: null,
    known_time: null,
    first_time: null,
    last_day_time: null,
  }))

export const live = () => [
  ...openVote({ pools: POOLS }),
  at(3, ...voteWith('7', 'a-account', ofPool.delegations)),
  at(4, ...voteWith('7', 'carol', ofCarol.delegations, { options: all('no') })),
  at(9, closed('7', { finalTally }), finalReading('7', tallied.evidence)),
]
