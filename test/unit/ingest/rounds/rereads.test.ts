// Tests reads for a tally: only changed delegations, all of them if the result differs, and an alert if it still differs.
import { describe, expect, it } from 'vitest'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import {
  end,
  ingested,
  NONE,
  quiet,
  restoreVote,
  type Step,
  start,
  votes,
} from '../../../support/chain/vote-run.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'
import { voteTx } from '../../../support/simulator/gov-events.ts'

describe('reading again', () => {
  it('reads the voters of a pool that a slashing changed, also if an event names the pool', async () => {
    const slash: Step = [
      {
        begin: [['slash', { address: 'cosmosvalcons1x', reason: 'double_sign' }]],
        txs: [
          {
            events: [['delegate', { validator: operator('two'), delegator: account('stranger') }]],
          },
        ],
      },
      ({ pools, delegations }) => {
        pools.set('one', { tokens: 570n, status: 3, jailed: false, shares: 600n })
        // 10 of alice were redelegated from the slashed pool.
        delegations.get('alice')!.set('two', 10n)
        delegations.set('stranger', new Map([['two', 5n]]))
        pools.get('two')!.tokens = 295n
      },
    ]
    const cast: Step = [{ txs: [voteTx('1', 'alice'), voteTx('1', 'bob', 3)] }]
    const begun = [[{}], start(), cast, ...quiet(5), slash] as Step[]
    const { events } = await ingested([...begun, ...quiet(5)])
    const [alice] = restoreVote(events).ballots.values()
    const inTwo = alice?.delegations?.find((each) => each.operatorAddress === operator('two'))
    expect(inTwo?.shares).toBe('10.000000000000000000')
    const counts = { yes: '62', no: '57' }
    const closed = await ingested([...begun, end(counts)])
    expect([closed.counts, closed.warnings]).toEqual([[{ ...NONE, ...counts }], []])
  })

  it('reads every voter once if the result differs, and then the result matches', async () => {
    // The shares of the pool stay the same.
    const unseen: Step = [
      {},
      ({ delegations }) => {
        delegations.get('alice')!.delete('two')
        delegations.set('stranger', new Map([['two', 20n]]))
      },
    ]
    const { counts, readsAtEnd, warnings, alerts } = await ingested([
      [{}] as Step,
      start(),
      votes,
      unseen,
      end({ yes: '55', no: '60', noWithVeto: '490' }),
    ])
    expect(readsAtEnd).toBe(3)
    expect([warnings.length, alerts]).toEqual([1, []])
    expect(counts).toEqual([{ ...NONE, yes: '55', no: '60', noWithVeto: '490' }])
  })

  it('matches if a proposal lowered the limit of bonded pools earlier in the same end block', async () => {
    const limited: Step = [
      {},
      (state) => {
        state.maxPools = 3
        const one = state.pools.get('one')!
        Object.assign(one, { shares: one.tokens, tokens: one.tokens * 1_000_000n })
        // No more power than that, and a higher address.
        state.pools.get('three')!.tokens = one.tokens + 1n
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

  it('has the bonded total of the tally if pools enter and leave the set at the end of the same block', async () => {
    const waiting: Step = [
      {},
      ({ pools }) => void pools.set('four', { tokens: 7n, status: 1, jailed: false }),
    ]
    const cast: Step = [{ txs: [voteTx('1', 'bob', 3)] }]
    const replace: Parameters<typeof end>[2] = ({ pools }) => {
      pools.get('three')!.status = 2
      pools.get('four')!.status = 3
    }
    const steps = [[{}], start(), waiting, cast, end({ no: '60' }, {}, replace)] as Step[]
    const { readings, counts } = await ingested(steps)
    expect(counts).toEqual([{ ...NONE, no: '60' }])
    expect(readings[0]?.bondedTokens).toBe('1000')
  })

  it('names the ballots that are missing if votes are missing in every state', async () => {
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
    const { readings, alerts } = await ingested(steps, {}, chain)
    expect(readings[0]).toMatchObject({
      complete: false,
      incompleteReason: expect.stringContaining('ballots: the node has pruned'),
      ballots: [{ voter: account('alice') }],
    })
    expect(alerts.filter(({ msg }) => /recomputed tally/.test(msg))).toEqual([])
  })

  it('raises an alert if the result still differs, and keeps the reading', async () => {
    const { readings, alerts, warnings } = await ingested([[{}], start(), votes, end({ yes: '1' })])
    expect(readings[0]).toMatchObject({ complete: true, ballots: { length: 3 } })
    expect(warnings).toHaveLength(1)
    expect(alerts).toEqual([
      expect.objectContaining({
        msg: 'recomputed tally differs from the chain',
        proposalId: '1',
        reason: expect.stringContaining('yes 75, the chain has 1'),
      }),
    ])
  })
})
