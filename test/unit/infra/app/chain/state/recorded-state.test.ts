// Tests of recorded state: the state at a height never changes later.
import { describe, expect, it } from 'vitest'
import { openStateHistory } from '../../../../../../infra/app/chain/state/recorded-state.ts'
import {
  decodeChanges,
  encodeChanges,
  type StateChange,
} from '../../../../../../infra/app/chain/state/state-changes.ts'
import {
  delegationKey,
  idAddressKey,
  idKey,
} from '../../../../../../infra/app/chain/state/state-view.ts'

const bytes = (text: string) => Buffer.from(text)
const alice = Uint8Array.of(1, 1)
const bob = Uint8Array.of(2)
const poolA = Uint8Array.of(9)
const poolB = Uint8Array.of(8)

const changes: StateChange[] = [
  { height: 1, family: 'delegation', key: delegationKey(alice, poolA), value: bytes('alice-a') },
  { height: 1, family: 'delegation', key: delegationKey(bob, poolB), value: bytes('bob-b') },
  { height: 3, family: 'vote', key: idAddressKey(7n, bob), value: bytes('yes') },
  { height: 4, family: 'delegation', key: delegationKey(bob, poolA), value: bytes('bob-a') },
  { height: 5, family: 'vote', key: idAddressKey(7n, bob), value: bytes('no') },
  { height: 5, family: 'vote', key: idAddressKey(8n, bob), value: bytes('other') },
  { height: 9, family: 'vote', key: idAddressKey(7n, bob), value: null },
]

const setup = () => openStateHistory(encodeChanges(changes))

describe('recorded state', () => {
  it('is read as it was written', () => {
    expect([...decodeChanges(encodeChanges(changes))]).toEqual(
      changes.map(({ key, ...rest }) => ({ ...rest, key: Buffer.from(key) })),
    )
  })

  it('has an entry from its first height until its removal', () => {
    const history = setup()
    const voteAt = (height: number) =>
      history.at(height).get('vote', idAddressKey(7n, bob))?.toString()
    expect([2, 3, 4, 5, 8, 9, 20].map(voteAt)).toEqual([
      undefined,
      'yes',
      'yes',
      'no',
      'no',
      undefined,
      undefined,
    ])
  })

  it('lists entries by prefix, and only those that exist at the height', () => {
    const history = setup()
    const votes = (height: number, id: bigint) => history.at(height).list('vote', idKey(id)).length
    expect(votes(5, 7n)).toBe(1)
    expect(votes(5, 8n)).toBe(1)
    expect(votes(9, 7n)).toBe(0)
    expect(votes(9, 8n)).toBe(1)
  })

  it('lists the delegators of a pool in the order of their addresses', () => {
    const delegators = (height: number) =>
      setup()
        .at(height)
        .delegationsTo(poolA)
        .map(({ key, value }) => [[...key], value.toString()])
    expect(delegators(1)).toEqual([[[1, 1], 'alice-a']])
    expect(delegators(4)).toEqual([
      [[1, 1], 'alice-a'],
      [[2], 'bob-a'],
    ])
  })

  it('is refused if it is truncated', () => {
    const whole = encodeChanges(changes)
    expect(() => openStateHistory(whole.subarray(0, whole.length - 30))).toThrow(RangeError)
  })
})
