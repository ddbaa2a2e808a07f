// Recorded reasons and states of validators in the words of readers.
import { describe, expect, it } from 'vitest'
import { plainReason, poolStateInWords } from '../../../api/in-words.ts'

describe('a recorded reason', () => {
  it.each([
    ['the node did not return all of it', 'the server did not return all of it'],
    [
      'the node refused (sdk 6) at height 155: rpc error: code = Unknown desc = no such store',
      'the server refused at block 155: no such store',
    ],
    [
      'closed before the first indexed height 469',
      'closed before block 469, the first one that Rollcall has',
    ],
    [
      'the proposal was canceled: there is no tally',
      'the proposal was canceled: there is no tally',
    ],
  ])('%s is in the words of readers', (reason, plain) => {
    expect(plainReason(reason)).toBe(plain)
  })
})

describe('the state of a validator', () => {
  it.each([
    ['bonded', false, true, 'active'],
    ['bonded', false, false, 'active, not counted in votes'],
    ['unbonding', true, false, 'leaving, jailed'],
    ['unbonded', false, false, 'not active'],
    ['of_a_fork', false, false, 'of a fork'],
  ])('%s is in the words of readers', (status, jailed, counted, plain) => {
    expect(poolStateInWords({ status, jailed, counted })).toBe(plain)
  })
})
