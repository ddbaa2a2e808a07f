// Tests the first events of a log: state before the first indexed height.
import { describe, expect, it } from 'vitest'
import { ingestToTip, ofType } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { readSnapshot } from '../../../support/chain/schemas.ts'
import { liveReadings } from '../../../support/chain/vote-run.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { account } from '../../../support/simulator/addresses.ts'
import { submitTx, voteTx } from '../../../support/simulator/gov-events.ts'
import { proposalAt, voteBy } from '../../../support/simulator/state/chain-state.ts'

const chainWithOpenVote = () => {
  const chain = createMemoryChain()
  chain.add({}, (state) => {
    state.proposals.set('1', proposalAt('1', 1, 3))
    state.proposals.set('2', proposalAt('2', 1, 2))
    state.proposals.set('3', proposalAt('3', 1, 1))
    state.votes.set('2', [voteBy('2', 'alice'), voteBy('2', 'bob', 3), voteBy('2', 'one', 2)])
  })
  chain.add()
  chain.add()
  return chain
}

describe('the snapshot', () => {
  it('contains the state before the first indexed height: proposals, pools, rules', async () => {
    const chain = chainWithOpenVote()
    const [event, ...rest] = await readSnapshot(chain, await chain.block(3))
    expect(rest).toEqual([])
    expect(event).toMatchObject({ id: 'test-1/3/0', height: 3, index: 0 })
    expect(event?.data).toMatchObject({ chunk: 0, chunks: 1, stateHeight: 2, unavailable: [] })
    expect(event?.data.proposals.map(({ proposal, round }) => [proposal.status, round])).toEqual([
      ['passed', 1],
      ['voting_period', 1],
      ['deposit_period', 0],
    ])
    expect(event?.data.pools).toHaveLength(3)
    expect(event?.data).toMatchObject({
      bondedTokens: '1000',
      params: { threshold: '0.500000000000000000' },
    })
  })

  it.each([
    ['the raw store has it', {}, ['1', '2', '3'], []],
    ['no answer has it', { proposals: false }, ['1', '3'], ['proposal 2']],
  ] as const)(
    'has all other proposals if the node refuses one: %s',
    async (_, store, ids, missing) => {
      const chain = createMemoryChain()
      chain.add({}, (state) => {
        for (const id of ['1', '2', '3']) state.proposals.set(id, proposalAt(id, 1, 2))
        Object.assign(state, { unregistered: new Set(['2']), store })
      })
      chain.add()
      const [event] = await readSnapshot(chain, await chain.block(2))
      expect(event?.data.proposals.map(({ proposal }) => proposal.proposalId)).toEqual(ids)
      expect(event?.data.unavailable.map(({ what }) => what)).toEqual(missing)
    },
  )

  it('detects a restarted expedited vote by its tally', async () => {
    const chain = createMemoryChain()
    chain.add({}, (state) => {
      const finalTallyResult = {
        yesCount: '1',
        abstainCount: '0',
        noCount: '3',
        noWithVetoCount: '0',
      }
      state.proposals.set('1', { ...proposalAt('1', 1, 2), finalTallyResult })
    })
    chain.add()
    const [event] = await readSnapshot(chain, await chain.block(2))
    expect(event?.data.proposals[0]).toMatchObject({
      round: 2,
      proposal: { finalTally: { no: '3' } },
    })
  })

  it('names the state that the node could not return', async () => {
    const chain = chainWithOpenVote()
    chain.prunedBelow = 3
    const [event] = await readSnapshot(chain, await chain.block(3))
    expect(event?.data.unavailable.map(({ what }) => what)).toEqual([
      'proposals',
      'pools',
      'parameters',
      'bonded tokens',
    ])
  })

  it('of a chain’s first block is that block’s own state, without the results of its events', async () => {
    const chain = createMemoryChain()
    chain.add({ txs: [submitTx('2'), voteTx('1', 'alice')] }, (state) => {
      state.proposals.set('1', proposalAt('1', 1, 2))
      state.proposals.set('2', proposalAt('2', 1, 2))
      state.votes.set('1', [voteBy('1', 'alice'), voteBy('1', 'bob')])
    })
    const [event] = await readSnapshot(chain, await chain.block(1))
    expect(event?.data.stateHeight).toBe(1)
    expect(event?.data.proposals.map(({ proposal }) => proposal.proposalId)).toEqual(['1'])
  })

  it('is split into chunks that every log accepts', async () => {
    const chain = createMemoryChain()
    chain.add({}, (state) => {
      for (let id = 1; id <= 40; id++) {
        const summary = 'x'.repeat(20_000)
        state.proposals.set(String(id), { ...proposalAt(String(id), 1, 3), summary })
      }
    })
    chain.add()
    const events = await readSnapshot(chain, await chain.block(2))
    expect(events.length).toBeGreaterThan(2)
    for (const event of events) expect(JSON.stringify(event).length).toBeLessThan(270_000)
    expect(events.map(({ data }) => [data.chunk, data.chunks])).toEqual(
      events.map((_, chunk) => [chunk, events.length]),
    )
    expect(events.flatMap(({ data }) => data.proposals)).toHaveLength(40)
  })

  it('is followed by a reading of each open vote, and later votes continue its round', async () => {
    const chain = chainWithOpenVote()
    chain.add({ txs: [voteTx('2', 'carol')] })
    const env = { START_HEIGHT: '3' }
    const events = await ingestToTip(chain, openMemoryLog(), { env, isAtTip: true })
    const [first, second] = liveReadings(events).map(({ data }) => data)
    // In the order of the store: by address.
    const voters = first?.ballots.map(({ voter, delegations }) => [voter, delegations?.length])
    expect(voters).toEqual([
      [account('alice'), 3],
      [account('one'), 0],
      [account('bob'), 0],
    ])
    expect(first).toMatchObject({ proposalId: '2', round: 1, allBallots: true, stateHeight: 3 })
    const [vote] = ofType(events, 'rollcall.vote.cast.v1')
    expect([vote?.data.round, second?.round]).toEqual([1, 1])
    const [marker] = ofType(events, 'rollcall.block.indexed.v1')
    expect(marker?.data.openSince).toBe(3)
  })
})
