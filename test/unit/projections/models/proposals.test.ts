// A proposal's row from its submission to its close, the snapshot before it, and what cannot be read.
import { describe, expect, it } from 'vitest'
import { indexOf, ORDINAL, positionOf } from '../../../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { readRecord } from '../../../../projections/models/governance-fold.ts'
import { verdictOf } from '../../../../projections/models/tallies.ts'
import { foldHeights, recordsOf } from '../../../support/fold-heights.ts'
import {
  canceled,
  closed,
  deposited,
  dropped,
  earlierVote,
  heightOf,
  paramsObserved,
  pool,
  poolsObserved,
  proposalState,
  snapshot,
  submitted,
  TX_HASH,
  timeOf,
  to,
  unread,
  vote,
  votingStarted,
  votingState,
} from '../../../support/governance-events.ts'

const pools = [pool('a'), pool('b')]
const chainTime = (height: number) => `${timeOf(height).replace('T', ' ').replace('Z', '')}000000`
const opening: GovernanceEvent[][] = [
  heightOf(1, [submitted('7')], 1),
  heightOf(2, [votingStarted('7'), poolsObserved(pools), paramsObserved()], 1),
  heightOf(3, [vote('7', 'a-account', { delegations: [to('a', '1')] })], 1),
]
const setup = (...heights: GovernanceEvent[][]) => {
  const tables = foldHeights(heights)
  return {
    tables,
    proposal: tables.final('proposals')[0],
    tally: tables.final('tallies').at(-1),
    watermark: tables.final('watermarks')[0],
  }
}

