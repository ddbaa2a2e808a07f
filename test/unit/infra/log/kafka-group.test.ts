// Tests of the choice of a leader among the members of a group.
import { expect, it } from 'vitest'
import { chooseOwner, encodeClaim, readClaim } from '../../../../infra/log/kafka-group.ts'

const member = (memberId: string, leads = false) => ({ memberId, leads })

it('is the current leader, at any position among the members', () => {
  expect(chooseOwner([member('b'), member('c', true), member('a')])).toBe('c')
  expect(chooseOwner([member('a'), member('b', true)])).toBe('b')
})

it('is the same for all members if there is no leader', () => {
  expect(chooseOwner([member('b'), member('a'), member('c')])).toBe('a')
  expect(chooseOwner([member('c'), member('b'), member('a')])).toBe('a')
})

it('the leader is a member that owns the partition under its own ID, and not a removed one', () => {
  const claim = (memberId: string, ownedAs: string) =>
    readClaim({ memberId, memberMetadata: encodeClaim('a-topic', ownedAs) })
  const removed = claim('a-joined-again', 'a')
  const newcomer = claim('b', '')
  const leader = claim('c', 'c')
  expect(chooseOwner([removed, newcomer, leader])).toBe('c')
})
