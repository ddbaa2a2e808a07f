// Tests the comparison of live tallies with those of the node: when it is made, what it repairs, and which rule it finds.
import type { TallyResult } from 'cosmjs-types/cosmos/gov/v1/gov'
import { describe, expect, it } from 'vitest'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { ingestToTip, ofType } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain, type MemoryChain } from '../../../support/chain/memory-chain.ts'
import {
  type Change,
  end,
  finalReadings,
  ingested,
  liveReadings,
  NONE,
  quiet,
  type Step,
  start,
} from '../../../support/chain/vote-run.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../../support/log/memory-log.ts'
import { timeAt } from '../../../support/simulator/blocks.ts'
import { voteTx } from '../../../support/simulator/gov-events.ts'
import { toTimestamp } from '../../../support/simulator/state/chain-state.ts'
import { toTallyResult } from '../../../support/simulator/state/node-tally.ts'

const TALLY_RESULT = /\/TallyResult$/
/** So many blocks of six seconds. */
const TWO_MINUTES = 20
const TEN_MINUTES = 100
/** The first reading of pools after the votes. */
const FIRST = 7

const counts = (yes: string, no = '0') => ({ ...NONE, yes, no })
/** The tally of the node, in place of that of the state. */
const reports =
  (...tallies: readonly (readonly [id: string, yes: string, no?: string])[]): Change =>
  (state) => {
    state.liveTallies = new Map(
      tallies.map(([id, yes, no = '0']): [string, TallyResult] => [id, toTallyResult({ yes, no })]),
    )
  }

/** An operator votes yes, one of its delegators no. */
const cast: Step = [{ txs: [voteTx('1', 'one'), voteTx('1', 'alice', 3)] }]

const startWith = (change: Change): Step => {
  const [sketch, begin] = start()
  return [
    sketch,
    (state) => {
      begin?.(state)
      change(state)
    },
  ]
}

const comparedIn = (events: readonly GovernanceEvent[]) =>
  liveReadings(events).filter(({ data }) => data.nodeTally !== undefined)

const limitationsIn = (events: readonly GovernanceEvent[]) =>
  ofType(events, 'rollcall.block.indexed.v1').map(({ data }) =>
    (data.limitations ?? []).map(({ kind }) => kind),
  )

const follow = async (steps: readonly Step[], chain: MemoryChain = createMemoryChain()) => {
  const { events, alerts } = await ingested([[{}], ...steps], {}, chain)
  const compared = comparedIn(events)
  return {
    events,
    alerts,
    compared,
    heights: compared.map(({ height }) => height),
    asked: chain.queries.filter(({ path }) => TALLY_RESULT.test(path)).map(({ height }) => height),
  }
}

describe('the tally of the node', () => {
  it('is asked for once the vote has ballots, then every ten minutes, and two minutes after a change', async () => {
    const steps = [start(), cast, ...quiet(2 * TEN_MINUTES + 10)]
    const { heights, asked, compared, alerts } = await follow(steps)
    expect(heights).toEqual([FIRST, FIRST + TEN_MINUTES, FIRST + 2 * TEN_MINUTES])
    expect(asked).toEqual(heights)
    expect(compared[0]?.data).toMatchObject({ nodeTally: counts('550', '75'), agrees: true })
    expect(alerts).toEqual([])
    const later: Step = [{ txs: [voteTx('1', 'bob')] }]
    const changed = await follow([start(), cast, ...quiet(6), later, ...quiet(TWO_MINUTES + 5)])
    expect(changed.heights).toEqual([FIRST, FIRST + TWO_MINUTES])
  })

  it('is asked for in the last minute of the vote', async () => {
    const endsAt = 60
    const begin = startWith(({ proposals }) => {
      proposals.set('1', { ...proposals.get('1')!, votingEndTime: toTimestamp(timeAt(endsAt)) })
    })
    const { heights } = await follow([begin, cast, ...quiet(endsAt - 5)])
    expect(heights[0]).toBe(FIRST)
    expect(heights[1]).toBeGreaterThanOrEqual(endsAt - 10)
  })

  it('is not asked for without ballots', async () => {
    const { compared, asked } = await follow([start(), ...quiet(30)])
    expect([compared, asked]).toEqual([[], []])
  })

  it('is null if the node cannot count', async () => {
    const chain = createMemoryChain()
    const { abciQuery } = chain
    chain.abciQuery = async (query) =>
      TALLY_RESULT.test(query.path)
        ? { kind: 'refused', code: 1, codespace: 'sdk', log: 'tally panics' }
        : await abciQuery(query)
    const { compared } = await follow([start(), cast, ...quiet(10)], chain)
    expect(compared.map(({ data }) => [data.nodeTally, data.agrees])).toEqual([[null, undefined]])
  })
})

