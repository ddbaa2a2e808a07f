// Tests ingest as a whole, on a chain and a log in memory: its events, restarts and refusals.
import { describe, expect, it } from 'vitest'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { startIngest } from '../../../ingest/main.ts'
import { createGovStory } from '../../support/chain/gov-story.ts'
import {
  ingestConfig,
  ingestToTip,
  ofType,
  readEvents,
  startOn,
} from '../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../support/chain/memory-chain.ts'
import { finalReadings, liveReadings } from '../../support/chain/vote-run.ts'
import { openMemoryLog } from '../../support/log/memory-log.ts'
import { createFakeClock } from '../../support/process/fake-clock.ts'
import { recordingLogger, silentLogger } from '../../support/process/log-lines.ts'
import { account, operator } from '../../support/simulator/addresses.ts'
import { voteTx } from '../../support/simulator/gov-events.ts'
import { type ChainState, proposalAt } from '../../support/simulator/state/chain-state.ts'

describe('ingest of a whole history', () => {
  it('reports every step of every proposal, in order', async () => {
    const events = await ingestToTip(createGovStory(), openMemoryLog())
    const reported = events
      .filter((event) => event.type !== 'rollcall.round.read.v1' || event.data.final)
      .filter(({ subject }) => subject?.startsWith('proposals/'))
      .map(({ type, subject }) => `${subject?.slice(10)} ${type.slice(9, -3)}`)
    expect(reported.filter((line) => line.startsWith('1 '))).toEqual([
      '1 proposal.submitted',
      '1 proposal.deposited',
      '1 voting.started',
      '1 vote.cast',
      '1 vote.cast',
      '1 proposal.proof',
      '1 vote.cast',
      '1 vote.cast',
      '1 vote.cast',
      '1 proposal.closed',
      '1 round.read',
      '1 proposal.proof',
    ])
    expect(reported.filter((line) => line.startsWith('2 '))).toEqual([
      '2 proposal.submitted',
      '2 proposal.deposited',
      '2 voting.started',
      '2 proposal.proof',
      '2 vote.cast',
      '2 voting.restarted',
      '2 round.read',
      '2 proposal.proof',
      '2 vote.cast',
      '2 proposal.closed',
      '2 round.read',
      '2 proposal.proof',
    ])
    expect(reported).toContain('3 proposal.canceled')
    expect(reported).toContain('4 proposal.dropped')
  })

  it('starts with a snapshot and ends every append with a marker, without gaps', async () => {
    const events = await ingestToTip(createGovStory(), openMemoryLog())
    expect(events[0]?.type).toBe('rollcall.chain.snapshot.v1')
    const markers = ofType(events, 'rollcall.block.indexed.v1')
    let next = 1
    for (const marker of markers) {
      expect(marker.data.from).toBe(next)
      next = marker.height + 1
    }
    expect(events.at(-1)?.type).toBe('rollcall.block.indexed.v1')
  })

  it('counts a restarted vote as a second round', async () => {
    const events = await ingestToTip(createGovStory(), openMemoryLog())
    const votes = ofType(events, 'rollcall.vote.cast.v1').filter((e) => e.data.proposalId === '2')
    expect(votes.map(({ data }) => data.round)).toEqual([1, 2])
    const [restart] = ofType(events, 'rollcall.voting.restarted.v1')
    expect(restart?.data).toMatchObject({ round: 1, finalTally: { yes: '0' } })
    const closes = ofType(events, 'rollcall.proposal.closed.v1')
    expect(closes.map(({ data }) => [data.proposalId, data.round])).toEqual([
      ['1', 1],
      ['2', 2],
    ])
  })

  it('closes with the tally of the chain, the bonded total and the parameters', async () => {
    const events = await ingestToTip(createGovStory(), openMemoryLog())
    const [close] = ofType(events, 'rollcall.proposal.closed.v1')
    expect(close?.data).toMatchObject({
      outcome: 'passed',
      finalTally: { yes: '925', abstain: '0', no: '0', noWithVeto: '0' },
      unavailableReason: null,
    })
    const readings = ofType(events, 'rollcall.round.read.v1')
    expect(readings.find(({ data }) => data.final)?.data).toMatchObject({
      bondedTokens: '1005',
      params: { quorum: '0.334000000000000000' },
    })
  })

  it('does not count the vote of a proposal on itself after its tally', async () => {
    const events = await ingestToTip(createGovStory(), openMemoryLog())
    const votes = ofType(events, 'rollcall.vote.cast.v1').filter((e) => e.data.proposalId === '1')
    expect(votes.map(({ data }) => [data.voter, data.counted]).at(-1)).toEqual([
      account('gov'),
      false,
    ])
    expect(votes.filter(({ data }) => data.counted)).toHaveLength(4)
  })

  it('reads an open vote at first sight, its voters at their height, and moved stake every half minute', async () => {
    const events = await ingestToTip(createGovStory(), openMemoryLog(), { isAtTip: true })
    const readings = liveReadings(events).filter(({ data }) => data.proposalId === '1')
    const [first, cast] = readings
    expect(first).toMatchObject({ height: 3, data: { allPools: true, allBallots: true } })
    expect(first?.data).toMatchObject({ pools: { length: 3 }, bondedTokens: '1000', ballots: [] })
    const [vote] = ofType(events, 'rollcall.vote.cast.v1')
    expect([cast?.height, cast?.data.pools]).toEqual([vote?.height, []])
    const inOne = (reading: typeof first) =>
      reading?.data.ballots
        .find(({ voter }) => voter === account('alice'))
        ?.delegations?.find(({ operatorAddress }) => operatorAddress === operator('one'))?.shares
    expect(inOne(cast)).toBe('50.000000000000000000')
    // Five blocks are half a minute.
    const delegatedAt = 10
    const moved = readings.find(({ height }) => height >= delegatedAt && height < delegatedAt + 5)
    expect(inOne(moved)).toBe('55.000000000000000000')
    expect(moved?.data.pools.map(({ tokens }) => tokens)).toEqual(['605'])
  })

  it('reads nothing of an open vote behind the tip, and the same close', async () => {
    const chain = createGovStory()
    const isAtTip = true
    const live = await ingestToTip(chain, openMemoryLog(), { isAtTip })
    for (let height = 0; height < 12; height++) chain.add()
    const past = await ingestToTip(chain, openMemoryLog())
    const last = liveReadings(past)[0]
    expect(last?.height).toBeGreaterThanOrEqual(chain.tip - 10)
    expect(finalReadings(past)).toEqual(finalReadings(live))
    expect(finalReadings(past)).toHaveLength(3)
  })
})

