// Tests chains with limits and rules of their own: what is known is shown, and nothing else is claimed.
import { BinaryWriter } from '@bufbuild/protobuf/wire'
import { Params } from 'cosmjs-types/cosmos/gov/v1/gov'
import { describe, expect, it } from 'vitest'
import { index } from '../../support/chain/forked-run.ts'
import { ofType } from '../../support/chain/ingest-run.ts'
import { groupByHeight } from '../../support/chain/live-tallies.ts'
import { createMemoryChain } from '../../support/chain/memory-chain.ts'
import { foldHeights } from '../../support/fold/fold-heights.ts'
import { endEvent, submitTx, voteTx } from '../../support/simulator/gov-events.ts'
import type { Modules } from '../../support/simulator/queries/simulated.ts'
import {
  type ChainState,
  chainParams,
  proposalAt,
} from '../../support/simulator/state/chain-state.ts'

const TALLY = { yesCount: '75', abstainCount: '0', noCount: '0', noWithVetoCount: '' }

/** A vote with the tally of a chain whose pools inherit no stake. */
const createChain = (
  types: readonly string[],
  change: Partial<ChainState> = {},
  modules: Modules = () => undefined,
) => {
  const chain = createMemoryChain({ modules })
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

  it('has those of its kind, during the vote and at the close', async () => {
    const params = new BinaryWriter()
      .raw(Params.encode(chainParams()).finish())
      .uint32(138)
      .string('0.900000000000000000')
      .uint32(154)
      .string('0.667000000000000000')
      .uint32(130)
      .string('0.400000000000000000')
      .finish()
    const response = new BinaryWriter().uint32(34).bytes(params).finish()
    const types = ['/atomone.gov.v1.MsgProposeConstitutionAmendment']
    const chain = createChain(types, { govPackage: 'atomone.gov', reflection: 'types' }, (path) =>
      path === '/atomone.gov.v1.Query/Params' ? response : undefined,
    )
    const { events, tables } = await index(chain)
    const limits = { quorum: '0.400000000000000000', threshold: '0.900000000000000000' }
    const voting = events.filter(({ height }) => height < chain.tip - 1)
    expect(foldHeights(groupByHeight(voting)).final('tallies')[0]).toMatchObject({
      ...limits,
      final: false,
    })
    expect(tables.final('tallies')[0]).toMatchObject({ ...limits, final: true })
    const final = ofType(events, 'rollcall.round.read.v1').find(({ data }) => data.final)
    expect(final?.data.params).toMatchObject(limits)
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
  const TALLIED = { yes: '75', chain_yes: '75', chain_no_with_veto: null }
  const indexFork = async (govPackage: string) => {
    const { tables } = await index(createChain([], { govPackage, reflection: 'types' }))
    expect(tables.final('proposals')[0]).toMatchObject({ status: 'passed' })
    return tables.final('tallies')[0]
  }

  it('has its own tally, and no comparison with rules that are not its own', async () => {
    expect(await indexFork('other.gov')).toMatchObject({
      ...TALLIED,
      matches_chain: 'unknown',
      matches_chain_reason: expect.stringContaining('rules of this chain are unknown'),
      live_yes_atto: null,
    })
  })

  it('has the tally of a fork whose rule is known: in AtomOne stake counts only with the vote of its owner', async () => {
    expect(await indexFork('atomone.gov')).toMatchObject({ ...TALLIED, matches_chain: 'yes' })
  })
})
