// Tests ingest as a whole, on a chain and a log in memory: what it cannot decode, read or append.
import { describe, expect, it } from 'vitest'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import { createMetrics } from '../../../infra/base/runtime/metrics.ts'
import { ingestToTip, ofType, startOn } from '../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../support/chain/memory-chain.ts'
import { liveReadings } from '../../support/chain/vote-run.ts'
import { openMemoryLog } from '../../support/log/memory-log.ts'
import { recordingLogger } from '../../support/process/log-lines.ts'
import { voteTx } from '../../support/simulator/gov-events.ts'
import { type ChainState, proposalAt } from '../../support/simulator/state/chain-state.ts'

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

describe('a log', () => {
  it.each([
    ['LOG_FULL', 'log_full', 'the log is full'],
    ['LOG_UNAVAILABLE', 'log_refused', 'the log refuses the append'],
  ] as const)(
    'that refuses appends with %s is an alert until the cause is removed',
    async (code, gauge, words) => {
      const chain = createMemoryChain()
      chain.add({ txs: [voteTx('1', 'alice')] })
      const inner = openMemoryLog()
      let isRefusing = true
      const append: EventLog['append'] = async (entries) => {
        if (isRefusing) throw new AppError(code, 'refused')
        return await inner.append(entries)
      }
      const { logger, lines } = recordingLogger()
      const metrics = createMetrics('ingest')
      const ingest = await startOn(chain, { ...inner, append }, { logger, metrics })
      const readGauge = async () =>
        new RegExp(`^rollcall_ingest_${gauge} (.)`, 'm').exec(await metrics.registry.metrics())?.[1]
      await expect.poll(readGauge).toBe('1')
      isRefusing = false
      await expect.poll(readGauge).toBe('0')
      expect((await inner.last())?.height).toBe(chain.tip)
      await ingest.close()
      const alerts = lines.filter(({ level }) => level === 'error' || level === 'warn')
      expect(alerts).toMatchObject([{ level: 'error', msg: `stopped appending: ${words}` }])
    },
  )

  it('is refused if it is of another chain, or of another CHAIN_ID', async () => {
    const chain = createMemoryChain()
    chain.add()
    const log = openMemoryLog()
    await ingestToTip(chain, log)
    const refusal = { code: 'CHAIN_MISMATCH' }
    await expect(ingestToTip({ ...chain, chainId: 'other-1' }, log)).rejects.toMatchObject(refusal)
    const other = startOn(chain, log, { env: { CHAIN_ID: 'other-1' } })
    await expect(other).rejects.toMatchObject(refusal)
  })
})
