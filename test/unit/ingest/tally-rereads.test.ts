// Tests reads for a tally: only changed delegations, all of them if the result differs, and an alert if it still differs.
import { describe, expect, it } from 'vitest'
import { account } from '../../../infra/app/chain/addresses.ts'
import { endEvent, voteTx } from '../../../infra/app/chain/gov-events.ts'
import { voteBy } from '../../../infra/app/chain/state/chain-state.ts'
import { ofType } from '../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../support/chain/memory-chain.ts'
import { end, ingested, NONE, type Step, start, votes } from '../../support/chain/vote-run.ts'

describe('reading again', () => {
  it('reads only the voters of pools with shares that a slashing changed without naming a delegator', async () => {
    const slash: Step = [
      { begin: [['slash', { address: 'cosmosvalcons1x', reason: 'double_sign' }]] },
      ({ pools, delegations }) => {
        pools.set('one', { tokens: 570n, status: 3, jailed: false, shares: 600n })
        delegations.get('alice')!.set('two', 10n)
        pools.get('two')!.tokens = 290n
      },
    ]
    const counts = { yes: '62', no: '57' }
    const cast: Step = [{ txs: [voteTx('1', 'alice'), voteTx('1', 'bob', 3)] }]
    const {
      events,
      counts: recomputed,
      readsAtEnd,
      warnings,
    } = await ingested([[{}] as Step, start(), cast, slash, [{}] as Step, end(counts)])
    const changes = ofType(events, 'rollcall.stake.changed.v1')
    expect(changes.map(({ height, data }) => [height, data.voter])).toEqual([[4, account('alice')]])
    expect([readsAtEnd, warnings]).toEqual([0, []])
    expect(recomputed).toEqual([{ ...NONE, ...counts }])
  })

  it('reads every voter once if the result differs, and then the result matches', async () => {
    const unseen: Step = [
      {},
      ({ delegations, pools }) => {
        delegations.get('alice')!.set('two', 0n)
        pools.get('two')!.tokens = 280n
      },
    ]
    const { counts, readsAtEnd, warnings, alerts } = await ingested([
      [{}] as Step,
      start(),
      votes,
      unseen,
      end({ yes: '55', no: '60', noWithVeto: '490' }),
    ])
    // Two pages for alice, and one each for bob and the operator.
    expect(readsAtEnd).toBe(4)
    expect([warnings.length, alerts]).toEqual([1, []])
    expect(counts).toEqual([{ ...NONE, yes: '55', no: '60', noWithVeto: '490' }])
  })

  it('matches if a proposal lowered the limit of bonded pools earlier in the same end block', async () => {
    const limited: Step = [
      {},
      (state) => {
        state.maxPools = 3
        // The only one with a whole unit of power.
        const one = state.pools.get('one')!
        Object.assign(one, { shares: one.tokens, tokens: one.tokens * 1_000_000n })
      },
    ]
    const lower: Parameters<typeof end>[2] = (state) => {
      state.maxPools = 1
      for (const name of ['two', 'three']) state.pools.get(name)!.status = 2
    }
    const final = { yes: '50000000', no: '60000000', noWithVeto: '490000000' }
    const { counts, alerts } = await ingested([limited, start(), votes, end(final, {}, lower)])
    expect(alerts).toEqual([])
    expect(counts).toEqual([{ ...NONE, ...final }])
  })

  it('finds votes in the chain’s state that have no event', async () => {
    const cast: Step = [
      { txs: [{ events: [['proposal_vote', { proposal_id: '1', option: '?' }]] }] },
      (state) => void state.votes.set('1', [voteBy('1', 'bob', 3)]),
    ]
    const { evidence, counts, warnings } = await ingested([[{}], start(), cast, end({ no: '60' })])
    expect(warnings).toEqual([])
    expect(evidence[0]).toMatchObject({ complete: true, ballots: [{ voter: account('bob') }] })
    expect(counts).toEqual([{ ...NONE, no: '60' }])
  })

  it('uses delegations from the log also if an earlier close of the block ended the last ballot of the voter', async () => {
    const cast: Step = [
      {
        txs: [
          voteTx('2', 'bob'),
          { events: [['proposal_vote', { proposal_id: '1', option: '?' }]] },
        ],
      },
      (state) => void state.votes.set('1', [voteBy('1', 'bob', 3)]),
    ]
    const last = end({ no: '60' }, { end: [endEvent('2', 'proposal_passed')] })
    const { counts, readsAtEnd, warnings } = await ingested([
      [{}] as Step,
      start('2'),
      start(),
      cast,
      last,
    ])
    expect([readsAtEnd, warnings]).toEqual([0, []])
    expect(counts.at(-1)).toEqual({ ...NONE, no: '60' })
  })

  it('reports incomplete evidence if votes are missing in every state', async () => {
    const cast: Step = [
      {
        txs: [
          voteTx('1', 'alice'),
          { events: [['proposal_vote', { proposal_id: '1', option: '?' }]] },
        ],
      },
    ]
    const chain = createMemoryChain()
    const { abciQuery } = chain
    chain.abciQuery = async (query) =>
      query.path.endsWith('/Votes') ? { kind: 'pruned', log: 'gone' } : await abciQuery(query)
    const steps = [[{}] as Step, start(), cast, end({ yes: '75', no: '60' })]
    const { evidence, alerts } = await ingested(steps, {}, chain)
    expect(evidence[0]).toMatchObject({
      complete: false,
      incompleteReason: expect.stringContaining('ballots: the node has pruned'),
      ballots: [{ voter: account('alice') }],
    })
    expect(alerts.filter(({ msg }) => /recomputed tally/.test(msg))).toEqual([])
  })

  it('raises an alert if the result still differs, and keeps the evidence', async () => {
    const { evidence, alerts, warnings } = await ingested([[{}], start(), votes, end({ yes: '1' })])
    expect(evidence[0]).toMatchObject({ complete: true, ballots: { length: 3 } })
    expect(warnings).toHaveLength(1)
    expect(alerts).toEqual([
      expect.objectContaining({
        msg: 'recomputed tally differs from the chain',
        proposalId: '1',
        reason: expect.stringContaining('yes 75, the chain has 1'),
      }),
    ])
  })

  it('is skipped if the chain has its own rules', async () => {
    const run = await ingested([[{}], start(), votes, end({ yes: '1' })], {
      TALLY_STRATEGY: 'none',
    })
    expect(run.evidence[0]).toMatchObject({ strategy: 'none', complete: true })
    expect([run.readsAtEnd, run.warnings, run.alerts]).toEqual([0, [], []])
  })
})
