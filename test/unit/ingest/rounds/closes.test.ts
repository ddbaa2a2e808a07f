// Tests the final reading of every end of a vote: exactly the inputs that the chain counted, for any events of the closing block.
import { TallyResult } from 'cosmjs-types/cosmos/gov/v1/gov'
import { describe, expect, it } from 'vitest'
import { ofType } from '../../../support/chain/ingest-run.ts'
import {
  end,
  finalReadings,
  ingested,
  NONE,
  type Step,
  start,
  votes,
} from '../../../support/chain/vote-run.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'
import { delegateTx, endEvent, voteEvent, voteTx } from '../../../support/simulator/gov-events.ts'
import { voteBy } from '../../../support/simulator/state/chain-state.ts'

describe('the final reading of a vote', () => {
  it('follows its close with the rules, all pools and all ballots, and gives the chain’s result', async () => {
    const counts = { yes: '75', no: '60', noWithVeto: '490' }
    const {
      events,
      readings,
      counts: recomputed,
    } = await ingested([[{}], start(), votes, end(counts)])
    const [close] = ofType(events, 'rollcall.proposal.closed.v1')
    const [event] = finalReadings(events)
    expect(event).toMatchObject({
      height: close?.height,
      index: close!.index + 1,
      subject: 'proposals/1',
    })
    expect(readings).toMatchObject([
      {
        chunk: 0,
        chunks: 1,
        stateHeight: close?.height,
        final: true,
        allBallots: true,
        allPools: true,
        proposalId: '1',
        round: 1,
        complete: true,
        incompleteReason: null,
        params: close?.data.params,
        bondedTokens: '1000',
        ballots: [
          { voter: account('alice'), delegations: { length: 3 } },
          { voter: account('bob'), delegations: { length: 1 } },
          { voter: account('one'), delegations: [] },
        ],
      },
    ])
    const pools = readings[0]?.pools.map(({ moniker, counted }) => [moniker, counted])
    expect(pools?.sort()).toEqual([
      ['Pool one', undefined],
      ['Pool three', undefined],
      ['Pool two', undefined],
    ])
    expect(recomputed).toEqual([{ ...NONE, ...counts }])
  })

  it.each([
    ['no with veto', { noWithVeto: null }],
    ['no with veto and abstentions', { noWithVeto: null, abstain: null }],
  ])(
    'is complete on a chain without %s, and null is the count of the chain',
    async (_, missing) => {
      const noVeto = { txs: [voteTx('1', 'alice'), voteTx('1', 'bob', 3), voteTx('1', 'one', 3)] }
      const counts = { yes: '75', no: '550', ...missing }
      const { events, readings, warnings } = await ingested([
        [{}, (state) => Object.assign(state.params, { vetoThreshold: '' })],
        start(),
        [noVeto],
        end(counts),
      ])
      const [close] = ofType(events, 'rollcall.proposal.closed.v1')
      expect(close?.data.finalTally).toEqual({ ...NONE, ...counts })
      expect(close?.data.params).toMatchObject({
        vetoThreshold: null,
        threshold: expect.any(String),
      })
      expect([readings[0]?.complete, warnings]).toEqual([true, []])
    },
  )

  it('has the stake that was followed while the vote was open', async () => {
    const counts = { yes: '75', no: '60', noWithVeto: '490' }
    const { readsAtEnd, warnings } = await ingested([[{}], start(), votes, [{}], end(counts)])
    expect([readsAtEnd, warnings]).toEqual([0, []])
  })

  it('has the votes and the stake of the block that ends it', async () => {
    const last = end(
      { yes: '5', no: '80', abstain: '295' },
      {
        txs: [
          voteTx('1', 'alice', 3),
          delegateTx('alice'),
          voteTx('1', 'two', 2),
          voteTx('1', 'three'),
        ],
      },
      ({ delegations, pools }) => {
        delegations.get('alice')!.set('one', 55n)
        pools.get('one')!.tokens = 605n
        delegations.get('alice')!.set('two', 20n)
        pools.get('two')!.tokens = 315n
        delegations.get('alice')!.set('three', 5n)
        pools.get('three')!.tokens = 10n
      },
    )
    const first: Step = [{ txs: [voteTx('1', 'alice')] }]
    const { counts, warnings } = await ingested([[{}], start(), first, last])
    expect(warnings).toEqual([])
    expect(counts).toEqual([{ yes: '5', no: '80', abstain: '295', noWithVeto: '0' }])
  })

  it('omits a pool that was jailed in that block, although it was bonded before', async () => {
    const last = end({ yes: '70', no: '490' }, {}, ({ pools }) => {
      pools.set('three', { tokens: 90n, status: 2, jailed: true, shares: 100n })
    })
    const cast: Step = [
      { txs: [voteTx('1', 'alice'), voteTx('1', 'one', 3), voteTx('1', 'three', 4)] },
    ]
    const noBob: Step = [
      {},
      ({ delegations, pools }) => {
        delegations.delete('bob')
        pools.get('one')!.tokens = 540n
      },
    ]
    const { readings, counts, warnings } = await ingested([[{}], start(), noBob, cast, last])
    expect(warnings).toEqual([])
    expect(counts).toEqual([{ ...NONE, yes: '70', no: '490' }])
    const three = readings[0]?.pools.find(({ moniker }) => moniker === 'Pool three')
    expect(three).toMatchObject({ status: 'bonded', jailed: true, tokens: '90' })
  })

  it('omits a pool that becomes bonded only at the end of the block', async () => {
    const last = end({ no: '600' }, {}, ({ pools }) => {
      pools.set('new', { tokens: 400n, status: 3, jailed: false })
    })
    const cast: Step = [{ txs: [voteTx('1', 'one', 3), voteTx('1', 'new')] }]
    const { readings, counts } = await ingested([[{}], start(), cast, last])
    expect(counts).toEqual([{ ...NONE, no: '600' }])
    const fresh = readings[0]?.pools.find(({ moniker }) => moniker === 'Pool new')
    expect(fresh).toMatchObject({ status: 'unbonded' })
  })

  it('omits the vote of a proposal on itself after its own tally', async () => {
    const last = end({ no: '600' }, { end: [voteEvent('1', 'bob')] })
    const { readings, counts } = await ingested([
      [{}],
      start(),
      [{ txs: [voteTx('1', 'one', 3)] }],
      last,
    ])
    expect(readings[0]?.ballots.map(({ voter }) => voter)).toEqual([account('one')])
    expect(counts).toEqual([{ ...NONE, no: '600' }])
  })

  it('has the vote of another proposal that passed earlier in the same block', async () => {
    const other = [voteEvent('1', 'bob'), endEvent('2', 'proposal_passed')]
    const steps = [[{}] as Step, start('2'), start(), end({ yes: '60' }, { end: other })]
    const { events, counts } = await ingested(steps)
    const [vote] = ofType(events, 'rollcall.vote.cast.v1')
    expect(vote?.data).toMatchObject({ counted: true, txHash: null })
    expect(counts).toEqual([NONE, { ...NONE, yes: '60' }])
  })

  it('has the weights of a split vote as they were cast', async () => {
    const options = JSON.stringify([
      { option: 1, weight: '0.7' },
      { option: 3, weight: '0.3' },
    ])
    const split = ['proposal_vote', { voter: account('bob'), option: options, proposal_id: '1' }]
    const cast = [{ txs: [{ events: [split] }] }] as unknown as Step
    const { readings, counts } = await ingested([[{}], start(), cast, end({ yes: '42', no: '18' })])
    expect(readings[0]?.ballots[0]?.options).toEqual([
      { option: 'yes', weight: '0.700000000000000000' },
      { option: 'no', weight: '0.300000000000000000' },
    ])
    expect(counts).toEqual([{ ...NONE, yes: '42', no: '18' }])
  })

  it('has the stake from before the messages of the proposal moved it', async () => {
    const delegate = [
      'delegate',
      { validator: operator('one'), delegator: account('bob'), amount: '100stake' },
    ] as const
    const last = end(
      { yes: '160', no: '440' },
      { end: [delegate], txs: [delegateTx('alice')] },
      ({ delegations, pools }) => {
        delegations.get('bob')!.set('one', 160n)
        delegations.get('alice')!.set('two', 120n)
        pools.get('one')!.tokens = 700n
        pools.get('two')!.tokens = 400n
      },
    )
    const cast: Step = [{ txs: [voteTx('1', 'bob'), voteTx('1', 'one', 3)] }]
    const change: Step = [
      { txs: [delegateTx('bob')] },
      ({ delegations }) => void delegations.get('bob')!.set('one', 160n),
    ]
    const { readings, counts, warnings } = await ingested([
      [{}],
      start(),
      cast,
      change,
      [
        last[0],
        (state) => {
          last[1]!(state)
          state.delegations.get('bob')!.set('one', 260n)
        },
      ],
    ])
    expect(warnings).toEqual([])
    expect(counts).toEqual([{ ...NONE, yes: '160', no: '440' }])
    expect(readings[0]?.bondedTokens).toBe('1100')
  })

  it('of an expedited round has the ballots of that round, and the next round only its own', async () => {
    const fallBack: Step = [
      { end: [endEvent('1', 'expedited_proposal_rejected')] },
      (state) => {
        const finalTallyResult = TallyResult.fromPartial({
          yesCount: '75',
          abstainCount: '0',
          noCount: '0',
          noWithVetoCount: '0',
        })
        state.proposals.set('1', { ...state.proposals.get('1')!, finalTallyResult })
      },
    ]
    const { readings, counts } = await ingested([
      [{}],
      start(),
      [{ txs: [voteTx('1', 'alice')] }],
      fallBack,
      [{ txs: [voteTx('1', 'bob', 2)] }],
      end({ abstain: '60' }),
    ])
    expect(
      readings.map(({ round, ballots }) => [round, ballots.map(({ voter }) => voter)]),
    ).toEqual([
      [1, [account('alice')]],
      [2, [account('bob')]],
    ])
    expect(counts).toEqual([
      { ...NONE, yes: '75' },
      { ...NONE, abstain: '60' },
    ])
  })

  it('starts from the votes of the snapshot if the log starts during the vote', async () => {
    const cast: Step = [
      { txs: [voteTx('1', 'bob', 3)] },
      (state) => void state.votes.set('1', [voteBy('1', 'bob', 3)]),
    ]
    const steps = [[{}] as Step, start(), cast, [{}] as Step, [{}] as Step, end({ no: '60' })]
    const { counts, readsAtEnd, warnings } = await ingested(steps, { START_HEIGHT: '5' })
    expect([readsAtEnd, warnings]).toEqual([0, []])
    expect(counts).toEqual([{ ...NONE, no: '60' }])
  })
})
