// Tests the comparison of live tallies with those of the node: when it is written, what it costs, and which rule it finds.
import { describe, expect, it } from 'vitest'
import { submitTx, voteTx } from '../../../infra/app/chain/gov-events.ts'
import { proposalAt } from '../../../infra/app/chain/state/chain-state.ts'
import {
  addQuiet,
  counts,
  createVote,
  ingested,
  nodeCounts,
  PERIOD,
  reports,
  type VoteChain,
} from '../../support/chain/compared-vote.ts'
import { ofType } from '../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../support/chain/memory-chain.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../support/log/memory-log.ts'

const TALLY_RESULT = /\/TallyResult$/
const HOUR = 600

/** Returns what ends it. */
const refuseStakes = (chain: VoteChain, fromHeight = 1): (() => void) => {
  const { abciQuery } = chain
  chain.abciQuery = async (query) =>
    /DelegatorDelegations$/.test(query.path) && query.height >= fromHeight
      ? { kind: 'refused', code: 1, codespace: 'sdk', log: 'no' }
      : await abciQuery(query)
  return () => {
    chain.abciQuery = abciQuery
  }
}

describe('a live tally', () => {
  it('is compared with the node once the vote has ballots, and then after an hour of block time', async () => {
    const chain = createVote()
    addQuiet(chain, HOUR + PERIOD)
    const { observed, asked, alerts } = await ingested(chain)
    expect(observed.map(({ height }) => height)).toEqual(asked)
    const [first, second, ...others] = asked
    expect(first).toBeLessThanOrEqual(2 + PERIOD)
    expect([second! - first!, others]).toEqual([HOUR, []])
    expect(observed[0]?.data).toEqual({
      proposalId: '1',
      round: 1,
      counts: counts('550', '75'),
      countsReason: null,
      recomputed: counts('550', '75'),
      recomputedReason: null,
      rule: 'gov',
      agrees: true,
    })
    expect(alerts).toEqual([])
  })

  it('is not compared without ballots, and costs no request then', async () => {
    const chain = createMemoryChain()
    chain.add({ txs: [submitTx('1')] }, (state) => {
      state.proposals.set('1', proposalAt('1', 1, 2))
    })
    addQuiet(chain, 3 * PERIOD)
    expect(await ingested(chain)).toMatchObject({ observed: [], asked: [] })
  })

  it('is compared again at the next reads while it is empty, because every rule agrees then', async () => {
    const chain = createVote((state) => {
      state.delegations.clear()
      for (const pool of state.pools.values()) pool.status = 1
    })
    addQuiet(chain, 2 * PERIOD)
    addQuiet(chain, PERIOD, ({ pools }) => {
      pools.get('one')!.status = 3
    })
    const { observed, asked } = await ingested(chain)
    expect(asked).toHaveLength(3)
    expect(observed.map(({ data }) => data.counts?.yes)).toEqual(['0', '600'])
  })

  it('is null with its reason while delegations are not known, beside the tally of the node', async () => {
    const chain = createVote()
    const endRefusals = refuseStakes(chain)
    addQuiet(chain, 2 * PERIOD)
    const storage = createMemoryLogStorage()
    const { observed, alerts } = await ingested(chain, openMemoryLog(storage))
    expect(observed.map(({ data }) => data)).toMatchObject([
      { counts: counts('550', '75'), recomputed: null, agrees: null, countsReason: null },
    ])
    expect(observed[0]?.data.recomputedReason).toContain('delegations of some voters')
    expect(alerts).toEqual([])
    endRefusals()
    addQuiet(chain, PERIOD)
    const later = await ingested(chain, openMemoryLog(storage))
    expect(later.observed.map(({ data }) => data.agrees)).toEqual([null, true])
  })

  it('is compared at once when an input is missing after it was the same', async () => {
    const chain = createVote()
    addQuiet(chain, 2 * PERIOD)
    refuseStakes(chain, 2 * PERIOD + 1)
    chain.add({ txs: [voteTx('1', 'bob')] })
    addQuiet(chain, 2 * PERIOD)
    const { observed } = await ingested(chain)
    expect(observed.map(({ data }) => data.agrees)).toEqual([true, null])
    expect(observed[1]!.height).toBeLessThanOrEqual(3 * PERIOD + 2)
  })

  it('is null with the reason of the node if the node cannot count', async () => {
    const chain = createVote()
    const { abciQuery } = chain
    chain.abciQuery = async (query) =>
      TALLY_RESULT.test(query.path)
        ? { kind: 'refused', code: 1, codespace: 'sdk', log: 'tally panics' }
        : await abciQuery(query)
    addQuiet(chain, 3 * PERIOD)
    const { observed } = await ingested(chain)
    expect(observed.map(({ data }) => data)).toMatchObject([{ counts: null, agrees: null }])
    expect(observed[0]?.data.countsReason).toContain('tally panics')
  })
})

