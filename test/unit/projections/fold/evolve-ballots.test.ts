// Tests the changes by votes, changes of stake and undecodable records, compared as data.
import { describe, expect, it } from 'vitest'
import { ATTO } from '../../../../ingest/contract/decimal.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { invalidate } from '../../../../projections/fold/evolve.ts'
import { toTimestamp } from '../../../../projections/fold/timestamps.ts'
import {
  afterClose,
  at,
  begun,
  computeChanges,
  found,
  HEIGHT,
  inSecondRound,
  inVote,
  partial,
  proposalId,
  stateAfter,
} from '../../../support/fold/compute-changes.ts'
import {
  createHeightEvents,
  type EventBuilder,
  stakeChanged,
  submitted,
  TX_HASH,
  vote,
} from '../../../support/log/governance-events.ts'
import { all, to, toBlockTime } from '../../../support/log/governance-values.ts'

const ballot = (changes: object, shares: bigint[] = []) => {
  const cast = { voter: 'carol', options: all('yes'), counted: true, height: HEIGHT }
  const rest = { time: toTimestamp(toBlockTime(HEIGHT)), txHash: TX_HASH, delegations: [] }
  const read = { ...cast, ...rest, ...changes }
  const weights = [{ key: 'yes', weight: ATTO }]
  const stake = { delegations: read.delegations, shares }
  return { kind: 'ballot_cast', proposalId, vote: { vote: read, weights, stake } }
}

describe('vote.cast', () => {
  it('a vote casts a ballot with its delegations in atto', () => {
    const delegations = [to('a', '1.5')]
    expect(computeChanges(vote(proposalId, 'carol', { delegations }), inVote)).toEqual([
      ballot({ delegations }, [(ATTO * 3n) / 2n]),
    ])
  })

  it('a vote with unknown delegations makes the history partial', () => {
    const hidden = vote(proposalId, 'carol', { delegations: null, delegationsReason: 'pruned' })
    expect(computeChanges(hidden, inVote)).toEqual([
      ballot({ delegations: null }),
      partial('delegations of voter carol: pruned'),
    ])
  })

  it('a vote with a delegation to a pool that was never observed makes the history partial', () => {
    const delegations = [to('z', '1')]
    expect(computeChanges(vote(proposalId, 'carol', { delegations }), inVote)).toEqual([
      ballot({ delegations }, [ATTO]),
      partial('the state of pool z-operator is unknown at height 5'),
    ])
  })

  it('a vote without a voter makes the ballots unknown', () => {
    const nameless = vote(proposalId, '', { voter: null, voterReason: 'no sender' })
    expect(computeChanges(nameless, inVote)).toEqual([
      partial('no sender'),
      { kind: 'ballot_unknown', proposalId },
    ])
  })

  it('a vote on a proposal without events creates the proposal in a round with an unknown start', () => {
    expect(computeChanges(vote(proposalId, 'carol'))).toEqual([
      found('voting_period'),
      begun(1, false),
      ballot({}),
    ])
  })

  it('a vote in a closed round changes nothing', () => {
    expect(computeChanges(vote(proposalId, 'carol', { round: 1 }), inSecondRound)).toEqual([])
  })

  it('a vote with an invalid weight is refused', () => {
    const options = [{ option: 'yes', weight: 'half' }]
    expect(() => computeChanges(vote(proposalId, 'carol', { options }), inVote)).toThrow(
      expect.objectContaining({ name: 'FoldError' }),
    )
  })
})

describe('stake.changed', () => {
  it('a change of stake replaces the delegations of each named voter', () => {
    const delegations = [to('a', '2')]
    const other = { voter: 'dave', delegations: null, delegationsReason: 'pruned' }
    const event: EventBuilder = (height, ordinal) => {
      const one = stakeChanged('carol', delegations)(height, ordinal)
      return { ...one, data: { ...one.data, others: [other] } } as GovernanceEvent
    }
    expect(computeChanges(event)).toEqual([
      {
        kind: 'delegations_changed',
        voter: 'carol',
        stake: { delegations, shares: [ATTO * 2n] },
        reason: null,
      },
      {
        kind: 'delegations_changed',
        voter: 'dave',
        stake: { delegations: null, shares: [] },
        reason: 'pruned',
      },
    ])
  })
})

describe('records that cannot be decoded', () => {
  const undecodable = (id: string, mayMoveBallots: boolean) => {
    const letter = { offset: 9n, height: HEIGHT, value: new Uint8Array(), proposalId: id }
    return {
      letter: { ...letter, reason: 'not JSON', position: at.value },
      at,
      mayMoveBallots,
      provesProposal: true,
    }
  }
  const reason = 'a record of height 5 could not be decoded: not JSON'

  it('a record about no known proposal makes the ballots of every open vote unknown', () => {
    const heights = [...inVote, createHeightEvents(3, [submitted('8')])]
    expect(invalidate(stateAfter(heights), undecodable('0', true))).toEqual([
      partial(reason),
      { kind: 'ballot_unknown', proposalId },
      { ...partial(reason), proposalId: '8' },
    ])
  })

  it('a record that cannot be a ballot makes only the history of its proposal partial', () => {
    expect(invalidate(stateAfter(inVote), undecodable(proposalId, false))).toEqual([
      partial(reason),
    ])
  })

  it('a record about a closed proposal changes nothing', () => {
    expect(invalidate(stateAfter(afterClose), undecodable(proposalId, true))).toEqual([])
  })
})
