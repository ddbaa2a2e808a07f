// Tests proposals and deposits that no event reports: the list of x/gov has them, every five minutes and at a start.
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx'
import { describe, expect, it } from 'vitest'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { foundIn } from '../../../support/chain/forked-run.ts'
import { close } from '../../../support/chain/gov-story.ts'
import { ingestToTip, ofType } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain, type MemoryChain } from '../../../support/chain/memory-chain.ts'
import { finalReadings, liveReadings, NONE, recount } from '../../../support/chain/vote-run.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../../support/log/memory-log.ts'
import { account } from '../../../support/simulator/addresses.ts'
import { endEvent, submitTx, voteTx } from '../../../support/simulator/gov-events.ts'
import { proposalAt, voteBy } from '../../../support/simulator/state/chain-state.ts'

/** The first block of the second five minutes: blocks are six seconds apart. */
const LIST = 50

const addUntil = (chain: MemoryChain, height: number): MemoryChain => {
  while (chain.tip < height) chain.add()
  return chain
}

/** A contract submitted it, and two accounts voted: no event of x/gov says so. */
const addSilently = (chain: MemoryChain): MemoryChain => {
  const messages = [
    { typeUrl: MsgSend.typeUrl, value: MsgSend.encode(MsgSend.fromPartial({})).finish() },
  ]
  const height = chain.tip + 1
  chain.add({}, ({ proposals, votes, delegations }) => {
    delegations.set('bob', new Map([['one', 60n]]))
    proposals.set('1', { ...proposalAt('1', height, 2), messages })
    votes.set('1', [voteBy('1', 'alice'), voteBy('1', 'bob', 3)])
  })
  return chain
}

const reconciledIn = (events: readonly GovernanceEvent[]) =>
  ofType(events, 'rollcall.proposal.reconciled.v1')

describe('a proposal that no event reports', () => {
  it('is found with its messages, and its votes count at once and at the close', async () => {
    const chain = addUntil(addSilently(addUntil(createMemoryChain(), 3)), LIST + 3)
    chain.add({ txs: [voteTx('1', 'one', 4)] })
    chain.add(
      { end: [endEvent('1', 'proposal_passed')] },
      close('1', 3, { yesCount: '75', abstainCount: '0', noCount: '60', noWithVetoCount: '490' }),
    )
    const events = await ingestToTip(chain, openMemoryLog(), { isAtTip: true })
    expect(foundIn(events)).toEqual([[LIST, 'found', 'periodic']])
    expect(reconciledIn(events)[0]?.data).toMatchObject({
      proposalId: '1',
      round: 1,
      proposal: { status: 'voting_period', title: 'Proposal 1' },
      messages: [{ '@type': MsgSend.typeUrl }],
    })
    const [first] = liveReadings(events)
    expect(first).toMatchObject({
      height: LIST,
      data: { allBallots: true, ballots: [{ voter: account('alice') }, { voter: account('bob') }] },
    })
    const [final] = finalReadings(events)
    expect(final?.data).toMatchObject({ complete: true, ballots: { length: 3 } })
    expect(recount(final!.data)).toEqual({ ...NONE, yes: '75', no: '60', noWithVeto: '490' })
  })

  it('is found at a start', async () => {
    const storage = createMemoryLogStorage()
    const chain = addUntil(createMemoryChain(), 3)
    await ingestToTip(chain, openMemoryLog(storage))
    addUntil(addSilently(chain), 6)
    const events = await ingestToTip(chain, openMemoryLog(storage))
    expect(foundIn(events)).toEqual([[4, 'found', 'periodic']])
  })
})

it('a deposit that no event reports shows', async () => {
  const chain = createMemoryChain()
  const deposited = (amount: string) => [{ denom: 'stake', amount }]
  chain.add({ txs: [submitTx('1', false)] }, ({ proposals }) => {
    proposals.set('1', { ...proposalAt('1', 1), totalDeposit: deposited('10') })
  })
  chain.add({}, ({ proposals }) => {
    proposals.set('1', { ...proposals.get('1')!, totalDeposit: deposited('25') })
  })
  const events = await ingestToTip(addUntil(chain, 2 * LIST + 2), openMemoryLog())
  expect(foundIn(events)).toEqual([[LIST, 'changed', 'periodic']])
  expect(reconciledIn(events)[0]?.data.proposal?.totalDeposit).toEqual(deposited('25'))
})
