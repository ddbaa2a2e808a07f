// A chain whose votes end otherwise than those of x/gov: by other modules, without events, or with results of a fork.
import type { Proposal } from 'cosmjs-types/cosmos/gov/v1/gov'
import { timeAt } from '../simulator/blocks.ts'
import { endEvent, submitTx, voteTx } from '../simulator/gov-events.ts'
import { type ChainState, proposalAt, toTimestamp } from '../simulator/state/chain-state.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'

/** How the vote on the only proposal ends. */
export type Variant =
  | 'vetoed'
  | 'vetoed silently'
  | 'prolonged'
  | 'prolonged silently'
  | 'ended by an upgrade'
  | 'ended early by a hook'
  | 'ended by a hook without a tally'
  | 'deleted'
  | 'converted'
  | 'forbidden'
  | 'never ended'
  | 'started silently'

/** The heights of the acts. The list of x/gov is read at every 50th. */
export const AT = {
  start: 2,
  act: 6,
  depositEnd: 8,
  end: 12,
  secondVote: 14,
  laterEnd: 30,
} as const

const stamp = (height: number) => toTimestamp(timeAt(height))

const ID = '1'
const TALLY = { yesCount: '75', abstainCount: '0', noCount: '550', noWithVetoCount: '0' }
const SECOND_TALLY = { ...TALLY, yesCount: '625', noCount: '0' }
const NO_TALLY = { yesCount: '0', abstainCount: '0', noCount: '0', noWithVetoCount: '0' }

const change =
  (members: Partial<Proposal>) =>
  ({ proposals }: ChainState) => {
    proposals.set(ID, { ...proposals.get(ID)!, ...members })
  }
const end = (status: number, tally?: typeof TALLY) => (state: ChainState) => {
  change({ status, ...(tally ? { finalTallyResult: tally } : {}) })(state)
  state.votes.delete(ID)
}
const remove = (state: ChainState) => {
  state.proposals.delete(ID)
  state.votes.delete(ID)
}
const restart = (state: ChainState) => {
  end(2, TALLY)(state)
  change({ expedited: false, votingEndTime: stamp(AT.laterEnd) })(state)
}

type Acts = Partial<
  Record<
    number,
    { sketch?: Parameters<MemoryChain['add']>[0]; change?: (state: ChainState) => void }
  >
>

const tx = (type: string) => ({
  txs: [{ events: [[type, { proposal_id: ID, signer: 'dao' }] as const] }],
})

const SECOND_ROUND: Acts = {
  [AT.secondVote]: { sketch: { txs: [voteTx(ID, 'alice'), voteTx(ID, 'one')] } },
  [AT.laterEnd]: {
    sketch: { end: [endEvent(ID, 'proposal_passed')] },
    change: end(3, SECOND_TALLY),
  },
}

const createActs = (variant: Variant): Acts => {
  const later = change({ votingEndTime: stamp(AT.laterEnd) })
  switch (variant) {
    case 'vetoed':
      return { [AT.act]: { sketch: tx('veto_proposal'), change: end(6) } }
    case 'vetoed silently':
      return { [AT.act]: { change: end(6) } }
    case 'prolonged':
      return { [AT.act]: { sketch: tx('extend_voting_period'), change: later } }
    case 'prolonged silently':
      return { [AT.act]: { change: later } }
    case 'ended by an upgrade':
      return { [AT.act]: { change: end(4, TALLY) } }
    case 'ended early by a hook':
      return {
        [AT.act]: {
          sketch: { end: [['tally_hook', { proposal_id: ID, decided: 'early' }]] },
          change: end(3, SECOND_TALLY),
        },
      }
    case 'ended by a hook without a tally':
      return { [AT.end]: { change: end(5) } }
    case 'deleted':
      return { [AT.act]: { change: remove } }
    case 'converted':
      return {
        [AT.end]: {
          sketch: { end: [endEvent(ID, 'expedited_proposal_converted')] },
          change: restart,
        },
        ...SECOND_ROUND,
      }
    case 'forbidden':
      return {
        [AT.end]: {
          sketch: { end: [endEvent(ID, 'proposal_forbidden')] },
          change: remove,
        },
      }
    case 'never ended':
      return {}
    case 'started silently':
      return {
        [AT.act]: {
          change: change({ status: 2, votingStartTime: stamp(6), votingEndTime: stamp(12) }),
        },
        [AT.end]: { change: end(5, TALLY) },
      }
  }
}

/** The list of proposals is read twice in so many heights. */
export const createForkedChain = (variant: Variant, heights = 102): MemoryChain => {
  const inDeposit = variant === 'started silently'
  const submitted: Proposal = {
    ...proposalAt(ID, AT.start, inDeposit ? 1 : 2),
    expedited: variant === 'converted',
    depositEndTime: stamp(inDeposit ? AT.depositEnd : AT.end),
    finalTallyResult: NO_TALLY,
    ...(inDeposit ? {} : { votingEndTime: stamp(AT.end) }),
  }
  const acts = createActs(variant)
  const chain = createMemoryChain()
  chain.add()
  chain.add(
    { txs: [submitTx(ID, !inDeposit)] },
    ({ proposals }) => void proposals.set(ID, submitted),
  )
  chain.add(inDeposit ? {} : { txs: [voteTx(ID, 'alice'), voteTx(ID, 'one', 3)] })
  for (let height = AT.start + 2; height <= heights; height++) {
    chain.add(acts[height]?.sketch ?? {}, acts[height]?.change)
  }
  return chain
}