describe('ingest with a wrong log or start', () => {
  it('refuses a log of another chain', async () => {
    const log = openMemoryLog()
    await ingestToTip(createGovStory(), log)
    const other = { ...createGovStory(), chainId: 'other-1' }
    const ingest = await startOn(other, log)
    await expect(ingest.done).rejects.toMatchObject({ code: 'CHAIN_MISMATCH' })
  })

  it('refuses a configured chain ID that differs from the log', async () => {
    const log = openMemoryLog()
    await ingestToTip(createGovStory(), log)
    const started = startOn(createGovStory(), log, { env: { CHAIN_ID: 'other-1' } })
    await expect(started).rejects.toMatchObject({ code: 'CHAIN_MISMATCH' })
  })

  it('refuses a start height after the tip', async () => {
    const chain = createMemoryChain()
    chain.add()
    const ingest = await startOn(chain, openMemoryLog(), { env: { START_HEIGHT: '99' } })
    await expect(ingest.done).rejects.toThrow(/START_HEIGHT: 99 is ahead/)
  })
})

describe('a chain that cannot be reached', () => {
  it('makes ingest wait, and ingest can be closed at once', async () => {
    const clock = createFakeClock({ autoAdvance: false })
    const ingest = await startIngest({
      config: ingestConfig(),
      log: openMemoryLog(),
      logger: silentLogger(),
      metrics: createMetrics('ingest'),
      clock,
    })
    await expect.poll(() => clock.sleeps.length).toBeGreaterThan(0)
    expect(ingest.progress()).toMatchObject({ phase: 'backfill', height: 0 })
    await ingest.close()
    await expect(ingest.done).resolves.toBeUndefined()
  })
})

