// Tests of a simulated state as queries read it: in the order of a store, with the tallies of open votes.
import { TallyResult, Vote } from 'cosmjs-types/cosmos/gov/v1/gov'
import { Delegation, Validator } from 'cosmjs-types/cosmos/staking/v1beta1/staking'
import { expect, it } from 'vitest'
import { account, operator, toAddressBytes } from '../../../../../../infra/app/chain/addresses.ts'
import {
  createState,
  proposalAt,
  voteBy,
} from '../../../../../../infra/app/chain/state/chain-state.ts'
import { createView } from '../../../../../../infra/app/chain/state/simulated-view.ts'
import {
  delegationKey,
  idKey,
  lengthPrefixed,
} from '../../../../../../infra/app/chain/state/state-view.ts'

const setup = () => {
  const state = createState()
  state.proposals.set('10', proposalAt('10', 1, 2))
  state.proposals.set('9', proposalAt('9', 1, 4))
  state.votes.set(
    '10',
    ['alice', 'one', 'bob'].map((voter) => voteBy('10', voter)),
  )
  state.delegations.set('bob', new Map([['two', 7n]]))
  return createView(state)
}
const ofPool = (name: string) => lengthPrefixed(toAddressBytes(operator(name)))
const byBytes = (names: string[]) =>
  names.toSorted((left, right) =>
    Buffer.compare(toAddressBytes(account(left)), toAddressBytes(account(right))),
  )

it('lists proposals by ID and votes by the bytes of the address', () => {
  const view = setup()
  expect(view.list('proposal').map(({ key }) => Buffer.from(key).readBigUInt64BE())).toEqual([
    9n,
    10n,
  ])
  const voters = view.list('vote', idKey(10n)).map(({ value }) => Vote.decode(value).voter)
  expect(voters).toEqual(byBytes(['alice', 'one', 'bob']).map(account))
  expect(view.list('vote', idKey(9n))).toEqual([])
})

it('has a delegation under its delegator and at its pool', () => {
  const view = setup()
  const [bob, two] = [account('bob'), operator('two')].map(toAddressBytes)
  const expected = { delegatorAddress: account('bob'), shares: `${7n * 10n ** 18n}` }
  const stored = view.get('delegation', delegationKey(bob!, two!))
  expect(Delegation.decode(stored!)).toMatchObject(expected)
  const atPool = view.delegationsTo(two!).map(({ value }) => Delegation.decode(value))
  expect(atPool.map(({ delegatorAddress }) => delegatorAddress)).toEqual(
    byBytes(['alice', 'bob']).map(account),
  )
})

it('tallies an open vote, and no other', () => {
  const view = setup()
  const tally = TallyResult.decode(view.get('tally', idKey(10n))!)
  // All pools have 75 of alice and 7 of bob; the pool one adds what is left to it.
  expect(tally).toMatchObject({ yesCount: `${75 + 7 + 550}`, noCount: '0' })
  expect(view.get('tally', idKey(9n))).toBeUndefined()
})

it('encodes a pool as Go does, without an empty list at its end', () => {
  const bytes = setup().get('pool', ofPool('one'))!
  expect(Validator.decode(bytes)).toMatchObject({ operatorAddress: operator('one'), tokens: '600' })
  expect(Buffer.from(bytes.subarray(-2)).toString('hex')).not.toBe('6a00')
})
