// Any number of ABCI events in a block is indexed correctly.
import { describe, expect, it } from 'vitest'
import { ORDINAL, SUB_LIMIT, toPosition } from '../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../ingest/contract/events.ts'
import { derive } from '../../ingest/derive/derive.ts'
import { createBlock } from '../support/chain/decoded-block.ts'
import { ingestToTip, ofType } from '../support/chain/ingest-run.ts'
import { finalReadings } from '../support/chain/vote-run.ts'
import { end, play, submit } from '../support/chain/votes.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { account } from '../support/simulator/addresses.ts'
import type { EventSketch } from '../support/simulator/blocks.ts'
import { optionJson, submitTx, voteTx } from '../support/simulator/gov-events.ts'

const CROWD = 530_000
const noise = (count: number): EventSketch[] =>
  Array.from({ length: count }, () => ['mint', { amount: '5' }] as const)

const computeOrdinal = ({ index }: GovernanceEvent): number => Math.floor(index / SUB_LIMIT)

const expectAscending = (events: readonly GovernanceEvent[]) => {
  const positions = events.map(toPosition)
  for (const [order, position] of positions.entries()) {
    if (order > 0) expect(position).toBeGreaterThan(positions[order - 1]!)
  }
}

/** A vote from its start to its close, with `crowded` around the votes of its second block. */
const voteAround = async (begin: readonly EventSketch[], ending: readonly EventSketch[]) => {
  const chain = play([
    [{}],
    [{ txs: [submitTx('1')] }, submit('1')],
    [{ begin, txs: [voteTx('1', 'alice'), voteTx('1', 'one', 3)] }],
    end('1', { yes: '75', no: '550' }, { begin: ending }),
    [{}],
  ])
  const log = openMemoryLog()
  return { events: await ingestToTip(chain, log) }
}

describe('a block with more ABCI events than the index of a height can number', () => {
  it('is indexed like any other: every vote and the close are in the log, in order, before the marker', {
    tags: 'ingest:crowded-block',
  }, async () => {
    const { events } = await voteAround(noise(CROWD), noise(CROWD))
    const votes = ofType(events, 'rollcall.vote.cast.v1')
    expect(votes.map(({ data }) => data.voter)).toEqual([account('alice'), account('one')])
    expect(votes.map(computeOrdinal)).toEqual([1, 2])
    const [close] = ofType(events, 'rollcall.proposal.closed.v1')
    expect(close).toMatchObject({ height: 4, data: { outcome: 'passed' } })
    const [reading] = finalReadings(events)
    expect(reading?.data).toMatchObject({ complete: true, ballots: { length: 2 } })
    expect(events.at(-1)).toMatchObject({ type: 'rollcall.block.indexed.v1', height: 5 })
    expectAscending(events)
  })
})

describe('a block with more governance events than the index of a height can number', () => {
  it('keeps the events that fit and records the number of omitted ones in the last position', {
    tags: 'ingest:crowded-block',
  }, () => {
    const crowd = Array.from(
      { length: CROWD },
      (_, order): EventSketch => [
        'proposal_deposit',
        { proposal_id: `${order + 1}`, amount: '1stake' },
      ],
    )
    const { facts } = derive(createBlock(9, { end: crowd }))
    expect(facts).toHaveLength(ORDINAL.lastAbciEvent)
    expect(facts.at(-2)).toMatchObject({ kind: 'deposited', ordinal: ORDINAL.lastAbciEvent - 1 })
    expect(facts.at(-1)).toMatchObject({
      kind: 'undecodable',
      ordinal: ORDINAL.lastAbciEvent,
      reason: `${CROWD - ORDINAL.lastAbciEvent + 1} governance events of this height are left out: its index is full`,
    })
  })

  // In quadratic time this took minutes, which the deadline of a test ends.
  it('reads votes without a voter in linear time', () => {
    const vote: EventSketch = ['proposal_vote', { option: optionJson(1), proposal_id: '1' }]
    const block = createBlock(9, { txs: [{ events: Array.from({ length: 60_000 }, () => vote) }] })
    const { facts } = derive(block)
    expect(facts).toHaveLength(60_000)
    expect(facts[0]).toMatchObject({ kind: 'vote_cast', voter: null })
  })
})
