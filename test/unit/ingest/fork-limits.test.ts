// Tests chains with limits and rules of their own: what is known is shown, and nothing else is claimed.
import { BinaryWriter } from '@bufbuild/protobuf/wire'
import { Params } from 'cosmjs-types/cosmos/gov/v1/gov'
import { expect, it } from 'vitest'
import { ofType } from '../../support/chain/ingest-run.ts'
import { groupByHeight } from '../../support/chain/live-tallies.ts'
import { createMemoryChain } from '../../support/chain/memory-chain.ts'
import { index } from '../../support/chain/vote-run.ts'
import { revise, submit } from '../../support/chain/votes.ts'
import { foldHeights } from '../../support/fold/fold-heights.ts'
import { endEvent, submitTx, voteTx } from '../../support/simulator/gov-events.ts'
import type { Modules } from '../../support/simulator/queries/simulated.ts'
import { type ChainState, chainParams } from '../../support/simulator/state/chain-state.ts'

const TALLY = { yesCount: '75', abstainCount: '0', noCount: '0', noWithVetoCount: '' }

/** A vote with the tally of a chain whose pools inherit no stake. */
const createChain = (
  types: readonly string[],
  change: Partial<ChainState> = {},
  modules: Modules = () => undefined,
) => {
  const chain = createMemoryChain({ modules })
  chain.add({}, (state) => Object.assign(state, change))
  const messages = types.map((typeUrl) => ({ typeUrl, value: new Uint8Array() }))
  chain.add({ txs: [submitTx('1')] }, submit('1', 2, { messages }))
  chain.add({ txs: [voteTx('1', 'alice'), voteTx('1', 'one')] })
  const end = [endEvent('1', 'proposal_passed')]
  chain.add({ end }, revise('1', { status: 3, finalTallyResult: TALLY }))
  chain.add()
  return chain
}

it.each<[string | null, string[]]>([
  [null, ['/cosmos.bank.v1beta1.MsgSend', '/cosmos.gov.v1.MsgProposeLaw']],
  [null, ['/atomone.gov.v1.MsgProposeConstitutionAmendment']],
  ['0.334000000000000000', ['/cosmos.gov.v1.MsgUpdateParams']],
  ['0.334000000000000000', ['/other.law.v1.MsgProposeLaw']],
])('the quorum is %j if the limits of its kind are unknown: %j', async (quorum, types) => {
  const { tables } = await index(createChain(types))
  expect(tables.final('proposals')[0]).toMatchObject({ status: 'passed' })
  expect(tables.final('tallies')[0]).toMatchObject({ quorum, chain_yes: '75', final: true })
})

it('a constitution amendment has the limits of its kind, during the vote and at the close', async () => {
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

it.each([
  ['other.gov', 'unknown'],
  ['atomone.gov', 'yes'],
])('the tally of %s is compared only by a known rule: %s', async (govPackage, matches) => {
  const { tables } = await index(createChain([], { govPackage, reflection: 'types' }))
  expect(tables.final('tallies')[0]).toMatchObject({
    yes: '75',
    chain_yes: '75',
    chain_no_with_veto: null,
    matches_chain: matches,
  })
})
