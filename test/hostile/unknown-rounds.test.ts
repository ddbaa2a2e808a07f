// A log that begins during a vote: the round comes from the chain's state, or it is null with the reason.
import type { Proposal } from 'cosmjs-types/cosmos/gov/v1/gov'
import { describe, expect, it } from 'vitest'
import { decodeEvent, encodeEvent } from '../../ingest/contract/codec.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { createMemoryChain } from '../support/chain/memory-chain.ts'
import { readSnapshot as takenSnapshotOf } from '../support/chain/schemas.ts'
import { foldHeights } from '../support/fold/fold-heights.ts'
import { proposalAt } from '../support/simulator/state/chain-state.ts'
import { proposalRow, seed, tallyRow } from '../support/store/read-model-seed.ts'
import { useTestStore } from '../support/store/test-store.ts'

/** Six seconds a height; the expedited period is 300 s, the ordinary one 600 s. */
const IN_EXPEDITED_PERIOD = 10
const AFTER_IT = 60

const TALLY = { yesCount: '1', abstainCount: '0', noCount: '3', noWithVetoCount: '0' }
const rich = { totalDeposit: [{ denom: 'stake', amount: '50' }] }
const poor = { totalDeposit: [{ denom: 'stake', amount: '10' }] }

const takeSnapshot = async (
  { status, ...changes }: { status: number } & Partial<Proposal>,
  { height, hasExpedited = true }: { height: number; hasExpedited?: boolean },
) => {
  const chain = createMemoryChain()
  chain.add({}, (state) => {
    state.proposals.set('1', { ...proposalAt('1', 1, status), ...changes })
    state.params.expeditedMinDeposit = [{ denom: 'stake', amount: '50' }]
    if (!hasExpedited) delete state.params.expeditedVotingPeriod
  })
  while (chain.tip < height) chain.add()
  const [event] = await takenSnapshotOf(chain, await chain.block(height))
  if (!event) throw new Error('there is no snapshot')
  expect(decodeEvent(encodeEvent(event)).ok).toBe(true)
  return event
}

const VOTING = 2
const REJECTED = 4

describe('the round of a proposal in the state that a log begins with', () => {
  it.each([
    ['0 before any vote', { status: 1 }, { height: AFTER_IT }, 0],
    [
      '2 if the failed tally is still in the state',
      { status: VOTING, finalTallyResult: TALLY },
      { height: AFTER_IT },
      2,
    ],
    [
      '1 while the vote is expedited',
      { status: VOTING, expedited: true, ...rich },
      { height: AFTER_IT },
      1,
    ],
    [
      '1 if the expedited vote passed',
      { status: 3, expedited: true, ...rich },
      { height: AFTER_IT },
      1,
    ],
    [
      '1 before an expedited period could end',
      { status: VOTING, ...rich },
      { height: IN_EXPEDITED_PERIOD },
      1,
    ],
    [
      '1 if the deposit is too low for an expedited vote',
      { status: VOTING, ...poor },
      { height: AFTER_IT },
      1,
    ],
    [
      '1 if the chain has no expedited votes',
      { status: REJECTED, ...rich },
      { height: AFTER_IT, hasExpedited: false },
      1,
    ],
  ])('is %s', async (_, state, at, round) => {
    const { data } = await takeSnapshot(state, at)
    expect(data.proposals[0]?.round).toBe(round)
    expect(data.proposals[0]).not.toHaveProperty('roundReason')
  })

  it.each([
    ['an expedited vote without votes may have fallen back', VOTING],
    ['the vote ended before, and was not expedited at its end', REJECTED],
  ])('is unknown with the reason if %s', async (_, status) => {
    const event = await takeSnapshot({ status, ...rich }, { height: AFTER_IT })
    expect(event.data.proposals[0]?.roundReason).toContain('does not say whether')
    const [row] = foldHeights([[event]]).final('proposals')
    expect(row).toMatchObject({
      round_reason: event.data.proposals[0]?.roundReason,
      history_reason: expect.stringContaining('does not say whether'),
    })
  })
})

const UNKNOWN = '7'
const KNOWN = '6'
const HEIGHT = 40
const testStore = useTestStore(async (store) => {
  const reason = 'the state does not say'
  await seed(store, {
    height: HEIGHT,
    proposals: [proposalRow(UNKNOWN, HEIGHT, { round_reason: reason }), proposalRow(KNOWN, HEIGHT)],
    tallies: [tallyRow(UNKNOWN, HEIGHT), tallyRow(KNOWN, HEIGHT)],
    marks: [{ id: UNKNOWN }, { id: KNOWN }],
  })
})

describe('a response about a proposal with an unknown round', () => {
  it('has null for the round, and its regular tally', async () => {
    const rig = await createApiRig(testStore.store)
    const detail = (await rig.ask(`/api/proposals/${UNKNOWN}`)).json()
    expect([detail.round, detail.tally.yes]).toEqual([null, '4000'])
    const list = (await rig.ask('/api/proposals')).json()
    expect(list.items.map((item: { round: unknown }) => item.round)).toEqual([null, 1])
    for (const accept of ['text/html', 'text/markdown', 'text/csv']) {
      const url = accept === 'text/csv' ? '/api/proposals' : `/proposals/${UNKNOWN}`
      expect((await rig.ask(url, { headers: { accept } })).status).toBe(200)
    }
  })
})
