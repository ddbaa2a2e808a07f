// Tests the comparison of live tallies with those of the node: when it is written, what it costs, and which rule it finds.
import { TallyResult } from 'cosmjs-types/cosmos/gov/v1/gov'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../infra/runtime/errors.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import { createGovChain, proposalAt } from '../../support/chain/gov-chain.ts'
import type { ChainState } from '../../support/chain/gov-chain-state.ts'
import { endEvent, submitTx, voteTx } from '../../support/chain/gov-events.ts'
import { ingestToTip, ofType, readRecordTexts } from '../../support/chain/ingest-run.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../support/log/memory-log.ts'
import { recordingLogger } from '../../support/process/log-lines.ts'

type Change = (state: ChainState) => void

const TALLY_RESULT = /\/TallyResult$/
// Five blocks of six seconds are one period of reads.
const PERIOD = 5
const HOUR = 600

/** A vote with a ballot of an operator (yes) and one of a delegator (no). */
const createVote = (change: Change = () => {}) => {
  const chain = createGovChain()
  chain.add({ txs: [submitTx('1')] }, (state) => {
    state.proposals.set('1', proposalAt('1', 1, 2))
    change(state)
  })
  chain.add({ txs: [voteTx('1', 'one'), voteTx('1', 'alice', 3)] })
  return chain
}
type Chain = ReturnType<typeof createVote>
const addQuiet = (chain: Chain, heights: number, change?: Change): void => {
  for (let left = heights; left > 0; left--) chain.add({}, left === heights ? change : undefined)
}

const observedIn = (events: readonly GovernanceEvent[]) =>
  ofType(events, 'rollcall.tally.observed.v1')

const ingested = async (chain: Chain, log = openMemoryLog()) => {
  const { logger, lines } = recordingLogger()
  const events = await ingestToTip(chain, log, { logger })
  return {
    events,
    observed: observedIn(events),
    asked: chain.queries.filter(({ path }) => TALLY_RESULT.test(path)).map(({ height }) => height),
    alerts: lines.filter(({ level }) => level === 'error'),
    rules: ofType(events, 'rollcall.params.observed.v1').map(({ height, data }) => [
      height,
      data.strategy ?? 'inherit',
    ]),
  }
}

const counts = (yes: string, no = '0') => ({ yes, abstain: '0', no, noWithVeto: '0' })
const nodeCounts = (yes: string, no = '0'): TallyResult =>
  TallyResult.fromPartial({ yesCount: yes, abstainCount: '0', noCount: no, noWithVetoCount: '0' })

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
    const chain = createGovChain()
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
    const { abciQuery } = chain
    let fails = true
    chain.abciQuery = async (query) =>
      fails && /DelegatorDelegations$/.test(query.path)
        ? { kind: 'refused', code: 1, codespace: 'sdk', log: 'no' }
        : await abciQuery(query)
    addQuiet(chain, 2 * PERIOD)
    const storage = createMemoryLogStorage()
    const { observed, alerts } = await ingested(chain, openMemoryLog(storage))
    expect(observed.map(({ data }) => data)).toMatchObject([
      { counts: counts('550', '75'), recomputed: null, agrees: null, countsReason: null },
    ])
    expect(observed[0]?.data.recomputedReason).toContain('delegations of some voters')
    expect(alerts).toEqual([])
    fails = false
    addQuiet(chain, PERIOD)
    const later = await ingested(chain, openMemoryLog(storage))
    expect(later.observed.map(({ data }) => data.agrees)).toEqual([null, true])
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
    chain.add({ txs: [voteTx('2', 'one'), voteTx('2', 'alice', 3)] }, (state) => {
      state.liveTallies = new Map([['2', nodeCounts('0', '75')]])
    })
    addQuiet(chain, 2 * PERIOD)
    const { observed, rules } = await ingested(chain)
    const agreed = observed.map(({ data }) => `${data.proposalId} ${data.rule} ${data.agrees}`)
    expect([...agreed].sort()).toEqual(['1 gov true', '2 gov false'])
    expect(rules.every(([, strategy]) => strategy === 'inherit')).toBe(true)
  })

  it('leaves the tally to the node if no known rule fits, and says both numbers once', async () => {
    const chain = createVote((state) => {
      state.liveTallies = new Map([['1', nodeCounts('7', '7')]])
    })
    addQuiet(chain, 3 * PERIOD)
    addQuiet(chain, 2 * PERIOD, (state) => {
      state.liveTallies = new Map([['1', nodeCounts('8', '7')]])
    })
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
    const chain = createVote((state) => {
      state.liveTallies = new Map([['1', nodeCounts('7')]])
    })
    addQuiet(chain, PERIOD)
    addQuiet(chain, PERIOD, (state) => {
      state.liveTallies = new Map()
    })
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
    addQuiet(chain, PERIOD, (state) => {
      state.liveTallies = new Map()
    })
    const { observed, rules, alerts } = await ingested(chain)
    expect(observed.map(({ data }) => data)).toMatchObject([
      { counts: counts('7'), recomputed: null, rule: 'own', agrees: null },
      { counts: counts('550', '75'), rule: 'gov', instead: 'own', agrees: true },
    ])
    expect(rules.map(([, strategy]) => strategy)).toEqual(['none', 'inherit'])
    expect(alerts).toEqual([])
  })
})

