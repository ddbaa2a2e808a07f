// Tests the outcome of a vote at every limit: the quorum is met at its limit, veto and threshold only above theirs.
import { describe, expect, it } from 'vitest'
import { parseDecimal } from '../../../../ingest/contract/decimal.ts'
import { decide, type Rules } from '../../../../ingest/tally/decision.ts'
import { DEFAULT_RULES } from '../../../support/fold/tally-cases.ts'

type Votes = { yes?: string; no?: string; abstain?: string; noWithVeto?: string; unknown?: string }

type Changes = Rules['params'] & { bonded: string; expedited: boolean }

const decided = (
  votes: Votes,
  { bonded = '1000', expedited = false, ...changes }: Partial<Changes> = {},
) => {
  const of = (text = '0') => parseDecimal(text)
  const sums = {
    yes: of(votes.yes),
    no: of(votes.no),
    abstain: of(votes.abstain),
    noWithVeto: of(votes.noWithVeto),
  }
  const votingPower = sums.yes + sums.no + sums.abstain + sums.noWithVeto + of(votes.unknown)
  const params = { ...DEFAULT_RULES, ...changes }
  return decide({ sums, votingPower }, { params, bondedTokens: bonded, expedited }).reason
}

describe('the decision', () => {
  it.each<[string, Votes, string]>([
    ['just under the quorum', { yes: '333.999999999999999' }, 'quorum_missed'],
    ['exactly the quorum', { yes: '334' }, 'threshold_met'],
    ['abstentions alone', { abstain: '500' }, 'all_abstained'],
    ['exactly the veto threshold', { yes: '666', noWithVeto: '334' }, 'threshold_met'],
    ['just over the veto threshold', { yes: '665.999', noWithVeto: '334.001' }, 'vetoed'],
    [
      'vetoes over all votes, abstentions included',
      { noWithVeto: '334', abstain: '666' },
      'threshold_missed',
    ],
    ['exactly half yes', { yes: '250', no: '250' }, 'threshold_missed'],
    ['just over half', { yes: '250.000000000000001', no: '250' }, 'threshold_met'],
    ['half yes without abstentions', { yes: '201', no: '200', abstain: '599' }, 'threshold_met'],
    ['votes for options of another module', { yes: '250', unknown: '250' }, 'threshold_missed'],
  ])('for %s', (_, votes, reason) => {
    expect(decided(votes)).toBe(reason)
  })

  it('for an expedited vote needs the higher threshold', () => {
    expect(decided({ yes: '600', no: '400' }, { expedited: true })).toBe('threshold_missed')
    expect(decided({ yes: '667', no: '333' }, { expedited: true })).toBe('threshold_missed')
    expect(decided({ yes: '668', no: '332' }, { expedited: true })).toBe('threshold_met')
  })

  it('for an expedited vote needs the quorum of expedited votes, if the chain has one', () => {
    const rules = { expedited: true, expeditedQuorum: '0.7' }
    expect(decided({ yes: '699' }, rules)).toBe('quorum_missed')
    expect(decided({ yes: '700' }, rules)).toBe('threshold_met')
    expect(decided({ yes: '699' }, { ...rules, expedited: false })).toBe('threshold_met')
  })

  it('for an expedited vote is unknown if its limits are, although those of other votes are known', () => {
    const rules = { expedited: true, expeditedQuorum: null, expeditedThreshold: null }
    expect(decided({ yes: '1' }, rules)).toBe('threshold_unknown')
    expect(decided({ yes: '1' }, { ...rules, expedited: false })).toBe('quorum_missed')
  })

  it.each<[string, Votes, Partial<Changes>, string]>([
    [
      'a veto never vetoes',
      { yes: '300', noWithVeto: '200' },
      { vetoThreshold: null },
      'threshold_met',
    ],
    [
      'a veto has its threshold',
      { no: '300', yes: '100' },
      { vetoThreshold: null },
      'threshold_missed',
    ],
    ['a quorum takes any turnout', { yes: '1' }, { quorum: null }, 'threshold_met'],
    ['a quorum still has its veto', { noWithVeto: '1' }, { quorum: null }, 'vetoed'],
    ['a threshold is not known', { yes: '900' }, { threshold: null }, 'threshold_unknown'],
    ['a threshold still has its quorum', { yes: '1' }, { threshold: null }, 'quorum_missed'],
  ])('of a chain without %s', (_, votes, changes, reason) => {
    expect(decided(votes, changes)).toBe(reason)
  })

  it('rejects if nothing is bonded, and if there are no votes with a quorum of zero', () => {
    expect(decided({ yes: '1' }, { bonded: '0' })).toBe('nothing_bonded')
    expect(decided({}, { quorum: '0' })).toBe('all_abstained')
  })

  it('rounds like the SDK: a share within half an atto of the quorum reaches it', () => {
    const bonded = (3n * 10n ** 20n).toString()
    const yes = (10n ** 20n).toString()
    expect(decided({ yes }, { bonded, quorum: '0.333333333333333333' })).toBe('threshold_met')
    expect(decided({ yes }, { bonded, quorum: '0.333333333333333334' })).toBe('quorum_missed')
  })
})
