// A short governance history on the chain in memory: votes, a restart, a cancel, a close, moved stake and quiet heights.

import type { TallyResult } from 'cosmjs-types/cosmos/gov/v1/gov'
import { account } from '../simulator/addresses.ts'
import { delegateTx, endEvent, submitTx, voteEvent, voteTx } from '../simulator/gov-events.ts'
import { type ChainState, proposalAt, voteBy } from '../simulator/state/chain-state.ts'
import { toTallyResult } from '../simulator/state/node-tally.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'

export const submit = (id: string, height: number, status: number) => (state: ChainState) => {
  state.proposals.set(id, proposalAt(id, height, status))
  state.votes.set(id, [])
}

export const vote = (id: string, voter: string, option: number) => (state: ChainState) => {
  const others = (state.votes.get(id) ?? []).filter((each) => each.voter !== account(voter))
  state.votes.set(id, [...others, voteBy(id, voter, option)])
}

export const close =
  (id: string, status: number, result: TallyResult | string) => (state: ChainState) => {
    const proposal = state.proposals.get(id)!
    const finalTallyResult = typeof result === 'string' ? toTallyResult({ yes: result }) : result
    state.proposals.set(id, { ...proposal, status, finalTallyResult })
    state.votes.set(id, [])
  }

export const remove = (id: string) => (state: ChainState) => {
  state.proposals.delete(id)
  state.votes.delete(id)
}

const quiet = (chain: MemoryChain, heights: number) => {
  for (let count = 0; count < heights; count++) chain.add()
}

/** Proposals 1 (passed), 2 (restarted, then rejected), 3 (canceled), 4 (dropped), 5 (still open). */
export const createGovStory = (chain: MemoryChain = createMemoryChain()): MemoryChain => {
  quiet(chain, 2)
  const at = () => chain.tip + 1
  chain.add({ txs: [submitTx('1')] }, submit('1', at(), 2))
  chain.add({ txs: [voteTx('1', 'alice'), voteTx('1', 'one', 3)] }, (state) => {
    vote('1', 'alice', 1)(state)
    vote('1', 'one', 3)(state)
  })
  chain.add({ txs: [submitTx('2'), submitTx('4', false)] }, (state) => {
    submit('2', chain.tip + 1, 2)(state)
    submit('4', chain.tip + 1, 1)(state)
  })
  quiet(chain, 4)
  chain.add({ txs: [voteTx('2', 'two', 4), delegateTx('alice')] }, (state) => {
    vote('2', 'two', 4)(state)
    state.delegations.get('alice')!.set('one', 55n)
    state.pools.get('one')!.tokens = 605n
  })
  quiet(chain, 6)
  chain.add({ end: [endEvent('2', 'expedited_proposal_rejected')] }, (state) => {
    const proposal = state.proposals.get('2')!
    state.proposals.set('2', { ...proposal, expedited: false, finalTallyResult: toTallyResult() })
    state.votes.set('2', [])
  })
  chain.add({ txs: [voteTx('1', 'alice', 2), submitTx('3', false)] }, (state) => {
    vote('1', 'alice', 2)(state)
    submit('3', chain.tip + 1, 1)(state)
  })
  chain.add(
    { txs: [{ events: [['cancel_proposal', { sender: account('proposer'), proposal_id: '3' }]] }] },
    remove('3'),
  )
  chain.add(
    { txs: [voteTx('1', 'two')], end: [voteEvent('1', 'gov'), endEvent('1', 'proposal_passed')] },
    close('1', 3, '925'),
  )
  quiet(chain, 3)
  chain.add(
    { end: [['inactive_proposal', { proposal_id: '4', proposal_result: 'proposal_dropped' }]] },
    remove('4'),
  )
  chain.add({ txs: [voteTx('2', 'three', 3)] }, vote('2', 'three', 3))
  chain.add({ end: [endEvent('2', 'proposal_rejected')] }, close('2', 4, '0'))
  chain.add({ txs: [submitTx('5')] }, submit('5', at(), 2))
  chain.add({ txs: [voteTx('5', 'alice')] }, vote('5', 'alice', 1))
  quiet(chain, 5)
  return chain
}