/** No rule fits at first, then `no_inheritance`; it stays for the next proposal, although none is open in between. */
const createStory = () => {
  const chain = createVote((state) => {
    state.countsBy = 'no_inheritance'
    state.liveTallies = new Map([['1', nodeCounts('7')]])
  })
  addQuiet(chain, 2 * PERIOD)
  addQuiet(chain, PERIOD, (state) => {
    state.liveTallies = new Map()
  })
  chain.add({ end: [endEvent('1', 'proposal_passed')] }, (state) => {
    const finalTallyResult = nodeCounts('0', '75')
    state.proposals.set('1', { ...state.proposals.get('1')!, status: 3, finalTallyResult })
  })
  addQuiet(chain, PERIOD)
  const height = chain.tip + 1
  chain.add({ txs: [submitTx('2')] }, (state) => {
    state.proposals.set('2', proposalAt('2', height, 2))
  })
  chain.add({ txs: [voteTx('2', 'one'), voteTx('2', 'alice', 3)] })
  addQuiet(chain, PERIOD)
  return chain
}

describe('an adopted rule', () => {
  it('stays after the vote, counts at its close, and is that of the next proposals', async () => {
    const { events, observed, rules, alerts } = await ingested(createStory())
    expect(observed.map(({ data }) => `${data.proposalId} ${data.rule} ${data.agrees}`)).toEqual([
      '1 gov false',
      '1 no_inheritance true',
      '2 no_inheritance true',
    ])
    expect(rules.map(([, strategy]) => strategy)).toEqual([
      'inherit',
      'no_inheritance',
      'no_inheritance',
    ])
    const [evidence] = ofType(events, 'rollcall.tally.evidence.v1')
    expect(evidence?.data).toMatchObject({ strategy: 'no_inheritance', complete: true })
    expect(alerts.map(({ msg }) => msg)).toEqual([
      'the tally of the node differs from the recomputed one',
    ])
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
    'is the same after a restart at append %i',
    async (append) => {
      const env = { BACKFILL_BATCH_HEIGHTS: '1' }
      const chain = createStory()
      const undisturbed = openMemoryLog()
      await ingestToTip(chain, undisturbed, { env })
      const storage = createMemoryLogStorage()
      const inner = openMemoryLog(storage)
      let left = append
      const killed = {
        ...inner,
        append: async (...entries: Parameters<typeof inner.append>) => {
          if (left-- === 0) throw new AppError('LOG_FENCED', 'killed')
          return await inner.append(...entries)
        },
      }
      await expect(ingestToTip(chain, killed, { env })).rejects.toThrow('killed')
      const resumed = openMemoryLog(storage)
      await ingestToTip(chain, resumed, { env })
      expect(await readRecordTexts(resumed)).toEqual(await readRecordTexts(undisturbed))
    },
  )
})
