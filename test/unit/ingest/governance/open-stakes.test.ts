// Tests the known delegations of voters with an open ballot: from the first ballot to the last one.
import { describe, expect, it } from 'vitest'
import type {
  EventOf,
  GovernanceEvent,
  GovernanceEventType,
} from '../../../../ingest/contract/events.ts'
import { eventAt } from '../../../../ingest/derive/event-at.ts'
import { createGovernance, evolve } from '../../../../ingest/governance/governance.ts'
import { delegationsAtTally } from '../../../../ingest/governance/open-stakes.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import { vote } from '../../../support/fold/tally-cases.ts'

const createDelegations = (pool: string, shares = '1') => [{ operatorAddress: pool, shares }]

const event = <Type extends GovernanceEventType>(
  type: Type,
  data: Partial<EventOf<Type>['data']>,
): GovernanceEvent =>
  eventAt(
    createBlock(2),
    { ordinal: 1, sub: 0 },
    { type, data: data as unknown as EventOf<Type>['data'] },
  )

const cast = (proposalId: string, voter: string, pool: string, counted = true) =>
  event('rollcall.vote.cast.v1', {
    proposalId,
    voter,
    counted,
    options: vote('yes'),
    delegations: createDelegations(pool),
    delegationsReason: null,
  })
const changed = (voter: string, delegations: ReturnType<typeof createDelegations> | null) =>
  event('rollcall.stake.changed.v1', { voter, delegations, delegationsReason: null })
const closed = (proposalId: string) => event('rollcall.proposal.closed.v1', { proposalId })

const folded = (...events: GovernanceEvent[]) => {
  const { logged } = createGovernance()
  for (const each of events) evolve(logged, each)
  return logged
}
const applied = (...events: GovernanceEvent[]) => folded(...events).stakes

describe('the delegations of open ballots', () => {
  it('are from the vote, then from the last change', () => {
    const stakes = applied(cast('1', 'alice', 'a'), changed('alice', createDelegations('b')))
    expect(stakes.delegationsOf('alice')).toEqual(createDelegations('b'))
  })

  it('are not known after a failed read', () => {
    const stakes = applied(cast('1', 'alice', 'a'), changed('alice', null))
    expect(stakes.delegationsOf('alice')).toBeUndefined()
  })

  it('are kept until the last open ballot is closed', () => {
    const votes = [cast('1', 'alice', 'a'), cast('2', 'alice', 'a'), cast('1', 'bob', 'a')]
    const stakes = applied(...votes, closed('1'))
    expect(stakes.delegationsOf('alice')).toEqual(createDelegations('a'))
    expect(stakes.delegationsOf('bob')).toBeUndefined()
    expect(applied(...votes, closed('1'), closed('2')).delegationsOf('alice')).toBeUndefined()
  })

  it('are not kept for a change that is reported after the close, nor for a vote that never counted', () => {
    const stakes = applied(
      cast('1', 'alice', 'a'),
      closed('1'),
      changed('alice', createDelegations('b')),
      cast('2', 'gov', 'a', false),
    )
    expect(stakes.delegationsOf('alice')).toBeUndefined()
    expect(stakes.delegationsOf('gov')).toBeUndefined()
  })

  it('are still available to the tally of a close that is not applied yet', () => {
    const stakes = applied(cast('1', 'alice', 'a'))
    const events = [closed('1')]
    expect(delegationsAtTally(stakes, events)('alice')).toEqual(createDelegations('a'))
  })

  it('include, for a tally, the votes and stake changes of its own height', () => {
    const stakes = applied(cast('1', 'alice', 'a'), cast('1', 'bob', 'a'), cast('1', 'carl', 'a'))
    const events = [
      cast('1', 'dora', 'd'),
      cast('1', 'gov', 'e', false),
      closed('1'),
      changed('alice', createDelegations('b')),
      changed('bob', null),
    ]
    const delegationsOf = delegationsAtTally(stakes, events)
    const voters = ['alice', 'bob', 'carl', 'dora', 'gov']
    expect(voters.map(delegationsOf)).toEqual([
      createDelegations('b'),
      undefined,
      createDelegations('a'),
      createDelegations('d'),
      undefined,
    ])
    expect(stakes.delegationsOf('alice')).toEqual(createDelegations('a'))
  })

  it('are known again after a failed read, while the ballot is open', () => {
    const failed = [cast('1', 'alice', 'a'), changed('alice', null)]
    expect(
      applied(...failed, changed('alice', createDelegations('b'))).delegationsOf('alice'),
    ).toEqual(createDelegations('b'))
  })

  it('list the voters of given pools, except voters with unknown delegations', () => {
    const logged = folded(cast('1', 'carl', 'a'), cast('1', 'alice', 'a'), cast('1', 'bob', 'b'))
    const { stakes } = logged
    expect(stakes.votersOf(new Set(['a']))).toEqual(['alice', 'carl'])
    evolve(logged, changed('carl', null))
    expect(stakes.votersOf(new Set(['a', 'b']))).toEqual(['alice', 'bob'])
  })

  it('keep all that a rule of the tally added to them', () => {
    const [plain] = createDelegations('a')
    const delegations = [
      { ...plain!, heir: 'gov' },
      { ...plain!, source: 'governor' },
      { ...plain!, source: 'superfluid', power: '3.000000000000000000' },
    ]
    const stakes = applied(
      cast('1', 'bob', 'a'),
      cast('1', 'alice', 'a'),
      changed('alice', delegations),
    )
    expect(stakes.delegationsOf('alice')).toEqual(delegations)
    expect(stakes.voters.withStake(({ source }) => source === 'governor')).toEqual(['alice'])
    expect(stakes.voters.all()).toEqual(['alice', 'bob'])
  })
})
