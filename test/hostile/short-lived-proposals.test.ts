// A canceled proposal keeps every fact of its events and parameters.
import { describe, expect, it } from 'vitest'
import { formatDecimal } from '../../ingest/contract/decimal.ts'
import { ingestToTip, ofType } from '../support/chain/ingest-run.ts'
import { createMemoryChain } from '../support/chain/memory-chain.ts'
import { foldHeights } from '../support/fold/fold-heights.ts'
import {
  canceled,
  createHeightEvents,
  firstReading,
  reading,
  submitted,
  voteWith,
  votingStarted,
} from '../support/log/governance-events.ts'
import { params, pool, to } from '../support/log/governance-values.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { account } from '../support/simulator/addresses.ts'
import { timeAt } from '../support/simulator/blocks.ts'
import { submitTx } from '../support/simulator/gov-events.ts'
import { encodeTx, submitMessage } from '../support/simulator/txs.ts'

const decimal = (atto: string | null | undefined) =>
  typeof atto === 'string' ? formatDecimal(BigInt(atto)) : atto

describe('the ballots of a canceled vote', () => {
  const run = (delegations: ReturnType<typeof to>[] | null) =>
    foldHeights([
      createHeightEvents(1, [submitted('7')], 1),
      createHeightEvents(2, [votingStarted('7'), firstReading('7', [pool('a'), pool('b')])], 1),
      createHeightEvents(3, voteWith('7', 'alice', [to('a', '10')])),
      createHeightEvents(4, voteWith('7', 'bob', delegations)),
      createHeightEvents(5, [
        reading('7', {
          pools: [pool('a', { tokens: '500', delegatorShares: '1000' })],
          params: params(),
        }),
      ]),
      createHeightEvents(9, [canceled('7')]),
    ]).final('ballots')

  it('have the power of the last live numbers; none of unknown delegations and of removed pools', () => {
    const [alice, bob] = run([to('a', '20'), to('b', '3'), to('removed', '3')])
    expect(decimal(alice?.voting_power_atto)).toBe('5')
    const parts = bob?.delegations.map((each) => decimal(each.voting_power_atto))
    expect([decimal(bob?.voting_power_atto), parts]).toEqual(['13', ['10', '3', '0']])
    expect(run(null).map((row) => decimal(row.voting_power_atto))).toEqual(['5', null])
  })
})

describe('a proposal that is submitted and canceled in one block', () => {
  const run = async (startsVoting: boolean) => {
    const chain = createMemoryChain()
    chain.add()
    const submit = submitTx('7', startsVoting)
    const cancel = ['cancel_proposal', { sender: account('p'), proposal_id: '7' }] as const
    const bytes = encodeTx(submitMessage('Kept', account('p')))
    chain.add({ txs: [{ events: [...submit.events, cancel], bytes }] })
    return await ingestToTip(chain, openMemoryLog())
  }
  const plus = (seconds: number) =>
    new Date(Date.parse(timeAt(2)) + seconds * 1000).toISOString().replace('.000Z', 'Z')

  it('has the end of its deposit period, and the start and the end of its vote', async () => {
    const [deposited] = ofType(await run(false), 'rollcall.proposal.submitted.v1')
    const times = { votingStartTime: null, votingEndTime: null, depositEndTime: plus(600) }
    expect(deposited?.data.proposal).toMatchObject({ status: 'deposit_period', ...times })
    const events = await run(true)
    const [event] = ofType(events, 'rollcall.proposal.submitted.v1')
    expect(event?.data.proposal).toMatchObject({
      status: 'voting_period',
      depositEndTime: plus(600),
      votingStartTime: timeAt(2),
      votingEndTime: plus(600),
    })
    const [row] = foldHeights([events]).final('proposals')
    expect(row).toMatchObject({
      status: 'canceled',
      deposit_end_time: expect.stringContaining(plus(600).slice(11, 19)),
      voting_end_time: expect.stringContaining(plus(600).slice(11, 19)),
    })
  })
})