describe('a proposal', () => {
  it('is shown from its submission on', () => {
    const { proposal, watermark, tables } = setup(heightOf(1, [submitted('7')], 1))
    expect(proposal).toMatchObject({
      proposal_id: '7',
      title: 'Proposal 7',
      status: 'deposit_period',
      round: 0,
      messages: '[{"@type":"/cosmos.gov.v1.MsgExecLegacyContent"}]',
      submitted_height: '1',
      submitted_tx_hash: TX_HASH,
      submit_time: chainTime(1),
      history: 'complete',
      history_reason: null,
      total_deposit: [{ denom: 'stake', amount: '10' }],
    })
    expect(watermark).toMatchObject({ final: false, time: chainTime(1) })
    expect(tables.final('tallies')).toEqual([])
  })

  it('takes each newer state, and stores no time where the chain has none', () => {
    const state = proposalState('7', {
      totalDeposit: [{ denom: 'stake', amount: '25' }],
      votingStartTime: '0001-01-01T00:00:00Z',
    })
    const { proposal } = setup(
      heightOf(1, [submitted('7')], 1),
      heightOf(2, [deposited('7', { proposal: state })]),
    )
    expect(proposal).toMatchObject({ total_deposit: [{ amount: '25' }], voting_start_time: null })
    expect(proposal?.messages).toContain('MsgExecLegacyContent')
  })

  it('is partial, with the reason, where the node could not show its state', () => {
    const { proposal } = setup(
      heightOf(1, [submitted('7')], 1),
      heightOf(2, [votingStarted('7', { proposal: null, proposalReason: 'height is pruned' })]),
    )
    expect(proposal).toMatchObject({
      status: 'voting_period',
      round: 1,
      title: 'Proposal 7',
      history: 'partial',
      history_reason: 'height is pruned',
    })
  })

  it('is kept although its submission was never read', () => {
    const { proposal } = setup(heightOf(5, [deposited('9')]))
    expect(proposal).toMatchObject({ proposal_id: '9', title: 'Proposal 9', history: 'partial' })
    expect(proposal).toMatchObject({ submitted_height: null, messages: '[]' })
  })

  it('closes with the chain’s own tally, at the watermark that is final', () => {
    const { proposal, tally, watermark } = setup(
      ...opening,
      heightOf(9, [closed('7'), poolsObserved(pools)]),
    )
    expect(proposal).toMatchObject({ status: 'passed', closed_height: '9', failed_reason: null })
    expect(proposal?.closed_time).toBe(chainTime(9))
    expect(tally).toMatchObject({
      yes: '100',
      chain_yes: '100',
      chain_no: '0',
      live_yes_atto: (1000n * 10n ** 18n).toString(),
      final: true,
      matches_chain: 'unknown',
      bonded_tokens: '3000',
      quorum: '0.334',
      pools_voted: 1,
    })
    expect(watermark?.final).toBe(true)
    expect(BigInt(watermark?.position ?? 0)).toBeGreaterThanOrEqual(
      positionOf({ height: 9, index: 1 }),
    )
  })

  it('shows pools as they were at its close, and not as they are later', () => {
    const atClose = pool('a', { tokens: '500', delegatorShares: '1000.0', moniker: 'Then' })
    const { tables } = setup(
      ...opening,
      heightOf(9, [closed('7'), poolsObserved([atClose, pool('b')])]),
      heightOf(10, [poolsObserved([pool('a', { tokens: '1', moniker: 'Now' })])]),
    )
    expect(tables.final('pool_votes')[0]).toMatchObject({ moniker: 'Then', bonded_tokens: '500' })
    expect(tables.final('pools')[0]).toMatchObject({ moniker: 'Now', tokens: '1' })
    expect(tables.final('votes_by_pool')).toEqual(tables.final('pool_votes'))
    const history = tables
      .final('pool_states')
      .filter((row) => row.operator_address === 'a-operator')
    expect(history.map(({ height, tokens }) => [height, tokens])).toEqual([
      ['2', '1000'],
      ['9', '500'],
      ['10', '1'],
    ])
  })

  it('is NULL in all that the node could not tell at the close', () => {
    const nothing = { finalTally: null, bondedTokens: null, params: null }
    const { tally, proposal } = setup(
      ...opening,
      heightOf(9, [closed('7', { ...nothing, unavailableReason: 'pruned' })]),
    )
    expect(tally).toMatchObject({ yes: null, chain_yes: null, bonded_tokens: null, quorum: null })
    expect(tally).toMatchObject({ final: true, matches_chain: 'unknown' })
    expect(tally?.matches_chain_reason).toBe('pruned')
    expect(proposal).toMatchObject({ status: 'passed', history_reason: 'pruned' })
  })

  it('keeps the chain’s reason of a failure, and calls an empty one none', () => {
    const state = votingState('7', { status: 'failed', failedReason: 'out of gas' })
    const failed = setup(
      ...opening,
      heightOf(9, [closed('7', { outcome: 'failed', proposal: state })]),
    )
    expect(failed.proposal).toMatchObject({ status: 'failed', failed_reason: 'out of gas' })
    const rejected = votingState('7', { status: 'rejected', failedReason: '' })
    const none = setup(
      ...opening,
      heightOf(9, [closed('7', { outcome: 'rejected', proposal: rejected })]),
    )
    expect(none.proposal?.failed_reason).toBeNull()
  })

  it('shows an outcome that is not known by the chain’s own word', () => {
    const odd = { outcome: 'unknown' as const, result: 'optimistic_proposal_rejected' }
    const { proposal } = setup(...opening, heightOf(9, [closed('7', { ...odd, proposal: null })]))
    expect(proposal?.status).toBe('optimistic_proposal_rejected')
    expect(proposal?.history_reason).toContain('optimistic_proposal_rejected')
  })

  it('is dropped where the deposit was not met', () => {
    const { proposal, tables, watermark } = setup(
      heightOf(1, [submitted('7')], 1),
      heightOf(8, [dropped('7')]),
    )
    expect(proposal).toMatchObject({ status: 'dropped', closed_height: '8', title: 'Proposal 7' })
    expect(tables.final('tallies')).toEqual([])
    expect(watermark?.final).toBe(true)
  })

  it('is canceled in its deposit period without a tally', () => {
    const { proposal, tables } = setup(
      heightOf(1, [submitted('7')], 1),
      heightOf(2, [canceled('7')]),
    )
    expect(proposal).toMatchObject({ status: 'canceled', round: 0 })
    expect(tables.final('tallies')).toEqual([])
  })

  it('is canceled while voting with its last numbers, which the chain never tallied', () => {
    const { proposal, tally } = setup(...opening, heightOf(4, [canceled('7')]))
    expect(proposal).toMatchObject({ status: 'canceled', round: 1 })
    expect(tally).toMatchObject({ yes: '1000', chain_yes: null, final: true })
    expect(tally).toMatchObject({ matches_chain: 'unknown', quorum: '0.334' })
    expect(tally?.matches_chain_reason).toContain('canceled')
  })

  it('does not come back when something names it after its close', () => {
    const { tables } = setup(
      ...opening,
      heightOf(9, [closed('7'), poolsObserved(pools)]),
      heightOf(10, [vote('7', 'late'), deposited('7', { proposal: proposalState('7') })]),
    )
    expect(tables.final('proposals')[0]?.status).toBe('passed')
    expect(tables.final('ballots')).toHaveLength(1)
  })
})

