// Tests chains with limits and rules of their own: what is known is shown, and nothing else is claimed.
import { describe, expect, it } from 'vitest'
import { index } from '../../support/chain/forked-run.ts'
import { createGovChain, proposalAt } from '../../support/chain/gov-chain.ts'
import type { ChainState } from '../../support/chain/gov-chain-state.ts'
import { endEvent, submitTx, voteTx } from '../../support/chain/gov-events.ts'

const TALLY = { yesCount: '75', abstainCount: '0', noCount: '0', noWithVetoCount: '' }

/** A vote with the tally of a chain whose pools inherit no stake. */
const createChain = (types: readonly string[], change: Partial<ChainState> = {}) => {
  const chain = createGovChain()
  chain.add({}, (state) => Object.assign(state, change))
  chain.add({ txs: [submitTx('1')] }, ({ proposals }) => {
    const messages = types.map((typeUrl) => ({ typeUrl, value: new Uint8Array() }))
    proposals.set('1', { ...proposalAt('1', 2, 2), messages })
  })
  chain.add({ txs: [voteTx('1', 'alice'), voteTx('1', 'one')] })
  chain.add({ end: [endEvent('1', 'proposal_passed')] }, ({ proposals, votes }) => {
    proposals.set('1', { ...proposals.get('1')!, status: 3, finalTallyResult: TALLY })
    votes.delete('1')
  })
  chain.add()
  return chain
}

describe('a proposal with limits of its own', () => {
  it.each([
    [['/cosmos.gov.v1.MsgProposeLaw']],
    [['/atomone.gov.v1.MsgProposeConstitutionAmendment']],
    [['/cosmos.bank.v1beta1.MsgSend', '/cosmos.gov.v1.MsgProposeLaw']],
  ])('has no quorum and no threshold of other proposals: %j', async (types) => {
    const { tables } = await index(createChain(types))
    expect(tables.final('proposals')[0]).toMatchObject({ status: 'passed' })
    expect(tables.final('tallies')[0]).toMatchObject({
      quorum: null,
      threshold: null,
      veto_threshold: null,
      chain_yes: '75',
      final: true,
    })
  })

  it.each([[['/cosmos.gov.v1.MsgUpdateParams']], [['/other.law.v1.MsgProposeLaw']], [[]]])(
    'is not one with other messages: %j',
    async (types) => {
      const { tables } = await index(createChain(types))
      expect(tables.final('tallies')[0]?.quorum).toBe('0.334000000000000000')
    },
  )
})

describe('a chain whose x/gov is a fork', () => {
  it.each(['atomone.gov', 'other.gov'])(
    'has its own tally, and no comparison with rules that are not its own: %s',
    async (govPackage) => {
      const chain = createChain([], { govPackage, reflection: 'types' })
      const { tables } = await index(chain)
      expect(tables.final('proposals')[0]).toMatchObject({ status: 'passed' })
      expect(tables.final('tallies')[0]).toMatchObject({
        yes: '75',
        chain_yes: '75',
        chain_no_with_veto: null,
        matches_chain: 'unknown',
        matches_chain_reason: expect.stringContaining('rules of this chain are unknown'),
        live_yes_atto: null,
      })
    },
  )

  it('is compared if it is upstream', async () => {
    const { tables } = await index(createChain([]))
    expect(tables.final('tallies')[0]).toMatchObject({ matches_chain: 'no' })
  })
})