/** Neither an event nor the shares of a pool show it. */
const moveSilently: Change = ({ delegations }) => {
  delegations.get('alice')!.delete('two')
  delegations.set('stranger', new Map([['two', 20n]]))
}

describe('a tally that is not that of the node', () => {
  it.each([
    ['at the first comparison', 2],
    ['at a later one', 50],
  ])('is repaired by a full reading: %s', async (_, blocks) => {
    const steps = [start(), cast, ...quiet(blocks), ...quiet(TEN_MINUTES, moveSilently)]
    const { events, compared, alerts } = await follow(steps)
    const last = compared.at(-1)
    expect(last?.data).toMatchObject({
      nodeTally: counts('550', '55'),
      agrees: true,
      allBallots: true,
      allPools: true,
      ballots: { length: 2 },
    })
    expect(compared.every(({ data }) => data.agrees)).toBe(true)
    expect(alerts).toEqual([])
    expect(limitationsIn(events).flat()).toEqual([])
  })

  it('is a limitation of the chain after two full readings, until they agree again', async () => {
    const steps = [
      startWith(reports(['1', '7', '7'])),
      cast,
      ...quiet(TWO_MINUTES + 15),
      ...quiet(TEN_MINUTES + TWO_MINUTES, reports()),
    ]
    const { events, compared, alerts } = await follow(steps)
    const [first, second, ...others] = compared
    expect([first, second].map((each) => each?.data)).toMatchObject([
      { nodeTally: counts('7', '7'), agrees: false, allBallots: true },
      { nodeTally: counts('7', '7'), agrees: false, allBallots: true },
    ])
    const kindsAt = (height: number) =>
      ofType(events, 'rollcall.block.indexed.v1').find((marker) => marker.height === height)?.data
        .limitations ?? []
    expect(kindsAt(first!.height)).toEqual([])
    expect(kindsAt(second!.height)).toMatchObject([{ kind: 'tally_reported' }])
    expect(others.at(-1)?.data).toMatchObject({ nodeTally: counts('550', '75'), agrees: true })
    expect(limitationsIn(events).at(-1)).toEqual([])
    expect(alerts.length).toBe(compared.filter(({ data }) => data.agrees === false).length)
  })

  it('is no limitation while the stake of a voter cannot be read', async () => {
    const chain = createMemoryChain()
    const { abciQuery } = chain
    let isRefused = true
    chain.abciQuery = async (query) =>
      /DelegatorDelegations$/.test(query.path) && isRefused
        ? { kind: 'refused', code: 1, codespace: 'sdk', log: 'no' }
        : await abciQuery(query)
    const log = createMemoryLogStorage()
    const steps = [[{}], start(), cast, ...quiet(3 * TWO_MINUTES)] as Step[]
    for (const [sketch, change] of steps) chain.add(sketch, change)
    const events = await ingestToTip(chain, openMemoryLog(log), { isAtTip: true })
    const compared = comparedIn(events)
    expect(compared.length).toBeGreaterThan(2)
    expect(compared.every(({ data }) => data.nodeTally && data.agrees === undefined)).toBe(true)
    expect(limitationsIn(events).flat()).toEqual([])
    isRefused = false
    for (const [sketch] of quiet(TWO_MINUTES + 5)) chain.add(sketch)
    const all = await ingestToTip(chain, openMemoryLog(log), { isAtTip: true })
    expect(comparedIn(all).at(-1)?.data.agrees).toBe(true)
  })
})

