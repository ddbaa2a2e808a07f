// Tests that the state of the chain decides what its events leave open: from the chain to the tables.
import { describe, expect, it } from 'vitest'
import { ingestToTip, ofType } from '../../../support/chain/ingest-run.ts'
import { groupByHeight } from '../../../support/chain/live-tallies.ts'
import { createMemoryChain, type MemoryChain } from '../../../support/chain/memory-chain.ts'
import {
  finalReadings,
  index as indexChain,
  proposal,
  tally,
} from '../../../support/chain/vote-run.ts'
import {
  decide,
  end,
  play,
  remove,
  restart,
  revise,
  type Step,
  stamp,
  submit,
} from '../../../support/chain/votes.ts'
import { foldHeights } from '../../../support/fold/fold-heights.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { timeAt } from '../../../support/simulator/blocks.ts'
import { endEvent, submitTx, voteTx } from '../../../support/simulator/gov-events.ts'
import { toTallyResult } from '../../../support/simulator/state/node-tally.ts'

/** The heights of the acts. */
const AT = { start: 2, act: 6, depositEnd: 8, end: 12, secondVote: 14, laterEnd: 30 } as const
/** The list of x/gov is read every five minutes: 50 blocks. */
const FIRST_READING = 50
const SECOND_READING = 100

const ID = '1'
const TALLY = { yes: '75', no: '550' }
const SECOND_TALLY = { yes: '625' }
const prolonged = revise(ID, { votingEndTime: stamp(AT.laterEnd) })
const tx = (type: string) => ({
  txs: [{ events: [[type, { proposal_id: ID, signer: 'dao' }] as const] }],
})

/** How the vote on the only proposal ends: by other modules, without events, or with results of a fork. */
const VARIANTS = {
  vetoed: { [AT.act]: [tx('veto_proposal'), decide(ID, null, 6)] },
  'vetoed silently': { [AT.act]: [{}, decide(ID, null, 6)] },
  prolonged: { [AT.act]: [tx('extend_voting_period'), prolonged] },
  'prolonged silently': { [AT.act]: [{}, prolonged] },
  'ended by an upgrade': { [AT.act]: [{}, decide(ID, TALLY, 4)] },
  'ended early by a hook': {
    [AT.act]: [
      { end: [['tally_hook', { proposal_id: ID, decided: 'early' }]] },
      decide(ID, SECOND_TALLY),
    ],
  },
  'ended by a hook without a tally': { [AT.end]: [{}, decide(ID, null, 5)] },
  deleted: { [AT.act]: [{}, remove(ID)] },
  converted: {
    [AT.end]: [
      { end: [endEvent(ID, 'expedited_proposal_converted')] },
      restart(ID, TALLY, AT.laterEnd),
    ],
    [AT.secondVote]: [{ txs: [voteTx(ID, 'alice'), voteTx(ID, 'one')] }],
    [AT.laterEnd]: end(ID, SECOND_TALLY),
  },
  forbidden: { [AT.end]: [{ end: [endEvent(ID, 'proposal_forbidden')] }, remove(ID)] },
  'never ended': {},
  'started silently': {
    [AT.act]: [
      {},
      revise(ID, { status: 2, votingStartTime: stamp(AT.act), votingEndTime: stamp(AT.end) }),
    ],
    [AT.end]: [{}, decide(ID, TALLY, 5)],
  },
} satisfies Record<string, Record<number, Step>>
type Variant = keyof typeof VARIANTS

/** The list of proposals is read twice in so many heights. */
const createForkedChain = (variant: Variant, heights = 102): MemoryChain => {
  const inDeposit = variant === 'started silently'
  const acts: Readonly<Record<number, Step>> = VARIANTS[variant]
  const chain = createMemoryChain()
  chain.add()
  chain.add(
    { txs: [submitTx(ID, !inDeposit)] },
    submit(ID, inDeposit ? 1 : 2, {
      expedited: variant === 'converted',
      depositEndTime: stamp(inDeposit ? AT.depositEnd : AT.end),
      finalTallyResult: toTallyResult(),
      ...(inDeposit ? {} : { votingEndTime: stamp(AT.end) }),
    }),
  )
  chain.add(inDeposit ? {} : { txs: [voteTx(ID, 'alice'), voteTx(ID, 'one', 3)] })
  while (chain.tip < heights) play([acts[chain.tip + 1] ?? [{}]], chain)
  return chain
}

