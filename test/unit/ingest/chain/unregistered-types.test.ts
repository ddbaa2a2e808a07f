// Tests proposals of a type that the node no longer registers: each is read for itself, and none hides another one.
import { expect, it } from 'vitest'
import { proposalsAt } from '../../../../ingest/chain/gov.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { type ChainState, proposalAt } from '../../../support/simulator/state/chain-state.ts'

/** The list at a node that returns none of the unregistered ones. */
const listed = async (
  ids: readonly string[],
  unregistered: readonly string[],
  store: ChainState['store'] = {},
) => {
  const chain = createMemoryChain()
  chain.add({}, (state) => {
    for (const id of ids) state.proposals.set(id, proposalAt(id, 1, 2))
    state.unregistered = new Set(unregistered)
    state.store = store
  })
  const answer = await proposalsAt(chain, 1)
  if (!('value' in answer)) return answer.unavailable
  const { proposals, missing } = answer.value
  return { ids: proposals.map(({ proposal }) => proposal.proposalId), missing }
}

it('the list is complete from single proposals and the raw store', async () => {
  const ids = ['1', '2', '3', '4']
  expect(await listed(ids, ['1', '2', '3'])).toEqual({ ids, missing: [] })
})

it('the list has the newest proposals after thousands of deleted ones', async () => {
  expect(await listed(['1', '25000'], ['25000'])).toMatchObject({ ids: ['25000'] })
})

it('the list has every proposal that the node returns if it does not serve its store', async () => {
  const found = await listed(['1', '2', '3', '4'], ['3'], { nextId: false, proposals: false })
  expect(found).toEqual({
    ids: ['1', '2', '4'],
    missing: [
      { what: 'proposal 3', reason: expect.stringContaining('no concrete type registered') },
      { what: 'proposals with later IDs', reason: expect.stringContaining('500 IDs in a row') },
    ],
  })
})
