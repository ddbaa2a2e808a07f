// Tests the tallies that a node reports during a vote: they are served only if our own are not known or refuted.
import { describe, expect, it } from 'vitest'
import type { TallyCounts } from '../../../../ingest/contract/facts.ts'
import { given, openVote } from '../../../support/fold/given.ts'
import {
  canceled,
  closed,
  createHeightEvents,
  finalReading,
  reading,
  restarted,
  stakeOf,
  voteWith,
} from '../../../support/log/governance-events.ts'
import { atto, to } from '../../../support/log/governance-values.ts'

const counts = (yes: string): TallyCounts => ({ yes, abstain: '0', no: '3', noWithVeto: '0' })

/** x votes yes with one unit of the pool b. */
const voted = [...openVote(), createHeightEvents(3, voteWith('7', 'x', [to('b', '1')]))]
const agreed = createHeightEvents(4, [reading('7', { nodeTally: counts('1'), agrees: true })])
const differs = createHeightEvents(5, [reading('7', { nodeTally: counts('9'), agrees: false })])
const unknownStake = (height: number) => createHeightEvents(height, voteWith('7', 'y', null))

describe('the tally of the node', () => {
  it('that is the same proves the rule at its height, and changes no number', () => {
    given(...voted).expectRow('tallies', { rule: 'gov', rule_proved_height: null, yes: '1' })
    given(...voted, agreed)
      .expectRow('tallies', { rule: 'gov', rule_proved_height: '4', reported: false })
      .expectRow('tallies', { yes: '1', no: '0', live_yes_atto: atto('1') })
      .expectPool('b', { yes_atto: atto('1') })
  })

  it('that differs replaces our numbers, and no power of a pool is known', () => {
    given(...voted, agreed, differs)
      .expectRow('tallies', { yes: '9', no: '3', live_yes_atto: null, live_no_atto: null })
      .expectRow('tallies', { rule: '', rule_proved_height: '4', reported: true, ballots: 1 })
      .expectPool('b', { yes_atto: null, voting_power_atto: null, delegator_ballots: 1 })
  })

  it('is replaced by our numbers when both are the same again', () => {
    const again = createHeightEvents(6, [reading('7', { nodeTally: counts('1'), agrees: true })])
    given(...voted, differs, again)
      .expectRow('tallies', { yes: '1', rule: 'gov', rule_proved_height: '6', reported: false })
      .expectPool('b', { yes_atto: atto('1') })
  })

  it('is served while delegations are not known', () => {
    const reported = reading('7', { nodeTally: counts('5') })
    given(...voted, unknownStake(4), createHeightEvents(5, [reported]))
      .expectRow('tallies', { yes: '5', live_yes_atto: null, rule: 'gov', reported: true })
      .expectPool('b', { yes_atto: null })
  })

  it('that was the same is not served once ours lacks a later vote', () => {
    given(...voted, agreed, unknownStake(5)).expectRow('tallies', {
      yes: null,
      no: null,
      reported: false,
    })
  })

  it('is served for a chain with rules of its own', () => {
    const reported = reading('7', { rule: 'own', nodeTally: counts('5') })
    given(...voted, createHeightEvents(5, [reported])).expectRow('tallies', {
      yes: '5',
      rule: 'own',
      rule_proved_height: null,
      reported: true,
    })
  })

  it('is not invented: without counts of the node, unknown numbers stay NULL', () => {
    const none = reading('7', { nodeTally: null })
    given(...voted, unknownStake(4), createHeightEvents(5, [none])).expectRow('tallies', {
      yes: null,
      reported: false,
    })
  })

  it('stays if a later reading does not ask for it', () => {
    const stake = createHeightEvents(6, [reading('7', { ballots: [stakeOf('x', to('b', '2'))] })])
    given(...voted, differs, stake).expectRow('tallies', { yes: '9', reported: true, rule: '' })
    given(...voted, agreed, stake).expectRow('tallies', { yes: '2', rule_proved_height: '4' })
  })

  it('proves nothing about another rule, which is that of the following numbers', () => {
    const rule = 'no_inheritance'
    const adopted = { rule, nodeTally: counts('1'), instead: 'gov', agrees: true } as const
    given(...voted, agreed, createHeightEvents(6, [reading('7', adopted)])).expectRow('tallies', {
      rule: 'no_inheritance',
      rule_proved_height: '6',
    })
    const changed = createHeightEvents(6, [reading('7', { rule })])
    given(...voted, agreed, changed).expectRow('tallies', {
      rule: 'no_inheritance',
      rule_proved_height: null,
    })
  })

  it('ends with the vote: then the tally of the chain counts', () => {
    const end = createHeightEvents(6, [
      closed('7', { finalTally: counts('2') }),
      finalReading('7', { complete: false, incompleteReason: 'pruned' }),
    ])
    given(...voted, differs, end).expectRow('tallies', {
      yes: '2',
      chain_yes: '2',
      rule: 'gov',
      reported: false,
      final: true,
    })
  })

  it('stays the last one of a vote that is canceled', () => {
    given(...voted, differs, createHeightEvents(6, [canceled('7')])).expectRow('tallies', {
      yes: '9',
      reported: true,
      final: true,
    })
  })

  it('of an earlier round says nothing about the next one', () => {
    const next = createHeightEvents(6, [restarted('7', { finalTally: counts('2') })])
    const late = createHeightEvents(7, [reading('7', { nodeTally: counts('9'), agrees: false })])
    const { rows } = { rows: given(...voted, agreed, next, late).rows('tallies') }
    expect(
      rows.map(({ round, reported, rule_proved_height }) => [round, reported, rule_proved_height]),
    ).toEqual([
      [1, false, '4'],
      [2, false, null],
    ])
  })
})