describe('whether the tally matches the chain', () => {
  const chain = { yes: '5', abstain: '0', no: '1', noWithVeto: '0' }
  const end = { by: 'tallied' as const, chain, bondedTokens: '9', params: null }

  it('is yes, no with the numbers, or unknown with the reason', () => {
    const known = { ...end, unavailableReason: null }
    expect(verdictOf({ ...known, recomputed: chain })).toEqual({
      matches_chain: 'yes',
      matches_chain_reason: null,
    })
    expect(verdictOf({ ...known, recomputed: { ...chain, no: '2' } })).toEqual({
      matches_chain: 'no',
      matches_chain_reason: 'no 2, chain 1',
    })
    expect(verdictOf(known).matches_chain).toBe('unknown')
    expect(verdictOf({ ...end, chain: null, unavailableReason: 'pruned' })).toEqual({
      matches_chain: 'unknown',
      matches_chain_reason: 'pruned',
    })
  })
})

describe('the state before the first indexed height', () => {
  it('tells a proposal that was closed, and owns up to what it cannot know', () => {
    const finalTally = { yes: '9', abstain: '1', no: '2', noWithVeto: '3' }
    const proposal = votingState('3', { status: 'rejected', finalTally })
    const {
      proposal: row,
      tally,
      watermark,
      tables,
    } = setup(
      heightOf(100, [snapshot({ proposals: [{ proposal, messages: [], round: 1 }], pools })]),
    )
    expect(row).toMatchObject({ status: 'rejected', closed_time: null, submitted_height: null })
    expect(row).toMatchObject({ history: 'partial', round: 1 })
    expect(row?.history_reason).toBe('closed before the first indexed height 100')
    expect(tally).toMatchObject({ yes: '9', no_with_veto: '3', chain_abstain: '1', final: true })
    expect(tally).toMatchObject({ bonded_tokens: null, pools_voted: null, ballots: null })
    expect(watermark?.final).toBe(true)
    expect(tables.final('pools')).toHaveLength(2)
  })

  it('goes on with open votes: ballots by the voter’s address, without height or time', () => {
    const proposal = votingState('3')
    const { tables, tally } = setup(
      heightOf(100, [
        snapshot(
          {
            proposals: [{ proposal, messages: [], round: 1 }],
            votes: [earlierVote('3', 'zoe', { delegations: [to('b', '2')] })],
            pools,
          },
          0,
          2,
        ),
        snapshot({ votes: [earlierVote('3', 'a-account', { delegations: [to('a', '1')] })] }, 1, 2),
      ]),
      heightOf(101, [vote('3', 'zoe', { delegations: [to('b', '2')] })]),
    )
    expect(tables.final('ballots')).toMatchObject([
      { voter: 'a-account', height: null, time: null, tx_hash: null },
      { voter: 'zoe', height: '101' },
    ])
    expect(tables.final('pool_votes')).toMatchObject([
      { operator_address: 'a-operator', voted: true, vote_height: null },
      { operator_address: 'b-operator', voted: false },
    ])
    expect(tally).toMatchObject({ yes: '1002', final: false, threshold: '0.5' })
  })

  it('keeps the failed round of a vote that was restarted before', () => {
    const finalTally = { yes: '1', abstain: '0', no: '2', noWithVeto: '0' }
    const proposal = votingState('3', { finalTally })
    const { tables } = setup(
      heightOf(100, [snapshot({ proposals: [{ proposal, messages: [], round: 2 }], pools })]),
    )
    expect(tables.final('tallies')).toMatchObject([
      { round: 1, no: '2', final: true },
      { round: 2, yes: '0', final: false },
    ])
  })

  it('knows no numbers where the node could not list the votes', () => {
    const proposals = ['3', '4'].map((id) => ({
      proposal: votingState(id),
      messages: [],
      round: 1,
    }))
    const unavailable = [{ what: 'votes of proposal 3', reason: 'gas limit' }]
    const { tables } = setup(heightOf(100, [snapshot({ proposals, pools, unavailable })]))
    const [third, fourth] = tables.final('tallies')
    expect(third).toMatchObject({ yes: null, ballots: null })
    expect(fourth).toMatchObject({ yes: '0', ballots: 0 })
    expect(tables.final('proposals')[0]?.history_reason).toContain('gas limit')
  })
})