/** `found`: height, finding and cause of each. */
const index = async (chain: MemoryChain, options = {}) => {
  const indexed = await indexChain(chain, options)
  const found = ofType(indexed.events, 'rollcall.proposal.reconciled.v1').map(
    ({ height, data }) => [height, data.finding, data.cause],
  )
  return { ...indexed, found }
}
const run = (variant: Variant, heights?: number) => index(createForkedChain(variant, heights))

/** As the tables have it. */
const timestamp = (height: number): string =>
  timeAt(height)
    .replace('T', ' ')
    .replace(/\.000Z$/, '.000000000')

/** One endpoint alone must lack a proposal twice. */
const FORBIDDEN = [
  [AT.end, 'missing', 'result'],
  [FIRST_READING, 'deleted', 'periodic'],
]

describe('a vote that another module ends', { tags: 'ingest:state-decides' }, () => {
  it.each([
    ['vetoed', AT.act, 'event'],
    ['vetoed silently', FIRST_READING, 'periodic'],
  ] as const)(
    'is served as vetoed at the height of the veto: %s',
    async (variant, height, cause) => {
      const { found, tables } = await index(createForkedChain(variant), { isAtTip: true })
      expect(found).toEqual([[height, 'closed', cause]])
      expect(proposal(tables)).toMatchObject({ status: 'vetoed', closed_time: timestamp(AT.act) })
      expect(tally(tables)).toMatchObject({ final: true, matches_chain: 'unknown', no: '550' })
    },
  )

  it('has the outcome of a hook, before its end or at it, with a tally or without one', async () => {
    const early = await run('ended early by a hook')
    expect(early.found).toEqual([[AT.act, 'closed', 'event']])
    expect(proposal(early.tables)).toMatchObject({
      status: 'passed',
      closed_time: timestamp(AT.act),
    })
    expect(tally(early.tables)).toMatchObject({ final: true, chain_yes: '625', chain_no: '0' })
    const untallied = await run('ended by a hook without a tally')
    expect(untallied.found).toEqual([[FIRST_READING, 'closed', 'periodic']])
    expect(proposal(untallied.tables)).toMatchObject({
      status: 'failed',
      closed_time: timestamp(AT.end),
    })
    expect(tally(untallied.tables)).toMatchObject({ final: true, chain_yes: null })
  })

  it('has the tally of the chain, recomputed at its unreported end', async () => {
    const { found, tables, events } = await run('ended by an upgrade')
    expect(found).toEqual([[FIRST_READING, 'closed', 'periodic']])
    expect(proposal(tables)).toMatchObject({
      status: 'rejected',
      closed_time: timestamp(AT.act),
      history_reason: expect.stringContaining('state and its events disagree'),
    })
    expect(tally(tables)).toMatchObject({ yes: '75', no: '550', matches_chain: 'yes' })
    expect(finalReadings(events)[0]?.data.complete).toBe(true)
  })

  it('has no closing time if the states since its last event are pruned', async () => {
    const chain = createForkedChain('ended by an upgrade')
    const log = openMemoryLog()
    const whole = createForkedChain('ended by an upgrade', AT.act)
    await ingestToTip(whole, log)
    chain.prunedBelow = AT.end
    const events = await ingestToTip(chain, log)
    const [event] = ofType(events, 'rollcall.proposal.reconciled.v1')
    expect(event?.data).toMatchObject({
      closedTime: null,
      closedReason: expect.stringContaining('pruned'),
    })
    const { closed_time, status } = proposal(foldHeights(groupByHeight(events)))
    expect([status, closed_time]).toEqual(['rejected', null])
  })

  it.each([
    [AT.act - 1, timestamp(AT.act)],
    [AT.act, null],
  ])(
    'has its closing time if the state before it is readable: pruned below %i',
    async (prunedBelow, time) => {
      const log = openMemoryLog()
      await ingestToTip(createForkedChain('deleted', AT.act - 1), log)
      const chain = createForkedChain('deleted')
      chain.prunedBelow = prunedBelow
      const tables = foldHeights(groupByHeight(await ingestToTip(chain, log)))
      expect(proposal(tables)).toMatchObject({ status: 'canceled', closed_time: time })
    },
  )

  it.each([
    ['prolonged', AT.act, 'event'],
    ['prolonged silently', FIRST_READING, 'periodic'],
  ] as const)('stays open with its new end: %s', async (variant, height, cause) => {
    const { found, tables, lines } = await run(variant)
    expect(found).toEqual([[height, 'changed', cause]])
    expect(proposal(tables)).toMatchObject({
      status: 'voting_period',
      voting_end_time: timestamp(AT.laterEnd),
      history: 'complete',
    })
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('a result that x/gov does not have', () => {
  it('restarts the vote if the state has it in its voting period', async () => {
    const { found, tables } = await run('converted')
    expect(found).toEqual([])
    expect(proposal(tables)).toMatchObject({ status: 'passed', round: 2, expedited: false })
    expect(tally(tables)).toMatchObject({ round: 2, yes: '625', matches_chain: 'yes' })
    expect(tables.final('ballots').map(({ round }) => round)).toEqual([1, 1, 2, 2])
  })

  it('cancels a proposal that the chain deleted with it', async () => {
    const { found, tables } = await run('forbidden')
    expect(found).toEqual(FORBIDDEN)
    expect(proposal(tables)).toMatchObject({
      status: 'canceled',
      closed_time: timestamp(AT.end),
      history_reason: expect.stringContaining('proposal_forbidden'),
    })
  })
})

describe('a proposal after its end', () => {
  it('raises one alert if nothing explains that it is open', async () => {
    const { found, tables, lines } = await run('never ended', 400)
    expect(found).toEqual([[SECOND_READING, 'overdue', 'periodic']])
    expect(proposal(tables)).toMatchObject({
      status: 'voting_period',
      history_reason: expect.stringContaining('still has it open'),
    })
    const alerts = lines.filter(
      ({ msg }) => msg === 'the state of the chain and its events disagree',
    )
    expect(alerts).toMatchObject([{ level: 'error', proposalId: '1', finding: 'overdue' }])
  })

  it('begins and ends its vote without an event', async () => {
    const { found, tables } = await run('started silently')
    expect(found).toEqual([[FIRST_READING, 'closed', 'periodic']])
    expect(proposal(tables).status).toBe('failed')
  })

  it('is in its vote from the reading on that finds it there', {
    tags: 'ingest:state-decides',
  }, async () => {
    const chain = createForkedChain('started silently', AT.act)
    while (chain.tip < FIRST_READING) chain.add()
    const { found, tables } = await index(chain)
    expect(found).toEqual([[FIRST_READING, 'voting', 'periodic']])
    expect(proposal(tables)).toMatchObject({ status: 'voting_period', round: 1 })
  })
})

describe('a fact of a proposal that is not open', () => {
  it('opens no proposal that the state has closed, and invents none that it lacks', async () => {
    const chain = createForkedChain('vetoed', AT.act + 2)
    chain.add({ txs: [voteTx('1', 'alice'), voteTx('77', 'alice')] })
    chain.add()
    const { events, tables } = await index(chain)
    expect(ofType(events, 'rollcall.block.indexed.v1').at(-1)?.data.openSince).toBeNull()
    expect(tables.final('proposals').map(({ proposal_id }) => proposal_id)).toEqual(['1'])
  })
})
