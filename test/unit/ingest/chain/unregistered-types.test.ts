// Tests proposals of a type that the node no longer registers: each is read for itself, and none hides another one.
import { describe, expect, it } from 'vitest'
import { proposalsAt } from '../../../../ingest/chain/gov.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import {
  type ChainState,
  proposalAt as made,
} from '../../../support/simulator/state/chain-state.ts'

/** Proposals 1 and 3 are closed, 2 and 4 are in voting period. */
const setup = (unregistered: string[], store: ChainState['store'] = {}) => {
  const chain = createMemoryChain()
  chain.add({}, (state) => {
    for (const [id, status] of Object.entries({ 1: 3, 2: 2, 3: 4, 4: 2 })) {
      state.proposals.set(id, made(id, 1, status))
    }
    state.unregistered = new Set(unregistered)
    state.store = store
  })
  return chain
}

const listed = async (chain: ReturnType<typeof setup>) => {
  const answer = await proposalsAt(chain, 1)
  if (!('value' in answer)) return answer.unavailable
  const { proposals, missing } = answer.value
  return { ids: proposals.map(({ proposal }) => proposal.proposalId), missing }
}

describe('a list of proposals that the node refuses', () => {
  it.each<[string, string[], ChainState['store']]>([
    ['one has an unknown type', ['1'], {}],
    ['several have unknown types, also an open one', ['1', '2', '3'], {}],
  ])('is complete from single proposals and the raw store: %s', async (_, ids, store) => {
    expect(await listed(setup(ids, store))).toEqual({ ids: ['1', '2', '3', '4'], missing: [] })
  })

  it('names each proposal that the node cannot return, with its reason, and has all others', async () => {
    expect(await listed(setup(['2', '3'], { proposals: false }))).toEqual({
      ids: ['1', '4'],
      missing: ['2', '3'].map((proposalId) => ({
        what: `proposal ${proposalId}`,
        reason: expect.stringContaining('no concrete type registered'),
      })),
    })
  })

  it('has every proposal that the node returns if it does not serve its store', async () => {
    const chain = setup(['3'], { nextId: false, proposals: false })
    expect(await listed(chain)).toEqual({
      ids: ['1', '2', '4'],
      missing: [
        { what: 'proposal 3', reason: expect.stringContaining('no concrete type registered') },
        { what: 'proposals with later IDs', reason: expect.stringContaining('500 IDs in a row') },
      ],
    })
  })

  it('has the newest proposals after thousands of deleted ones', async () => {
    const chain = setup(['1'])
    chain.add({}, (state) => {
      state.proposals.set('25000', made('25000', 1, 2))
      state.unregistered = new Set(['25000'])
    })
    const answer = await proposalsAt(chain, 2)
    const { proposals } = 'value' in answer ? answer.value : { proposals: [] }
    expect(proposals.map(({ proposal }) => proposal.proposalId)).toEqual(['25000'])
  })
})