/** No rule fits at first, then `no_inheritance`; it stays for the next proposal, although none is open in between. */
const adopting = (): Step[] => [
  [{}],
  startWith((state) => {
    state.countsBy = 'no_inheritance'
    reports(['1', '7'])(state)
  }),
  cast,
  ...quiet(10),
  ...quiet(TWO_MINUTES, reports()),
  end({ no: '75' }),
  ...quiet(5),
  start('2'),
  [{ txs: [voteTx('2', 'one'), voteTx('2', 'alice', 3)] }],
  ...quiet(10),
]

describe('a rule that gives the tally of the node', () => {
  it('is adopted, counts at the close, and is that of the next proposals', async () => {
    const { events, alerts } = await ingested(adopting())
    const compared = comparedIn(events).map(
      ({ data }) => `${data.proposalId} ${data.rule ?? 'gov'} ${data.agrees}`,
    )
    expect(compared).toEqual(['1 gov false', '1 no_inheritance true', '2 no_inheritance true'])
    expect(comparedIn(events).at(-1)?.data.instead).toBe('gov')
    const [final] = finalReadings(events)
    expect(final?.data).toMatchObject({ rule: 'no_inheritance', complete: true })
    const marker = ofType(events, 'rollcall.block.indexed.v1').at(-1)
    expect(marker?.data.adoptedRule).toEqual({ rule: 'no_inheritance', instead: 'gov' })
    expect(alerts.map(({ msg }) => msg)).toEqual([
      'the tally of the node differs from the recomputed one',
    ])
  })

  it.each([3, 10, 30, 36, 40])('is the same after a restart at height %i', async (height) => {
    const options = { config: { maxBatchHeights: 1 }, isAtTip: true }
    const chain = createMemoryChain()
    for (const [sketch, change] of adopting()) chain.add(sketch, change)
    const storage = createMemoryLogStorage()
    const inner = openMemoryLog(storage)
    const killed = {
      ...inner,
      append: async (entries: Parameters<typeof inner.append>[0]) => {
        if (entries.some((entry) => entry.height >= height)) {
          throw new AppError('LOG_FENCED', 'killed')
        }
        return await inner.append(entries)
      },
    }
    await expect(ingestToTip(chain, killed, options)).rejects.toThrow('killed')
    const events = await ingestToTip(chain, openMemoryLog(storage), options)
    const [final] = finalReadings(events)
    expect(final?.data).toMatchObject({ rule: 'no_inheritance', complete: true })
    expect(comparedIn(events).at(-1)?.data).toMatchObject({ proposalId: '2', agrees: true })
  })

  it('is found for a chain whose own rules are not known, once exactly one fits', async () => {
    const begin = startWith((state) => {
      state.govPackage = 'fork.gov'
      state.reflection = 'types'
      reports(['1', '7'])(state)
    })
    const steps = [begin, cast, ...quiet(10), ...quiet(TWO_MINUTES, reports())]
    const { events, compared, alerts } = await follow(steps)
    expect(compared.map(({ data }) => data)).toMatchObject([
      { nodeTally: counts('7'), rule: 'own' },
      { nodeTally: counts('550', '75'), instead: 'own', agrees: true },
    ])
    expect(compared[0]?.data.agrees).toBeUndefined()
    expect(limitationsIn(events)).toContainEqual(['tally_reported'])
    expect(limitationsIn(events).at(-1)).toEqual([])
    expect(alerts).toEqual([])
  })
})
