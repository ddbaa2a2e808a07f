// Tests that a vote reconstructed from past states equals the same vote indexed live, field by field.
import { expect, it } from 'vitest'
import { connectTo } from '../../../support/chain/connected-nodes.ts'
import {
  addAll,
  all,
  begin,
  close,
  liveRounds,
  pastRounds,
  reconstructed,
  withResult,
  withSecondRound,
} from '../../../support/chain/history-run.ts'
import { ingestToTip } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { showChain } from '../../../support/chain/shown-chain.ts'
import { NONE, type Step } from '../../../support/chain/vote-run.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { operator } from '../../../support/simulator/addresses.ts'
import { timeAt } from '../../../support/simulator/blocks.ts'
import { delegateTx, endEvent, voteTx } from '../../../support/simulator/gov-events.ts'

const withBob: Step = [
  {},
  ({ delegations }) => {
    delegations.set('bob', new Map([['one', 60n]]))
  },
]

const votes = (id: string): Step => [
  { txs: [voteTx(id, 'alice'), voteTx(id, 'bob', 3), voteTx(id, 'one', 4)] },
]
const COUNTS = { yes: '75', no: '60', noWithVeto: '490' }

const expectSame = async (steps: readonly Step[], ids: readonly string[]) => {
  const chain = addAll(createMemoryChain(), [[{}], withBob, ...steps])
  const events = await ingestToTip(chain, openMemoryLog())
  for (const id of ids) {
    const live = liveRounds(events, id)
    expect(live.length).toBeGreaterThan(0)
    expect(live.every(({ readings }) => readings.length > 0)).toBe(true)
    expect(pastRounds(await reconstructed(chain, id))).toEqual(live)
  }
}

it('equals an ordinary vote', async () => {
  await expectSame([begin('1', { from: 3, until: 6 }), votes('1'), [{}], close('1', COUNTS)], ['1'])
})

it('equals both rounds of an expedited vote that failed', async () => {
  const restart: Step = [
    { end: [endEvent('1', 'expedited_proposal_rejected')] },
    withSecondRound('1', COUNTS, 9),
  ]
  const second: Step = [{ txs: [voteTx('1', 'bob'), voteTx('1', 'three', 3)] }]
  const steps = [
    begin('1', { from: 3, until: 6, expedited: true }),
    votes('1'),
    [{}],
    restart,
    second,
    [{}],
    close('1', { yes: '60', no: '100' }),
  ] satisfies Step[]
  await expectSame(steps, ['1'])
})

it('equals several votes that end in one block', async () => {
  const ends: Step = [
    { end: [endEvent('1', 'proposal_passed'), endEvent('2', 'proposal_rejected')] },
    all(withResult('1', COUNTS), withResult('2', COUNTS, 4)),
  ]
  const steps = [
    begin('1', { from: 3, until: 7 }),
    begin('2', { from: 4, until: 7 }),
    votes('1'),
    votes('2'),
    ends,
  ] satisfies Step[]
  await expectSame(steps, ['1', '2'])
})

it('equals a vote of accounts without stake, which has a tally of zeros', async () => {
  const cast: Step = [{ txs: [voteTx('1', 'nobody'), voteTx('1', 'stranger', 3)] }]
  const steps = [begin('1', { from: 3, until: 6 }), cast, [{}], close('1', {})] as Step[]
  await expectSame(steps, ['1'])
  const { drafts } = await reconstructed(
    addAll(createMemoryChain(), [[{}], withBob, ...steps]),
    '1',
  )
  expect(drafts.map(({ data }) => data)).toMatchObject([
    { finalTally: NONE, unavailableReason: null },
    { complete: true, ballots: { length: 2 } },
  ])
})

it('equals a vote that a module prolonged', async () => {
  const prolong: Step = [
    {},
    (state) => {
      const [, later] = begin('1', { from: 3, until: 9 })
      later?.(state)
    },
  ]
  const steps = [begin('1', { from: 3, until: 6 }), votes('1'), prolong, [{}], [{}], [{}]]
  await expectSame([...steps, close('1', COUNTS)] as Step[], ['1'])
})

