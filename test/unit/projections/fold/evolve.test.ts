// Tests the changes by each event of a proposal, compared as data: state and event in, changes out.
import { describe, expect, it } from 'vitest'
import { evolve } from '../../../../projections/fold/evolve.ts'
import { blankProposal } from '../../../../projections/fold/state.ts'
import {
  afterClose,
  at,
  begun,
  computeChanges,
  found,
  HEIGHT,
  inDeposit,
  inSecondRound,
  inVote,
  partial,
  proposalId,
  stateAfter,
  unread,
} from '../../../support/fold/compute-changes.ts'
import {
  canceled,
  closed,
  deposited,
  dropped,
  type EventBuilder,
  finalReading,
  marker,
  reading,
  restarted,
  snapshot,
  submitted,
  TX_HASH,
  undecodableEvent,
  vote,
  votingStarted,
  votingState,
} from '../../../support/log/governance-events.ts'
import { params, proposalState, toBlockTime } from '../../../support/log/governance-values.ts'

describe('proposal.submitted', () => {
  const messages = '[{"@type":"/cosmos.gov.v1.MsgExecLegacyContent"}]'
  const own = {
    messages,
    submitted: { height: HEIGHT, txHash: TX_HASH },
    depositParams: params(),
  }

  it('a submission introduces the proposal with its state and messages', () => {
    const proposal = proposalState(proposalId)
    expect(computeChanges(submitted(proposalId))).toEqual([
      { kind: 'proposal_introduced', proposal },
      { kind: 'proposal_read', proposal },
      { kind: 'proposal_changed', proposalId, own, state: {} },
    ])
  })

  it('a submission without a state introduces a blank proposal with its message types', () => {
    const hidden = submitted(proposalId, { proposal: null, proposalReason: 'pruned' })
    const messageTypes = ['/cosmos.gov.v1.MsgExecLegacyContent']
    expect(computeChanges(hidden)).toEqual([
      { kind: 'proposal_introduced', proposal: blankProposal(proposalId, 'deposit_period') },
      unread('pruned', 'texts'),
      { kind: 'proposal_changed', proposalId, own, state: { messageTypes } },
    ])
  })
})

describe('proposal.deposited', () => {
  it('a deposit replaces the state of a known proposal', () => {
    const proposal = proposalState(proposalId, { totalDeposit: [] })
    expect(computeChanges(deposited(proposalId, { proposal }), inDeposit)).toEqual([
      { kind: 'proposal_read', proposal },
    ])
  })

  it('a deposit on a proposal without a submission creates it in its deposit period', () => {
    expect(computeChanges(deposited(proposalId))).toEqual([
      found('deposit_period'),
      { kind: 'proposal_read', proposal: proposalState(proposalId) },
    ])
  })
})

describe('voting.started', () => {
  it('the start of a vote starts its first round', () => {
    expect(computeChanges(votingStarted(proposalId), inDeposit)).toEqual([
      { kind: 'proposal_read', proposal: votingState(proposalId) },
      { kind: 'proposal_changed', proposalId, state: {} },
      begun(1, true),
    ])
  })

  it('the start of a vote without a state sets the status and the start time', () => {
    const hidden = votingStarted(proposalId, { proposal: null })
    const state = { status: 'voting_period', votingStartTime: toBlockTime(HEIGHT) }
    expect(computeChanges(hidden, inDeposit)).toEqual([
      unread('the node did not return the proposal'),
      { kind: 'proposal_changed', proposalId, state },
      begun(1, true),
    ])
  })

  it('a second start of the same vote changes nothing', () => {
    expect(computeChanges(votingStarted(proposalId), inVote)).toEqual([])
  })
})

const end = (finalTally: object) => {
  const applied = { bondedTokens: '3000', params: params(), unavailableReason: null }
  return { by: 'tallied', chain: finalTally, ...applied }
}

describe('voting.restarted', () => {
  const finalTally = { yes: '1', abstain: '0', no: '2', noWithVeto: '0' }

  it('a restart ends the round with the tally of the chain and starts the next', () => {
    const proposal = votingState(proposalId, { expedited: false, finalTally })
    expect(computeChanges(restarted(proposalId), inVote)).toEqual([
      { kind: 'round_fell_back', proposalId },
      { kind: 'round_ended', proposalId, end: end(finalTally) },
      { kind: 'proposal_read', proposal },
      { kind: 'proposal_changed', proposalId, state: {} },
      begun(2, true),
    ])
  })

  it('a restart of a proposal without events creates its first round and ends it', () => {
    const hidden = restarted(proposalId, { proposal: null, proposalReason: 'pruned' })
    expect(computeChanges(hidden)).toEqual([
      found('voting_period'),
      begun(1, false),
      { kind: 'round_fell_back', proposalId },
      { kind: 'round_ended', proposalId, end: end(finalTally) },
      unread('pruned'),
      { kind: 'proposal_changed', proposalId, state: { expedited: false, finalTally } },
      begun(2, true),
    ])
  })

  it('a restart of a closed round is refused', () => {
    expect(() => computeChanges(restarted(proposalId, { round: 1 }), inSecondRound)).toThrow(
      'round 1 ends during round 2',
    )
  })
})

