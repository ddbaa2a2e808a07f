// The snapshot before the first height, records that cannot be read, and the archive of all of them.
import { describe, expect, it } from 'vitest'
import { indexOf, ORDINAL, positionOf } from '../../../../ingest/contract/envelope.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { readRecord } from '../../../../projections/fold/record.ts'
import { foldHeights, recordsOf } from '../../../support/fold-heights.ts'
import {
  earlierVote,
  heightOf,
  paramsObserved,
  poolsObserved,
  snapshot,
  submitted,
  unread,
  vote,
  votingStarted,
  votingState,
} from '../../../support/governance-events.ts'
import { pool, timeOf, to } from '../../../support/governance-values.ts'

const pools = [pool('a'), pool('b')]
const _chainTime = (height: number) => `${timeOf(height).replace('T', ' ').replace('Z', '')}000000`
const opening: GovernanceEvent[][] = [
  heightOf(1, [submitted('7')], 1),
  heightOf(2, [votingStarted('7'), poolsObserved(pools), paramsObserved()], 1),
  heightOf(3, [vote('7', 'a-account', { delegations: [to('a', '1')] })], 1),
]
const setup = (...heights: GovernanceEvent[][]) => {
  const tables = foldHeights(heights)
  return {
    tables,
    proposal: tables.final('proposals')[0],
    tally: tables.final('tallies').at(-1),
    watermark: tables.final('watermarks')[0],
  }
}

describe('the state before the first indexed height', () => {
  it('tells a proposal that was closed, and owns up to what it cannot know', () => {
    const finalTally = { yes: '9', abstain: '1', no: '2', noWithVeto: '3' }
    const proposal = votingState('3', { status: 'rejected', finalTally })
    const {
      proposal: row,
      tally,
      watermark,
      tables,
    } = setup(
      heightOf(100, [snapshot({ proposals: [{ proposal, messages: [], round: 1 }], pools })]),
    )
    expect(row).toMatchObject({ status: 'rejected', closed_time: null, submitted_height: null })
    expect(row).toMatchObject({ history: 'partial', round: 1 })
    expect(row?.history_reason).toBe('closed before the first indexed height 100')
    expect(tally).toMatchObject({ yes: '9', no_with_veto: '3', chain_abstain: '1', final: true })
    expect(tally).toMatchObject({ bonded_tokens: null, pools_voted: null, ballots: null })
    expect(watermark?.final).toBe(true)
    expect(tables.final('pools')).toHaveLength(2)
  })

  it('goes on with open votes: ballots by the voter’s address, without height or time', () => {
    const proposal = votingState('3')
    const { tables, tally } = setup(
      heightOf(100, [
        snapshot(
          {
            proposals: [{ proposal, messages: [], round: 1 }],
            votes: [earlierVote('3', 'zoe', { delegations: [to('b', '2')] })],
            pools,
          },
          0,
          2,
        ),
        snapshot({ votes: [earlierVote('3', 'a-account', { delegations: [to('a', '1')] })] }, 1, 2),
      ]),
      heightOf(101, [vote('3', 'zoe', { delegations: [to('b', '2')] })]),
    )
    expect(tables.final('ballots')).toMatchObject([
      { voter: 'a-account', height: null, time: null, tx_hash: null },
      { voter: 'zoe', height: '101' },
    ])
    expect(tables.final('pool_votes')).toMatchObject([
      { operator_address: 'a-operator', voted: true, vote_height: null },
      { operator_address: 'b-operator', voted: false },
    ])
    expect(tally).toMatchObject({ yes: '1002', final: false, threshold: '0.5' })
  })

  it('keeps the failed round of a vote that was restarted before', () => {
    const finalTally = { yes: '1', abstain: '0', no: '2', noWithVeto: '0' }
    const proposal = votingState('3', { finalTally })
    const { tables } = setup(
      heightOf(100, [snapshot({ proposals: [{ proposal, messages: [], round: 2 }], pools })]),
    )
    expect(tables.final('tallies')).toMatchObject([
      { round: 1, no: '2', final: true },
      { round: 2, yes: '0', final: false },
    ])
  })

  it('knows no numbers where the node could not list the votes', () => {
    const proposals = ['3', '4'].map((id) => ({
      proposal: votingState(id),
      messages: [],
      round: 1,
    }))
    const unavailable = [{ what: 'votes of proposal 3', reason: 'gas limit' }]
    const { tables } = setup(heightOf(100, [snapshot({ proposals, pools, unavailable })]))
    const [third, fourth] = tables.final('tallies')
    expect(third).toMatchObject({ yes: null, ballots: null })
    expect(fourth).toMatchObject({ yes: '0', ballots: 0 })
    expect(tables.final('proposals')[0]?.history_reason).toContain('gas limit')
  })
})

