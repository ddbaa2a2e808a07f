// Tests that the state of the chain decides what its events leave open: from the chain to the tables.
import { describe, expect, it } from 'vitest'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import { timeAt } from '../../support/chain/blocks.ts'
import { AT, createForkedChain, type Variant } from '../../support/chain/forked-chain.ts'
import type { GovChain } from '../../support/chain/gov-chain.ts'
import { endEvent, voteTx } from '../../support/chain/gov-events.ts'
import { ingestToTip, ofType, startOn } from '../../support/chain/ingest-run.ts'
import { waitUntil } from '../../support/chain/source-rig.ts'
import { foldHeights } from '../../support/fold/fold-heights.ts'
import { openMemoryLog } from '../../support/log/memory-log.ts'
import { recordingLogger } from '../../support/process/log-lines.ts'
import type { MemoryTables } from '../../support/store/memory-store.ts'

const byHeight = (events: readonly GovernanceEvent[]): GovernanceEvent[][] => {
  const heights = new Map<number, GovernanceEvent[]>()
  for (const event of events) {
    heights.set(event.height, [...(heights.get(event.height) ?? []), event])
  }
  return [...heights.values()]
}

const index = async (chain: GovChain) => {
  const { logger, lines } = recordingLogger()
  const events = await ingestToTip(chain, openMemoryLog(), { logger })
  const found = ofType(events, 'rollcall.proposal.reconciled.v1').map(({ height, data }) => [
    height,
    data.finding,
    data.cause,
  ])
  return { chain, events, found, lines, tables: foldHeights(byHeight(events)) }
}

const run = (variant: Variant, heights?: number) => index(createForkedChain([variant], heights))

const proposal = (tables: MemoryTables) => tables.final('proposals')[0]!
const tally = (tables: MemoryTables) => tables.final('tallies').at(-1)!

/** As the tables have it. */
const timestamp = (height: number): string =>
  timeAt(height)
    .replace('T', ' ')
    .replace(/\.000Z$/, '.000000000')

const FIRST_READING = AT.end + 5