describe('proposal.closed', () => {
  const finalTally = { yes: '100', abstain: '0', no: '0', noWithVeto: '0' }
  const read = {
    kind: 'proposal_read',
    proposal: votingState(proposalId, { status: 'passed', finalTally }),
  }
  const changed = (state: object) => {
    return { kind: 'proposal_changed', proposalId, own: { closed: at }, state }
  }

  it('a close ends the round with the tally of the chain and closes the proposal', () => {
    expect(computeChanges(closed(proposalId), inVote)).toEqual([
      read,
      { kind: 'round_ended', proposalId, end: end(finalTally) },
      changed({ status: 'passed' }),
      { kind: 'proposal_closed', proposalId, isDeleted: false },
    ])
  })

  it('a close without a vote ends no round', () => {
    expect(computeChanges(closed(proposalId, { round: 0 }), inDeposit)).toEqual([
      read,
      changed({ status: 'passed' }),
      { kind: 'proposal_closed', proposalId, isDeleted: false },
    ])
  })

  it('a close with an unknown outcome has the result of the chain as its status', () => {
    const odd = { outcome: 'unknown', result: 'vetoed_by_council', proposal: null } as const
    const hidden = closed(proposalId, { ...odd, proposalReason: 'pruned' })
    expect(computeChanges(hidden, inVote)).toEqual([
      unread('pruned'),
      { kind: 'round_ended', proposalId, end: end(finalTally) },
      changed({ status: 'vetoed_by_council' }),
      partial('the outcome of the chain is unknown: vetoed_by_council'),
      { kind: 'proposal_closed', proposalId, isDeleted: false },
    ])
  })
})

describe('proposal.canceled and proposal.dropped', () => {
  it.each([
    ['canceled', canceled],
    ['dropped', dropped],
  ] as const)('a %s proposal closes its vote without a tally of the chain', (status, event) => {
    const none = { by: 'canceled', chain: null, unavailableReason: null }
    expect(computeChanges(event(proposalId), inVote)).toEqual([
      { kind: 'round_ended', proposalId, end: { ...none, bondedTokens: '3000', params: params() } },
      { kind: 'proposal_changed', proposalId, own: { closed: at }, state: { status } },
      { kind: 'proposal_closed', proposalId, isDeleted: true },
    ])
  })

  it('a dropped proposal without a vote ends no round', () => {
    expect(computeChanges(dropped(proposalId), inDeposit)).toEqual([
      { kind: 'proposal_changed', proposalId, own: { closed: at }, state: { status: 'dropped' } },
      { kind: 'proposal_closed', proposalId, isDeleted: true },
    ])
  })
})

describe('all other event types', () => {
  it.each([
    ['chain.snapshot', snapshot()],
    ['round.read', reading(proposalId)],
    ['the last round.read', finalReading(proposalId)],
    ['abci-event.undecodable', undecodableEvent(proposalId)],
    ['block.indexed', marker()],
  ])('%s changes no proposal by itself', (_, event) => {
    expect(computeChanges(event, inVote)).toEqual([])
  })
})

describe('every event', () => {
  it.each([
    ['submission', submitted(proposalId)],
    ['deposit', deposited(proposalId)],
    ['start of a vote', votingStarted(proposalId)],
    ['vote', vote(proposalId, 'carol')],
    ['restart', restarted(proposalId)],
    ['close', closed(proposalId)],
    ['cancellation', canceled(proposalId)],
    ['drop', dropped(proposalId)],
  ])('a %s of a closed proposal changes nothing', (_, event) => {
    expect(computeChanges(event, afterClose)).toEqual([])
  })

  it('evolve returns changes and does not modify the state', () => {
    const state = stateAfter(inVote)
    const before = structuredClone(state.proposals)
    evolve(state, closed(proposalId)(HEIGHT, 1), at)
    expect(structuredClone(state.proposals)).toEqual(before)
    expect(state.closing.size).toBe(0)
  })

  it('an event with omitted parts makes the history partial, with the paths', () => {
    const omitted = [{ path: '/proposal/summary', bytes: 900_000 }]
    const event: EventBuilder = (height, ordinal) => {
      const one = deposited(proposalId)(height, ordinal)
      return { ...one, data: { ...one.data, omitted, omittedReason: 'too large' } } as typeof one
    }
    expect(computeChanges(event, inDeposit).at(-1)).toEqual(
      partial('rollcall.proposal.deposited.v1 without /proposal/summary: too large'),
    )
  })
})