it('equals a vote that the chain ended some blocks after its end', async () => {
  const steps: Step[] = [begin('1', { from: 3, until: 5 }), votes('1'), [{}], [{}], [{}]]
  await expectSame([...steps, close('1', COUNTS), [{}], [{}]], ['1'])
})

it('equals a vote that a module ended early without an event', async () => {
  const silent: Step = [{}, withResult('1', COUNTS)]
  const later = Array.from({ length: 120 }, (): Step => [{}])
  const steps: Step[] = [begin('1', { from: 3, until: 900 }), votes('1'), [{}], silent, ...later]
  await expectSame(steps, ['1'])
})

it('equals a vote that ended in one of several blocks with the same time', async () => {
  const time = timeAt(6)
  const steps: Step[] = [begin('1', { from: 3, until: 6 }), votes('1'), [{}]]
  const same: Step = [{ time }]
  await expectSame([...steps, close('1', COUNTS, { time }), same, same, [{}]], ['1'])
})

it('equals a vote with stake that the proposal itself moved after its tally', async () => {
  const end = delegateTx('alice').events
  const [sketch] = close('1', COUNTS, { end })
  const change = all(withResult('1', COUNTS), ({ delegations }) => {
    delegations.get('alice')?.set('one', 55n)
  })
  const steps: Step[] = [begin('1', { from: 3, until: 6 }), votes('1'), [{}], [sketch, change]]
  await expectSame(steps, ['1'])
})

it.each([
  ['also to pools that are not bonded', 0],
  ['to bonded pools only if there are hundreds of others', 300],
])('equals a vote of many voters, with their delegations %s', async (_, others) => {
  const names = Array.from({ length: 12 }, (_, at) => `voter ${at}`)
  const withVoters: Step = [
    {},
    ({ delegations, pools }) => {
      pools.set('four', { tokens: 900n, status: 1, jailed: false })
      for (let at = 0; at < others; at++) {
        pools.set(`other ${at}`, { tokens: 1n, status: 1, jailed: false })
      }
      for (const [at, name] of names.entries()) {
        const own = ['four', 'one', 'two'].slice(0, 1 + (at % 3))
        delegations.set(name, new Map(own.map((pool) => [pool, BigInt(at + 1)])))
      }
    },
  ]
  const cast: Step = [{ txs: names.map((name) => voteTx('1', name)) }]
  const yes = names.reduce((sum, _, at) => sum + (at % 3) * (at + 1), 0)
  const chain = addAll(createMemoryChain(), [
    [{}],
    withVoters,
    begin('1', { from: 3, until: 6 }),
    cast,
    [{}],
    close('1', { yes: `${yes}` }),
  ])
  const live = liveRounds(await ingestToTip(chain, openMemoryLog()), '1')
  const past = pastRounds(await reconstructed(chain, '1'))
  const bonded = live.map((round) => ({
    ...round,
    readings: round.readings.map((chunk) => ({
      ...chunk,
      ballots: chunk.ballots.map((ballot) => ({
        ...ballot,
        delegations: ballot.delegations!.filter(
          (each) => each.operatorAddress !== operator('four'),
        ),
      })),
    })),
  }))
  expect(past).toEqual(others === 0 ? live : bonded)
  expect(bonded).not.toEqual(live)
  const byVoter = chain.queries.filter(({ path }) => path.endsWith('ValidatorDelegations'))
  expect(byVoter.length).toBeGreaterThan(0)
})

it('is the same over HTTP, from the reader of one of several endpoints', async () => {
  const chain = addAll(createMemoryChain(), [
    [{}],
    withBob,
    begin('1', { from: 3, until: 6 }),
    votes('1'),
    [{}],
    close('1', COUNTS),
    [{}],
  ])
  const shown = showChain(chain)
  const { node } = await connectTo([{ chain: shown }, { chain: shown }])
  const nodes = node.background ?? []
  expect(await reconstructed(chain, '1', { nodes })).toEqual(await reconstructed(chain, '1'))
})