describe('what cannot be read', () => {
  const garbage = (value: string, height = 4) => [
    readRecord({
      offset: 900n,
      height,
      timeMs: Date.parse(timeOf(height)),
      value: new TextEncoder().encode(value),
    }),
    ...recordsOf(heightOf(height, []), 901n),
  ]
  const withRecords = (records: ReturnType<typeof garbage>) =>
    foldHeights([...opening.map((height, at) => recordsOf(height, BigInt(at * 10))), records])

  it('is a dead letter where ingest could not read it, and its proposal is partial', () => {
    const { tables, proposal, tally } = setup(...opening, heightOf(4, [unread('7')]))
    expect(tables.final('dead_letters')).toMatchObject([
      { height: '4', proposal_id: '7', reason: 'no such option format' },
    ])
    expect(proposal).toMatchObject({ history: 'partial' })
    expect(proposal?.history_reason).toContain('no such option format')
    expect(tally).toMatchObject({ yes: null, ballots: null })
  })

  it('leaves numbers alone where it was no vote', () => {
    const { tally, proposal } = setup(...opening, heightOf(4, [unread('7', 'proposal_deposit')]))
    expect(proposal?.history).toBe('partial')
    expect(tally?.yes).toBe('1000')
  })

  it('puts every open proposal in doubt where nobody knows which it is about', () => {
    const tables = withRecords(garbage('{"no": '))
    expect(tables.final('dead_letters')).toMatchObject([
      { offset: '900', height: '4', proposal_id: '0', value: '{"no": ' },
    ])
    expect(tables.final('proposals')[0]?.history).toBe('partial')
    expect(tables.final('tallies')[0]?.yes).toBeNull()
  })

  it('is archived all the same where its envelope is legible', () => {
    const event = { ...opening[2]?.[0], type: 'rollcall.vote.cast.v9', height: 4 }
    const tables = withRecords(garbage(JSON.stringify(event)))
    expect(tables.final('dead_letters')[0]).toMatchObject({ proposal_id: '7' })
    expect(tables.final('events').map(({ type }) => type)).toContain('rollcall.vote.cast.v9')
  })

  it('is kept byte for byte where it is not even text', () => {
    const [record] = garbage('')
    const value = Uint8Array.from([0xff, 0xfe, 0x00])
    const bad = readRecord({ offset: 900n, height: 4, timeMs: record?.timeMs ?? 0, value })
    const tables = withRecords([bad, ...recordsOf(heightOf(4, []), 901n)])
    expect(tables.final('dead_letters')[0]?.value).toBe('base64://4A')
  })
})

describe('the archive of events', () => {
  it('has every event once, with its bytes as they came', () => {
    const { tables } = setup(...opening)
    const sent = opening.flat()
    const kept = tables.final('events')
    expect(kept).toHaveLength(sent.length)
    const first = kept.find(({ type }) => type === 'rollcall.proposal.submitted.v1')
    expect(first).toMatchObject({
      proposal_id: '7',
      height: '1',
      position: positionOf({ height: 1, index: indexOf(1, 0) }).toString(),
      event: JSON.stringify(sent[0]),
    })
    const markers = kept.filter(({ proposal_id: id }) => id === '0')
    expect(markers.some(({ type }) => type === 'rollcall.block.indexed.v1')).toBe(true)
    expect(ORDINAL.marker).toBeGreaterThan(ORDINAL.after)
  })
})
