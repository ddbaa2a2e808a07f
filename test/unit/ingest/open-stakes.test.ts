// Who delegates what, as the log tells it: known as long as a ballot is open, forgotten with the last one.
import { describe, expect, it } from 'vitest'
import type {
  EventOf,
  GovernanceEvent,
  GovernanceEventType,
} from '../../../ingest/contract/events.ts'
import { eventAt } from '../../../ingest/event-at.ts'
import { createOpenStakes } from '../../../ingest/open-stakes.ts'
import { blockOf } from '../../support/blocks.ts'
import { vote } from '../../support/tally-cases.ts'

const held = (pool: string, shares = '1') => [{ operatorAddress: pool, shares }]

const event = <Type extends GovernanceEventType>(
  type: Type,
  data: Partial<EventOf<Type>['data']>,
): GovernanceEvent =>
  eventAt(
    blockOf(2),
    { ordinal: 1, sub: 0 },
    { type, data: data as unknown as EventOf<Type>['data'] },
  )

const cast = (proposalId: string, voter: string, pool: string, counted = true) =>
  event('rollcall.vote.cast.v1', {
    ...{ proposalId, voter, counted, options: vote('yes') },
    ...{ delegations: held(pool), delegationsReason: null },
  })
const changed = (voter: string, delegations: ReturnType<typeof held> | null) =>
  event('rollcall.stake.changed.v1', { voter, delegations })
const closed = (proposalId: string) => event('rollcall.proposal.closed.v1', { proposalId })

const told = (...events: GovernanceEvent[]) => {
  const stakes = createOpenStakes()
  for (const each of events) {
    stakes.learn(each)
    stakes.settle(each)
  }
  return stakes
}

describe('the stakes behind open ballots', () => {
  it('are those of the vote, then of the last change', () => {
    const stakes = told(cast('1', 'alice', 'a'), changed('alice', held('b')))
    expect(stakes.delegationsOf('alice')).toEqual(held('b'))
  })

  it('are not known where a read failed', () => {
    const stakes = told(cast('1', 'alice', 'a'), changed('alice', null))
    expect(stakes.delegationsOf('alice')).toBeUndefined()
  })

  it('are kept until the last open ballot is void', () => {
    const votes = [cast('1', 'alice', 'a'), cast('2', 'alice', 'a'), cast('1', 'bob', 'a')]
    const stakes = told(...votes, closed('1'))
    expect(stakes.delegationsOf('alice')).toEqual(held('a'))
    expect(stakes.delegationsOf('bob')).toBeUndefined()
    expect(told(...votes, closed('1'), closed('2')).delegationsOf('alice')).toBeUndefined()
  })

  it('are not kept for a change that is told behind the close, nor for a vote that never counted', () => {
    const stakes = told(
      ...[cast('1', 'alice', 'a'), closed('1'), changed('alice', held('b'))],
      cast('2', 'gov', 'a', false),
    )
    expect(stakes.delegationsOf('alice')).toBeUndefined()
    expect(stakes.delegationsOf('gov')).toBeUndefined()
  })

  it('are still there for the close that has not been settled yet', () => {
    const stakes = told(cast('1', 'alice', 'a'))
    stakes.learn(closed('1'))
    expect(stakes.delegationsOf('alice')).toEqual(held('a'))
  })

  it('name the voters of given pools, and leave out a voter whose delegations are unknown', () => {
    const stakes = told(cast('1', 'carl', 'a'), cast('1', 'alice', 'a'), cast('1', 'bob', 'b'))
    expect(stakes.votersOf(new Set(['a']))).toEqual(['alice', 'carl'])
    stakes.learn(changed('carl', null))
    expect(stakes.votersOf(new Set(['a', 'b']))).toEqual(['alice', 'bob'])
  })
})
