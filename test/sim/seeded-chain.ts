// A governance history from one seed on the chain in memory: proposals, votes, moved stake, all outcomes, quiet heights.

import { createMemoryChain, type MemoryChain } from '../support/chain/memory-chain.ts'
import { remove, revise, submit } from '../support/chain/votes.ts'
import { account } from '../support/simulator/addresses.ts'
import type { EventSketch, TxSketch } from '../support/simulator/blocks.ts'
import {
  delegateTx,
  endEvent,
  submitTx,
  voteEvent,
  voteTx,
} from '../support/simulator/gov-events.ts'
import type { StateChange } from '../support/simulator/simulated-chain.ts'
import { tallyInState } from '../support/simulator/state/node-tally.ts'
import type { Dice } from './dice.ts'

/** Heights of chains for killed processes: enough for an append in every life, few enough for hundreds of runs. */
export const KILLED_HEIGHTS = 40

const VOTERS = ['alice', 'bob', 'carol', 'one', 'two', 'three'] as const
const POOLS = ['one', 'two', 'three'] as const
const OPTIONS = ['yes', 'abstain', 'no', 'no_with_veto'] as const
const MOST_OPEN = 4
const SHORTEST_VOTE = 6
const DEPOSIT_PERIOD = 1
const VOTING_PERIOD = 2
const ENDS = [
  ['proposal_passed', 3],
  ['proposal_rejected', 4],
  ['proposal_failed', 5],
] as const

type Open = { id: string; since: number; isVoting: boolean; mayFallBack: boolean }
type Height = { height: number; txs: TxSketch[]; end: EventSketch[]; changes: StateChange[] }

const moveStake =
  (voter: string, pool: string, tokens: bigint): StateChange =>
  (state) => {
    const delegations = state.delegations.get(voter) ?? new Map<string, bigint>()
    delegations.set(pool, (delegations.get(pool) ?? 0n) + tokens)
    state.delegations.set(voter, delegations)
    state.pools.get(pool)!.tokens += tokens
  }

/** With the tally of the state. */
const decideByState =
  (id: string, members: Parameters<typeof revise>[1]): StateChange =>
  (state, height) =>
    revise(id, { ...members, finalTallyResult: tallyInState(state, id) })(state, height)

const createHeightGenerator = (dice: Dice) => {
  const open = new Map<string, Open>()
  let lastId = 0

  const begin = ({ height, txs, changes }: Height) => {
    if (open.size >= MOST_OPEN || !dice.happens(35, height, 'submits')) return
    const id = String(++lastId)
    const isVoting = dice.happens(75, height, 'votes at once')
    const mayFallBack = dice.happens(30, height, 'is expedited')
    open.set(id, { id, since: height, isVoting, mayFallBack })
    txs.push(submitTx(id, isVoting))
    changes.push(submit(id, isVoting ? VOTING_PERIOD : DEPOSIT_PERIOD))
  }
  const castVotes = ({ height, txs }: Height, { id }: Open) => {
    for (const voter of VOTERS) {
      if (!dice.happens(20, height, id, voter, 'votes')) continue
      const option = 1 + dice.roll(OPTIONS.length, height, id, voter, 'option')
      txs.push(voteTx(id, voter, option))
    }
  }
  const giveUp = ({ height, txs, end, changes }: Height, { id }: Open) => {
    open.delete(id)
    changes.push(remove(id))
    if (dice.happens(50, height, id, 'is canceled')) {
      const attributes = { sender: account('proposer'), proposal_id: id }
      txs.push({ events: [['cancel_proposal', attributes]] })
    } else {
      const attributes = { proposal_id: id, proposal_result: 'proposal_dropped' }
      end.push(['inactive_proposal', attributes])
    }
  }
  const endVote = ({ height, end, changes }: Height, proposal: Open) => {
    const { id } = proposal
    if (proposal.mayFallBack) {
      open.set(id, { ...proposal, since: height, mayFallBack: false })
      end.push(endEvent(id, 'expedited_proposal_rejected'))
      changes.push(decideByState(id, { expedited: false }))
      return
    }
    open.delete(id)
    const [result, status] = dice.pick(ENDS, height, id, 'result')
    // A vote of governance itself, after the tally.
    if (dice.happens(10, height, id, 'late vote')) end.push(voteEvent(id, 'gov'))
    end.push(endEvent(id, result))
    changes.push(decideByState(id, { status }))
  }
  const advanceProposal = (at: Height, proposal: Open) => {
    const { height } = at
    const isRipe = height - proposal.since >= SHORTEST_VOTE
    if (proposal.isVoting) castVotes(at, proposal)
    if (!isRipe || !dice.happens(30, height, proposal.id, 'ends')) return
    if (proposal.isVoting) endVote(at, proposal)
    else giveUp(at, proposal)
  }
  const delegateAtRandom = ({ height, txs, changes }: Height) => {
    if (!dice.happens(25, height, 'restakes')) return
    const voter = dice.pick(VOTERS, height, 'who restakes')
    const pool = dice.pick(POOLS, height, 'where')
    const tokens = BigInt(1 + dice.roll(40, height, 'how much'))
    txs.push(delegateTx(voter, `${tokens}stake`))
    changes.push(moveStake(voter, pool, tokens))
  }
  return (height: number): Height => {
    const at: Height = { height, txs: [], end: [], changes: [] }
    if (dice.happens(35, height, 'is quiet')) return at
    delegateAtRandom(at)
    for (const proposal of [...open.values()]) advanceProposal(at, proposal)
    begin(at)
    return at
  }
}

export const seededChain = (
  dice: Dice,
  heights: number,
  options: Parameters<typeof createMemoryChain>[0] = {},
): MemoryChain => {
  const chain = createMemoryChain(options)
  const createNextHeight = createHeightGenerator(dice)
  for (let height = 1; height <= heights; height++) {
    const { txs, end, changes } = createNextHeight(height)
    chain.add({ txs, end }, (state) => {
      for (const change of changes) change(state, height)
    })
  }
  return chain
}
