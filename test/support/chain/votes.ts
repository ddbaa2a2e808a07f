// Votes on a chain in memory: each step is a block with a change of the state after it. Names and stake are those of `createState`.
import type { Proposal } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { TallyCounts } from '../../../ingest/contract/facts.ts'
import { account } from '../simulator/addresses.ts'
import { type BlockSketch, timeAt } from '../simulator/blocks.ts'
import { delegateTx, endEvent, submitTx, voteEvent, voteTx } from '../simulator/gov-events.ts'
import type { StateChange } from '../simulator/simulated-chain.ts'
import { proposalAt, toTimestamp } from '../simulator/state/chain-state.ts'
import { toTallyResult } from '../simulator/state/node-tally.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'

export type Step = readonly [BlockSketch, StateChange?]

export const play = (steps: readonly Step[], chain = createMemoryChain()): MemoryChain => {
  for (const [sketch, change] of steps) chain.add(sketch, change)
  return chain
}

/** Blocks without events; the first of them with a change that none reports. */
export const quiet = (blocks: number, change?: StateChange): Step[] =>
  Array.from({ length: blocks }, (_, at): Step => (at === 0 && change ? [{}, change] : [{}]))

/** The time of a height in the state. */
export const stamp = (height: number) => toTimestamp(timeAt(height))

export const submit =
  (id: string, status = 2, members: Partial<Proposal> = {}): StateChange =>
  ({ proposals }, height) =>
    void proposals.set(id, { ...proposalAt(id, height, status), ...members })

export const revise =
  (id: string, members: Partial<Proposal>): StateChange =>
  ({ proposals }) =>
    void proposals.set(id, { ...proposals.get(id)!, ...members })

export const remove =
  (id: string): StateChange =>
  ({ proposals, votes }) => {
    proposals.delete(id)
    votes.delete(id)
  }

/** Status and tally of the proposal, as x/gov writes them at the end of its vote. */
export const decide =
  (id: string, counts: Partial<TallyCounts> | null, status = 3): StateChange =>
  (state, height) => {
    const tally = counts ? { finalTallyResult: toTallyResult(counts) } : {}
    revise(id, { status, ...tally })(state, height)
    state.votes.delete(id)
  }

/** An expedited vote that failed: the same proposal in a regular vote, until a later block. */
export const restart =
  (id: string, counts: Partial<TallyCounts>, until?: number): StateChange =>
  (state, height) => {
    decide(id, counts, 2)(state, height)
    const end = until === undefined ? {} : { votingEndTime: stamp(until) }
    revise(id, { expedited: false, ...end })(state, height)
  }

/** The first block since the height `until` ends the vote. */
export const begin = (id: string, until: number, expedited = false): Step => [
  { txs: [submitTx(id)] },
  submit(id, 2, { expedited, votingEndTime: stamp(until) }),
]

/** alice delegates to three pools, bob to one; operators have the names of their pools. */
export const withBob: StateChange = ({ delegations }) => {
  delegations.set('bob', new Map([['one', 60n]]))
}

/** A vote of proposal 1 begins. */
export const start = (): Step => [
  { txs: [submitTx('1')] },
  (state, height) => {
    submit('1')(state, height)
    withBob(state, height)
  },
]

/** The votes of alice with yes, of bob with no, and of an operator with veto. */
export const castAll = (...ids: string[]): Step => [
  { txs: ids.flatMap((id) => [voteTx(id, 'alice'), voteTx(id, 'bob', 3), voteTx(id, 'one', 4)]) },
]

/** The block that ends the vote, with the chain's own result. `change`: before it. */
export const end = (
  id: string,
  counts: Partial<TallyCounts>,
  sketch: BlockSketch = {},
  change?: StateChange,
): Step => [
  { ...sketch, end: [...(sketch.end ?? []), endEvent(id, 'proposal_passed')] },
  (state, height) => {
    change?.(state, height)
    decide(id, counts)(state, height)
  },
]

/** Proposals 1 (passed), 2 (restarted, then rejected), 3 (canceled), 4 (dropped), 5 (still open). Stake moves, and heights are quiet. */
const GOV_STORY: readonly Step[] = [
  ...quiet(2),
  [{ txs: [submitTx('1')] }, submit('1')],
  [{ txs: [voteTx('1', 'alice'), voteTx('1', 'one', 3)] }],
  [
    { txs: [submitTx('2'), submitTx('4', false)] },
    (state, height) => {
      submit('2')(state, height)
      submit('4', 1)(state, height)
    },
  ],
  ...quiet(4),
  [
    { txs: [voteTx('2', 'two', 4), delegateTx('alice')] },
    ({ delegations, pools }) => {
      delegations.get('alice')!.set('one', 55n)
      pools.get('one')!.tokens = 605n
    },
  ],
  ...quiet(6),
  [{ end: [endEvent('2', 'expedited_proposal_rejected')] }, restart('2', {})],
  [{ txs: [voteTx('1', 'alice', 2), submitTx('3', false)] }, submit('3', 1)],
  [
    { txs: [{ events: [['cancel_proposal', { sender: account('proposer'), proposal_id: '3' }]] }] },
    remove('3'),
  ],
  end('1', { yes: '925' }, { txs: [voteTx('1', 'two')], end: [voteEvent('1', 'gov')] }),
  ...quiet(3),
  [
    { end: [['inactive_proposal', { proposal_id: '4', proposal_result: 'proposal_dropped' }]] },
    remove('4'),
  ],
  [{ txs: [voteTx('2', 'three', 3)] }],
  [{ end: [endEvent('2', 'proposal_rejected')] }, decide('2', {}, 4)],
  [{ txs: [submitTx('5')] }, submit('5')],
  [{ txs: [voteTx('5', 'alice')] }],
  ...quiet(5),
]

export const createGovStory = (): MemoryChain => play(GOV_STORY)
