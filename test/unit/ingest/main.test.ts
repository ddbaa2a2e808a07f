// Tests ingest as a whole, on a chain and a log in memory: what it cannot decode, and what it cannot read.
import { describe, expect, it } from 'vitest'
import { ingestToTip, ofType } from '../../support/chain/ingest-run.ts'
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