describe('what cannot be read', () => {
  const garbage = (value: string, height = 4) => [
    readRecord({
      offset: 900n,
      height,
      timeMs: Date.parse(timeOf(height)),
      value: new TextEncoder().encode(value),
    }),
    ...recordsOf(heightOf(height, []), 901n),
  ]
  const withRecords = (records: ReturnType<typeof garbage>) =>
    foldHeights([...opening.map((height, at) => recordsOf(height, BigInt(at * 10))), records])

  it('is a dead letter where ingest could not read it, and its proposal is partial', () => {
    const { tables, proposal, tally } = setup(...opening, heightOf(4, [unread('7')]))
    expect(tables.final('dead_letters')).toMatchObject([
      { height: '4', proposal_id: '7', reason: 'no such option format' },
    ])
    expect(proposal).toMatchObject({ history: 'partial' })
    expect(proposal?.history_reason).toContain('no such option format')
    expect(tally).toMatchObject({ yes: null, ballots: null })
  })

  it('leaves numbers alone where it was no vote', () => {
    const { tally, proposal } = setup(...opening, heightOf(4, [unread('7', 'proposal_deposit')]))
    expect(proposal?.history).toBe('partial')
    expect(tally?.yes).toBe('1000')
  })

  it('puts every open proposal in doubt where nobody knows which it is about', () => {
    const tables = withRecords(garbage('{"no": '))
    expect(tables.final('dead_letters')).toMatchObject([
      { offset: '900', height: '4', proposal_id: '0', value: '{"no": ' },
    ])
    expect(tables.final('proposals')[0]?.history).toBe('partial')
    expect(tables.final('tallies')[0]?.yes).toBeNull()
  })

  it('is archived all the same where its envelope is legible', () => {
    const event = { ...opening[2]?.[0], type: 'rollcall.vote.cast.v9', height: 4 }
    const tables = withRecords(garbage(JSON.stringify(event)))
    expect(tables.final('dead_letters')[0]).toMatchObject({ proposal_id: '7' })
    expect(tables.final('events').map(({ type }) => type)).toContain('rollcall.vote.cast.v9')
  })

  it('is kept byte for byte where it is not even text', () => {
    const [record] = garbage('')
    const value = Uint8Array.from([0xff, 0xfe, 0x00])
    const bad = readRecord({ offset: 900n, height: 4, timeMs: record?.timeMs ?? 0, value })
    const tables = withRecords([bad, ...recordsOf(heightOf(4, []), 901n)])
    expect(tables.final('dead_letters')[0]?.value).toBe('base64://4A')
  })
})

describe('the archive of events', () => {
  it('has every event once, with its bytes as they came', () => {
    const { tables } = setup(...opening)
    const sent = opening.flat()
    const kept = tables.final('events')
    expect(kept).toHaveLength(sent.length)
    const first = kept.find(({ type }) => type === 'rollcall.proposal.submitted.v1')
    expect(first).toMatchObject({
      proposal_id: '7',
      height: '1',
      position: positionOf({ height: 1, index: indexOf(1, 0) }).toString(),
      event: JSON.stringify(sent[0]),
    })
    const markers = kept.filter(({ proposal_id: id }) => id === '0')
    expect(markers.some(({ type }) => type === 'rollcall.block.indexed.v1')).toBe(true)
    expect(ORDINAL.marker).toBeGreaterThan(ORDINAL.after)
  })
})
