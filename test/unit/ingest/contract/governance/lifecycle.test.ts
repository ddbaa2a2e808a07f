// Tests how a proposal and the rounds of its vote change where facts are missing, late or contradict each other.
import { expect, it } from 'vitest'
import type { ProposalFact } from '../../../../../ingest/contract/governance/fact.ts'
import { decide } from '../../../../../ingest/contract/governance/lifecycle.ts'

const fact = (kind: string, more: object = {}) =>
  ({ kind, proposalId: '7', ...more }) as ProposalFact
const voting = { status: 'voting_period', finalTally: null }
const tally = { yes: '1', abstain: '0', no: '0', noWithVeto: '0' }

const OPENED = { kind: 'opened' }
const begun = (round: number) => ({ kind: 'round_begun', round, isWhole: false })
const tallied = (round: number) => ({ kind: 'round_ended', round, by: 'tallied' })
const CLOSED = { kind: 'closed', isDeleted: false }
const CONTRADICTED = { kind: 'contradicted', reason: 'round 1 ends during round 2' }

it.each<[string, { round: number } | undefined, ProposalFact, object[]]>([
  [
    'a ballot of a round that is over',
    { round: 2 },
    fact('vote_cast', { round: 1, voter: 'a' }),
    [],
  ],
  [
    'a first fact that is a tally',
    { round: 0 },
    fact('closed', { isTallied: true }),
    [begun(1), tallied(1), CLOSED],
  ],
  ['a second close of a round', { round: 2 }, fact('closed', { round: 1 }), [CONTRADICTED]],
  ['a second restart of a round', { round: 2 }, fact('restarted', { round: 1 }), [CONTRADICTED]],
  ['a known round in a list', { round: 1 }, fact('listed', { round: 1, read: voting }), []],
  [
    'an unreported vote with the tally of its first round',
    undefined,
    fact('reconciled', { finding: 'found', read: { ...voting, finalTally: tally } }),
    [OPENED, begun(2)],
  ],
  ['an undecodable event', undefined, fact('undecodable'), []],
])('%s changes what follows from it', (_, before, next, changes) => {
  expect(decide(before, next)).toEqual(changes)
})
