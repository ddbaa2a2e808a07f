// A proposal's row from its submission to its close, and whether its tally is the chain's.
import { describe, expect, it } from 'vitest'
import { positionOf } from '../../../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { verdictOf } from '../../../../projections/fold/rows/tallies.ts'
import { foldHeights } from '../../../support/fold-heights.ts'
import {
  canceled,
  closed,
  deposited,
  dropped,
  heightOf,
  paramsObserved,
  poolsObserved,
  submitted,
  TX_HASH,
  vote,
  votingStarted,
  votingState,
} from '../../../support/governance-events.ts'
import { pool, proposalState, timeOf, to } from '../../../support/governance-values.ts'

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
      matches_chain_reason: 'recomputed no 2, the chain has 1',
    })
    expect(verdictOf(known).matches_chain).toBe('unknown')
    expect(verdictOf({ ...end, chain: null, unavailableReason: 'pruned' })).toEqual({
      matches_chain: 'unknown',
      matches_chain_reason: 'pruned',
    })
  })
})