describe('a vote that another module ends', { tags: 'ingest:state-decides' }, () => {
  it.each([
    ['vetoed', AT.act, 'event'],
    ['vetoed silently', FIRST_READING, 'overdue'],
  ] as const)(
    'is served as vetoed at the height of the veto: %s',
    async (variant, height, cause) => {
      const { found, tables } = await run(variant)
      expect(found).toEqual([[height, 'closed', cause]])
      expect(proposal(tables)).toMatchObject({ status: 'vetoed', closed_time: timestamp(AT.act) })
      expect(tally(tables)).toMatchObject({ final: true, matches_chain: 'unknown', no: '550' })
    },
  )

  it('has the tally of the chain, recomputed at its unreported end', async () => {
    const { found, tables, events } = await run('ended by an upgrade')
    expect(found).toEqual([[FIRST_READING, 'closed', 'overdue']])
    expect(proposal(tables)).toMatchObject({
      status: 'rejected',
      closed_time: timestamp(AT.act),
      history_reason: expect.stringContaining('state and its events disagree'),
    })
    expect(tally(tables)).toMatchObject({ yes: '75', no: '550', matches_chain: 'yes' })
    expect(ofType(events, 'rollcall.tally.evidence.v1')[0]?.data.complete).toBe(true)
  })

  it('has no closing time if the states since its last event are pruned', async () => {
    const chain = createForkedChain(['ended by an upgrade'])
    const log = openMemoryLog()
    const whole = createForkedChain(['ended by an upgrade'], AT.act)
    await ingestToTip(whole, log)
    chain.prunedBelow = AT.end
    const events = await ingestToTip(chain, log)
    const [event] = ofType(events, 'rollcall.proposal.reconciled.v1')
    expect(event?.data).toMatchObject({
      closedTime: null,
      closedReason: expect.stringContaining('pruned'),
    })
    const { closed_time, status } = proposal(foldHeights(byHeight(events)))
    expect([status, closed_time]).toEqual(['rejected', null])
  })

  it.each([
    [AT.act - 1, timestamp(AT.act)],
    [AT.act, null],
  ])(
    'has its closing time if the state before it is readable: pruned below %i',
    async (prunedBelow, time) => {
      const log = openMemoryLog()
      await ingestToTip(createForkedChain(['deleted'], AT.act - 1), log)
      const chain = createForkedChain(['deleted'])
      chain.prunedBelow = prunedBelow
      const tables = foldHeights(byHeight(await ingestToTip(chain, log)))
      expect(proposal(tables)).toMatchObject({ status: 'canceled', closed_time: time })
    },
  )

  it('is canceled if its proposal is deleted, and dropped after the end of its deposit period', async () => {
    const deleted = await run('deleted')
    expect(deleted.found).toEqual([[FIRST_READING, 'deleted', 'overdue']])
    expect(proposal(deleted.tables)).toMatchObject({
      status: 'canceled',
      closed_time: timestamp(AT.act),
    })
    const dropped = await run('dropped silently')
    expect(dropped.found).toEqual([[13, 'deleted', 'overdue']])
    expect(proposal(dropped.tables)).toMatchObject({
      status: 'dropped',
      closed_time: timestamp(AT.end),
    })
  })

  it.each([
    ['prolonged', AT.act, 'event'],
    ['prolonged silently', FIRST_READING, 'overdue'],
  ] as const)('stays open with its new end: %s', async (variant, height, cause) => {
    const { found, tables, lines } = await run(variant, FIRST_READING + 3)
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

  it('ends the vote if the state has its result, whatever the name of the result', async () => {
    const { events, tables } = await run('rejected with an unknown result')
    expect(ofType(events, 'rollcall.voting.restarted.v1')).toEqual([])
    expect(proposal(tables)).toMatchObject({ status: 'rejected', round: 1 })
    expect(tally(tables)).toMatchObject({ no: '550', matches_chain: 'yes' })
  })

  it.each(['optimistic_vote_rejected', 'council_proposal_rejected', 'proposal_extended'])(
    'counts as the state says if its name is new: %s',
    async (result) => {
      const restarted = await index(createForkedChain(['converted'], undefined, { result }))
      expect(proposal(restarted.tables)).toMatchObject({ status: 'passed', round: 2 })
      const ended = await index(
        createForkedChain(['rejected with an unknown result'], undefined, { result }),
      )
      expect(proposal(ended.tables)).toMatchObject({ status: 'rejected', round: 1 })
      const deleted = await index(createForkedChain(['forbidden'], undefined, { result }))
      expect(deleted.found).toEqual([[AT.end, 'deleted', 'result']])
    },
  )

  it('cancels a proposal that the chain deleted with it', async () => {
    const { found, tables } = await run('forbidden')
    expect(found).toEqual([[AT.end, 'deleted', 'result']])
    expect(proposal(tables)).toMatchObject({
      status: 'canceled',
      closed_time: timestamp(AT.end),
      history_reason: expect.stringContaining('proposal_forbidden'),
    })
  })

  it('leaves the vote open until a later state is readable', async () => {
    const chain = createForkedChain(['forbidden'], AT.end)
    const { abciQuery } = chain
    const blind: GovChain = Object.assign(Object.create(chain), {
      abciQuery: async (request: Parameters<typeof abciQuery>[0]) =>
        request.height === AT.end
          ? ({ kind: 'pruned', log: 'gone' } as const)
          : await abciQuery(request),
    })
    for (let height = 0; height < 8; height++) chain.add()
    const { found, tables } = await index(blind)
    expect(found).toEqual([
      [AT.end, 'unreadable', 'result'],
      [FIRST_READING, 'deleted', 'overdue'],
    ])
    expect(proposal(tables).status).toBe('canceled')
  })
})

describe('a proposal after its end', () => {
  it('is read at growing distances, and raises one alert if nothing explains that it is open', async () => {
    const { found, tables, lines, chain } = await run('never ended', 400)
    const reads = chain.queries
      .filter(({ path, height }) => path.endsWith('/Proposal') && height > AT.start)
      .map(({ height }) => height - AT.end)
    expect(reads).toEqual([5, 10, 20, 40, 80, 160, 320])
    expect(found).toEqual([[AT.end + 80, 'overdue', 'overdue']])
    expect(proposal(tables)).toMatchObject({
      status: 'voting_period',
      history_reason: expect.stringContaining('still has it open'),
    })
    const alerts = lines.filter(
      ({ msg }) => msg === 'the state of the chain and its events disagree',
    )
    expect(alerts).toMatchObject([{ level: 'error', proposalId: '1', finding: 'overdue' }])
  })

  it('is a reason of the readiness while its reading is not explained', async () => {
    const running = await startOn(
      createForkedChain(['never ended', 'vetoed'], 200),
      openMemoryLog(),
    )
    await waitUntil(() => running.progress().height === 200, 'the tip is indexed')
    expect(running.readiness()).toEqual({
      ready: true,
      reasons: ['proposal 1: its period is over, and the state of the chain still has it open'],
    })
    await running.close()
  })

  it('is not read while no proposal is open', async () => {
    const { chain } = await run('converted', 300)
    const last = chain.queries.filter(({ path }) => path.endsWith('/Proposal')).at(-1)
    expect(last?.height).toBe(AT.laterEnd)
  })

  it('begins and ends its vote without an event', async () => {
    const { found, tables } = await run('started silently')
    expect(found).toEqual([[13, 'closed', 'overdue']])
    expect(proposal(tables).status).toBe('failed')
  })
})

describe('a fact of a proposal that is not open', () => {
  it('opens no proposal that closed earlier in the same block', async () => {
    const chain = createForkedChain(['never ended'], AT.end - 1)
    chain.add({ end: [endEvent('1', 'proposal_rejected'), voteEventOf('1')] }, ({ proposals }) => {
      proposals.set('1', { ...proposals.get('1')!, status: 4 })
    })
    chain.add()
    const { events, tables } = await index(chain)
    expect(ofType(events, 'rollcall.block.indexed.v1').at(-1)?.data.openSince).toBeNull()
    expect(proposal(tables)).toMatchObject({ status: 'rejected' })
    expect(ofType(events, 'rollcall.vote.cast.v1').at(-1)?.data.counted).toBe(false)
  })

  it('opens no proposal that the state has closed, and invents none that it lacks', async () => {
    const chain = createForkedChain(['vetoed'], AT.act + 2)
    chain.add({ txs: [voteTx('1', 'alice'), voteTx('77', 'alice')] })
    chain.add()
    const { events, tables } = await index(chain)
    expect(ofType(events, 'rollcall.block.indexed.v1').at(-1)?.data.openSince).toBeNull()
    expect(tables.final('proposals').map(({ proposal_id }) => proposal_id)).toEqual(['1'])
  })
})

const voteEventOf = (id: string) => voteTx(id, 'bob').events[0]!