describe('a rule that is not the one of the node', () => {
  it('is replaced by the one that is, from the same height on', async () => {
    const chain = createVote((state) => {
      state.countsBy = 'no_inheritance'
    })
    addQuiet(chain, HOUR + PERIOD)
    const { observed, rules, alerts } = await ingested(chain)
    expect(observed.map(({ data }) => data)).toMatchObject([
      { counts: counts('0', '75'), rule: 'no_inheritance', instead: 'gov', agrees: true },
      { rule: 'no_inheritance', instead: 'gov', agrees: true },
    ])
    expect(rules).toEqual([
      [1, 'inherit'],
      [observed[0]!.height, 'no_inheritance'],
    ])
    expect(alerts).toEqual([])
  })

  it('is not replaced by one that counts another open vote differently', async () => {
    const chain = createVote((state) => {
      state.proposals.set('2', proposalAt('2', 1, 2))
    })
    chain.add({ txs: [submitTx('2')] })
    // One vote counts by `gov`, the other one by `no_inheritance`.
    chain.add(
      { txs: [voteTx('2', 'one'), voteTx('2', 'alice', 3)] },
      reports(['2', nodeCounts('0', '75')]),
    )
    addQuiet(chain, 2 * PERIOD)
    const { observed, rules } = await ingested(chain)
    const agreed = observed.map(({ data }) => `${data.proposalId} ${data.rule} ${data.agrees}`)
    expect([...agreed].sort()).toEqual(['1 gov true', '2 gov false'])
    expect(rules.every(([, strategy]) => strategy === 'inherit')).toBe(true)
  })

  it('leaves the tally to the node if no known rule fits, and says both numbers once', async () => {
    const chain = createVote(reports(['1', nodeCounts('7', '7')]))
    addQuiet(chain, 3 * PERIOD)
    addQuiet(chain, 2 * PERIOD, reports(['1', nodeCounts('8', '7')]))
    const { observed, alerts, asked, rules } = await ingested(chain)
    expect(observed.map(({ data }) => [data.counts, data.recomputed, data.agrees])).toEqual([
      [counts('7', '7'), counts('550', '75'), false],
      [counts('8', '7'), counts('550', '75'), false],
    ])
    expect(asked).toHaveLength(5)
    expect(alerts).toMatchObject([
      { node: counts('7', '7'), recomputed: counts('550', '75') },
      { node: counts('8', '7'), recomputed: counts('550', '75') },
    ])
    expect(rules).toHaveLength(1)
  })

  it('ends as a limitation of the chain when the tallies agree again', async () => {
    const chain = createVote(reports(['1', nodeCounts('7')]))
    addQuiet(chain, PERIOD)
    addQuiet(chain, PERIOD, reports())
    const { events, observed } = await ingested(chain)
    expect(observed.map(({ data }) => data.agrees)).toEqual([false, true])
    const limitations = ofType(events, 'rollcall.block.indexed.v1').map(({ data }) =>
      (data.limitations ?? []).map(({ kind }) => kind),
    )
    expect(limitations).toContainEqual(['tally_reported'])
    expect(limitations.at(-1)).toEqual([])
  })
})

describe('a chain with rules of its own', () => {
  it('has the tally of the node, and its own rule once exactly one known rule fits', async () => {
    const chain = createVote((state) => {
      state.govPackage = 'fork.gov'
      state.reflection = 'types'
      state.liveTallies = new Map([['1', nodeCounts('7')]])
    })
    addQuiet(chain, PERIOD)
    addQuiet(chain, PERIOD, reports())
    const { observed, rules, alerts } = await ingested(chain)
    expect(observed.map(({ data }) => data)).toMatchObject([
      { counts: counts('7'), recomputed: null, rule: 'own', agrees: null },
      { counts: counts('550', '75'), rule: 'gov', instead: 'own', agrees: true },
    ])
    expect(rules.map(([, strategy]) => strategy)).toEqual(['none', 'inherit'])
    expect(alerts).toEqual([])
  })
})
