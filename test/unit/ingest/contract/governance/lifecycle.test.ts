// Tests when a proposal opens and closes, and when a round of its vote begins and ends.
import { describe, expect, it } from 'vitest'
import type { ProposalState } from '../../../../../ingest/contract/facts.ts'
import type { ProposalFact } from '../../../../../ingest/contract/governance/fact.ts'
import { decide } from '../../../../../ingest/contract/governance/lifecycle.ts'

const proposalId = '7'
const fact = (kind: string, more: object = {}) => ({ kind, proposalId, ...more }) as ProposalFact
const cast = (more: object = {}) => fact('vote_cast', { voter: 'a', counted: true, ...more })
const found = (finding: string, status?: string) =>
  fact('reconciled', { finding, read: status === undefined ? null : { status } })
const listed = (status: string, round: number) =>
  fact('listed', { round, read: { status } as ProposalState })

const opened = { kind: 'opened' }
const begun = (round: number, isWhole = true) => ({ kind: 'round_begun', round, isWhole })
const ended = (round: number, by: string) => ({ kind: 'round_ended', round, by })
const closed = (isDeleted = false) => ({ kind: 'closed', isDeleted })
const ballot = { kind: 'ballot_cast' }
const unknown = (counted: boolean) => ({ kind: 'ballot_unknown', counted })

const NEW = undefined
const DEPOSIT = { round: 0 }
const VOTE = { round: 1 }
const SECOND = { round: 2 }

describe('a proposal', () => {
  it.each([
    ['opens with any fact that names it first', NEW, fact('deposited'), [opened]],
    ['opens once', DEPOSIT, fact('submitted'), []],
    ['opens with the state before the log', NEW, listed('deposit_period', 0), [opened]],
    ['that had ended opens and closes', NEW, listed('passed', 1), [opened, closed()]],
    ['closes without a round', DEPOSIT, fact('closed'), [closed()]],
    ['is deleted without a round', DEPOSIT, fact('dropped'), [closed(true)]],
    ['is not opened by an undecodable event', NEW, fact('undecodable'), []],
    ['stays open while its state is in doubt', VOTE, found('overdue', 'voting_period'), []],
    ['stays open if only its times changed', VOTE, found('changed', 'voting_period'), []],
  ] as const)('%s', (_name, before, next, changes) => {
    expect(decide(before, next)).toEqual(changes)
  })
})

describe('a round', () => {
  it.each([
    ['begins with the vote', DEPOSIT, fact('voting_started'), [begun(1)]],
    ['begins once', VOTE, fact('voting_started'), []],
    ['begins with its first ballot', DEPOSIT, cast(), [begun(1, false), ballot]],
    [
      'begins in the state before the log',
      NEW,
      listed('voting_period', 2),
      [opened, begun(2, false)],
    ],
    ['begins by a reading', DEPOSIT, found('voting', 'voting_period'), [begun(1, false)]],
    [
      'that no event reports is found',
      NEW,
      found('found', 'voting_period'),
      [opened, begun(2, false)],
    ],
    ['that an event names begins', VOTE, cast({ round: 2 }), [begun(2, false), ballot]],
    ['ends with a tally', VOTE, fact('closed', { round: 1 }), [ended(1, 'tallied'), closed()]],
    [
      'of which a tally is the first fact begins before it ends',
      DEPOSIT,
      fact('closed', { isTallied: true }),
      [begun(1, false), ended(1, 'tallied'), closed()],
    ],
    ['ends without a tally', VOTE, fact('canceled'), [ended(1, 'canceled'), closed(true)]],
    ['ends by a reading', VOTE, found('closed', 'passed'), [ended(1, 'tallied'), closed()]],
    [
      'that a module ended without a tally has none',
      VOTE,
      found('closed', 'status_6'),
      [ended(1, 'canceled'), closed()],
    ],
    ['ends with its proposal', VOTE, found('deleted'), [ended(1, 'canceled'), closed(true)]],
    ['falls back to the next one', VOTE, fact('restarted'), [ended(1, 'fell_back'), begun(2)]],
    [
      'falls back by a reading',
      VOTE,
      found('restarted', 'voting_period'),
      [ended(1, 'fell_back'), begun(2, false)],
    ],
  ] as const)('%s', (_name, before, next, changes) => {
    expect(decide(before, next)).toEqual(changes)
  })

  it.each([
    ['closed', fact('closed', { round: 1 })],
    ['restarted', fact('restarted', { round: 1 })],
  ])('that is over is not %s again', (_name, next) => {
    const reason = 'round 1 ends during round 2'
    expect(decide(SECOND, next)).toEqual([{ kind: 'contradicted', reason }])
  })
})

describe('a ballot', () => {
  it.each([
    ['counts in the current round', VOTE, cast(), [ballot]],
    ['of a round that is over counts nothing', SECOND, cast({ round: 1 }), []],
    ['without a voter is unknown', VOTE, cast({ voter: null }), [unknown(true)]],
    [
      'without a voter after the tally is unknown, too',
      VOTE,
      cast({ voter: null, counted: false }),
      [unknown(false)],
    ],
    ['may be in an undecodable event', VOTE, fact('undecodable'), [unknown(true)]],
  ] as const)('%s', (_name, before, next, changes) => {
    expect(decide(before, next)).toEqual(changes)
  })
})