describe('undecodable events and pruned state', () => {
  it('keeps an undecodable event with the reason, and raises an alert', {
    tags: 'ingest:undecodable-event-is-kept',
  }, async () => {
    const chain = createMemoryChain()
    chain.add({ txs: [{ events: [['proposal_vote', { proposal_id: '1', option: 'maybe' }]] }] })
    const { logger, lines } = recordingLogger()
    const events = await ingestToTip(chain, openMemoryLog(), { logger })
    const [undecodable] = ofType(events, 'rollcall.abci-event.undecodable.v1')
    expect(undecodable?.data).toMatchObject({
      abciType: 'proposal_vote',
      proposalId: '1',
      attributes: [
        { key: 'proposal_id', value: '1' },
        { key: 'option', value: 'maybe' },
      ],
      reason: 'proposal_vote: its option is in no known format',
    })
    expect(lines.filter(({ level }) => level === 'error').map(({ msg }) => msg)).toEqual([
      'kept undecodable governance events',
    ])
  })

  it('is reported in the event if the node has pruned the height', {
    tags: 'ingest:missing-state-is-null',
  }, async () => {
    const chain = createMemoryChain()
    const putVoting = ({ proposals }: ChainState) => proposals.set('1', proposalAt('1', 1, 2))
    for (let height = 0; height < 5; height++) {
      chain.add({ txs: [voteTx('1', 'alice')] }, putVoting)
    }
    const log = openMemoryLog()
    await ingestToTip(chain, log)
    for (let height = 0; height < 5; height++) chain.add({ txs: [voteTx('1', 'alice')] })
    chain.prunedBelow = 9
    const events = await ingestToTip(chain, log)
    const readAt = (height: number) =>
      liveReadings(events).find((reading) => reading.height === height)?.data
    expect(readAt(5)?.ballots[0]?.delegations).toHaveLength(3)
    expect(readAt(6)).toMatchObject({
      complete: false,
      incompleteReason: expect.stringContaining('pruned'),
      ballots: [{ delegations: null, delegationsReason: expect.stringContaining('pruned') }],
    })
  })
})

describe('live ingest', () => {
  const until = async (holds: () => Promise<boolean>) => {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 1))
  }

  it('appends a vote at once, and one marker for several heights without events within the time limit', async () => {
    const chain = createGovStory()
    const log = openMemoryLog()
    const ingest = await startOn(chain, log)
    const isAtTip = async () => (await log.last())?.height === chain.tip
    await until(isAtTip)
    const before = (await readEvents(log)).length
    chain.add({ txs: [voteTx('5', 'two')] })
    await until(isAtTip)
    for (let height = 0; height < 4; height++) chain.add()
    await until(isAtTip)
    await ingest.close()
    const fresh = (await readEvents(log)).slice(before).map(({ type }) => type.slice(9, -3))
    expect(fresh.slice(0, 3)).toEqual(['vote.cast', 'round.read', 'block.indexed'])
    expect(fresh.slice(3).filter((type) => type === 'block.indexed').length).toBeLessThan(4)
  })
})

describe('a full log', () => {
  it('stops appending with an alert, keeps running, and continues when there is space', async () => {
    const chain = createGovStory()
    const inner = openMemoryLog()
    let isFull = true
    const full: EventLog = {
      ...inner,
      append: async (entries) => {
        if (isFull) throw new AppError('LOG_FULL', 'no space left')
        return await inner.append(entries)
      },
    }
    const { logger, lines } = recordingLogger()
    const ingest = await startOn(chain, full, { logger })
    while (!lines.some(({ msg }) => msg === 'stopped appending: the log is full')) {
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(await readEvents(inner)).toEqual([])
    expect(ingest.progress().phase).toBe('backfill')
    isFull = false
    while ((await inner.last())?.height !== chain.tip) {
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    expect(ingest.progress()).toMatchObject({ phase: 'live', height: chain.tip, tip: chain.tip })
    await ingest.close()
    await expect(ingest.done).resolves.toBeUndefined()
  })
})
