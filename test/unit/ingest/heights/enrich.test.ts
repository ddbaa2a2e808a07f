// Tests facts with the state of their height: deleted proposals, and the parameters and bonded total of a close.
import { MsgUpdateParams } from 'cosmjs-types/cosmos/gov/v1/tx'
import { describe, expect, it } from 'vitest'
import { ingestToTip, ofType } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { finalReadings } from '../../../support/chain/vote-run.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { account } from '../../../support/simulator/addresses.ts'
import type { BlockSketch } from '../../../support/simulator/blocks.ts'
import { endEvent, submitTx, voteTx } from '../../../support/simulator/gov-events.ts'
import { type ChainState, proposalAt } from '../../../support/simulator/state/chain-state.ts'
import { encodeTx, submitMessage } from '../../../support/simulator/txs.ts'

type Step = [BlockSketch, ((state: ChainState) => void)?]

const ingestSteps = async (...steps: Step[]) => {
  const chain = createMemoryChain()
  for (const [sketch, change] of steps) chain.add(sketch, change)
  return { chain, events: await ingestToTip(chain, openMemoryLog()) }
}

const putVoting =
  (id: string, status = 2) =>
  (state: ChainState) => {
    state.proposals.set(id, proposalAt(id, 2, status))
  }
const startVote = (id: string): Step => [{ txs: [submitTx(id)] }, putVoting(id)]
const closeWith = (id: string, change?: (state: ChainState) => void): Step => [
  { end: [endEvent(id, 'proposal_passed')] },
  (state) => {
    change?.(state)
    const proposal = state.proposals.get(id)!
    const finalTallyResult = {
      yesCount: '9',
      abstainCount: '0',
      noCount: '0',
      noWithVetoCount: '0',
    }
    state.proposals.set(id, { ...proposal, status: 3, finalTallyResult })
  },
]

describe('a proposal that was submitted and canceled in one block', () => {
  it('is reported from its transaction', async () => {
    const bytes = encodeTx(
      submitMessage('Kept', account('p'), [{ typeUrl: '/x.y', value: new Uint8Array() }]),
    )
    const submit = submitTx('7', false)
    const { events } = await ingestSteps([{}], [{ txs: [{ ...submit, bytes }] }])
    const [event] = ofType(events, 'rollcall.proposal.submitted.v1')
    expect(event?.data).toMatchObject({
      proposal: {
        proposalId: '7',
        title: 'Kept',
        summary: 'A summary',
        metadata: 'ipfs://x',
        proposer: account('p'),
        messageTypes: ['/x.y'],
        status: 'deposit_period',
        totalDeposit: [{ denom: 'stake', amount: '3' }],
      },
      messages: [{ '@type': '/x.y', value: '' }],
      proposalReason: expect.stringContaining('taken from its transaction'),
    })
  })

  it('is null with the reason if the transaction has several submissions', async () => {
    const bytes = encodeTx(submitMessage('One', account('p')), submitMessage('Two', account('p')))
    const { events } = await ingestSteps([{}], [{ txs: [{ ...submitTx('7', false), bytes }] }])
    const [event] = ofType(events, 'rollcall.proposal.submitted.v1')
    expect(event?.data).toMatchObject({
      proposal: null,
      messages: [],
      proposalReason: expect.stringContaining('no such entry'),
    })
  })
})

const raiseQuorum = (state: ChainState) => {
  state.params = { ...state.params, quorum: '0.900000000000000000' }
}
const asParamsChange = (id: string) => (state: ChainState) => {
  const messages = [{ typeUrl: MsgUpdateParams.typeUrl, value: new Uint8Array() }]
  state.proposals.set(id, { ...state.proposals.get(id)!, messages })
}

describe('the parameters of a close', () => {
  const quorums = async (...steps: Step[]) => {
    const { events } = await ingestSteps(...steps)
    return ofType(events, 'rollcall.proposal.closed.v1').map(({ data }) => data.params?.quorum)
  }

  it('are from the height before if the proposal itself changed them', async () => {
    const change = (state: ChainState) => {
      asParamsChange('1')(state)
      raiseQuorum(state)
    }
    expect(await quorums([{}], startVote('1'), closeWith('1', change))).toEqual([
      '0.334000000000000000',
    ])
  })

  it('are the new ones for a proposal that closes after the change in the same end block', async () => {
    const [, second] = closeWith('2')
    const both: Step = [
      { end: [endEvent('1', 'proposal_passed'), endEvent('2', 'proposal_passed')] },
      (state) => {
        closeWith('1', asParamsChange('1'))[1]?.(state)
        second?.(state)
        raiseQuorum(state)
      },
    ]
    expect(await quorums([{}], startVote('1'), startVote('2'), both)).toEqual([
      '0.334000000000000000',
      '0.900000000000000000',
    ])
  })

  it('are the new ones if an upgrade changed them before the tally', async () => {
    expect(await quorums([{}], startVote('1'), closeWith('1', raiseQuorum))).toEqual([
      '0.900000000000000000',
    ])
  })

  it('are those of its final reading', async () => {
    const { events } = await ingestSteps([{}], startVote('1'), closeWith('1', raiseQuorum))
    const [close] = ofType(events, 'rollcall.proposal.closed.v1')
    expect(finalReadings(events)[0]?.data.params).toEqual(close?.data.params)
  })
})

describe('the bonded total of a close', () => {
  it('is the value at the tally, because staking moves pools in and out later', async () => {
    const swap = (state: ChainState) => {
      state.pools.get('three')!.status = 2
      state.pools.set('new', { tokens: 40n, status: 3, jailed: false })
    }
    const { events } = await ingestSteps([{}], startVote('1'), closeWith('1', swap))
    const [close] = ofType(events, 'rollcall.proposal.closed.v1')
    expect(close?.data.bondedTokens).toBe('1000')
  })
})

describe('state reads', () => {
  it('read the delegations of a voter once per height, however often the account votes', async () => {
    const txs = [voteTx('1', 'alice'), voteTx('1', 'alice', 3), voteTx('2', 'alice')]
    const putBoth = (state: ChainState) => {
      putVoting('1')(state)
      putVoting('2')(state)
    }
    const { chain, events } = await ingestSteps([{}, putBoth], [{ txs }])
    expect(ofType(events, 'rollcall.vote.cast.v1')).toHaveLength(3)
    const delegationQueries = chain.queries.filter(({ path }) =>
      path.endsWith('/DelegatorDelegations'),
    )
    // Two pages with two entries each.
    expect(delegationQueries).toHaveLength(2)
  })

  it('skip a quiet height', async () => {
    const { chain } = await ingestSteps([{}], [{}], [{}])
    expect(chain.queries.filter(({ height }) => height === 3)).toEqual([])
  })
})
