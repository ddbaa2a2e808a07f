// A chain whose votes end otherwise than those of x/gov: by other modules, without events, or with results of a fork.
import type { Proposal } from 'cosmjs-types/cosmos/gov/v1/gov'
import { timeAt } from '../simulator/blocks.ts'
import { endEvent, submitTx, voteTx } from '../simulator/gov-events.ts'
import { type ChainState, proposalAt, toTimestamp } from '../simulator/state/chain-state.ts'
import { createMemoryChain, type MemoryChain } from './memory-chain.ts'

/** One switch per variant. The proposal of the nth variant has the ID n, from 1. */
export type Variant =
  | 'vetoed'
  | 'vetoed silently'
  | 'vetoed as rejected'
  | 'prolonged'
  | 'prolonged silently'
  | 'ended by an upgrade'
  | 'ended early by a hook'
  | 'ended by a hook without a tally'
  | 'deleted'
  | 'deleted with an event'
  | 'deleted at its end'
  | 'converted'
  | 'rejected with an unknown result'
  | 'forbidden'
  | 'never ended'
  | 'dropped silently'
  | 'dropped with an event'
  | 'dropped late'
  | 'started silently'

/** The heights of the acts. The list of x/gov is read at every 50th. */
export const AT = {
  start: 2,
  act: 6,
  depositEnd: 8,
  end: 12,
  secondVote: 14,
  lateDrop: 20,
  laterEnd: 30,
} as const

const stamp = (height: number) => toTimestamp(timeAt(height))

const TALLY = { yesCount: '75', abstainCount: '0', noCount: '550', noWithVetoCount: '0' }
const SECOND_TALLY = { ...TALLY, yesCount: '625', noCount: '0' }
const NO_TALLY = { yesCount: '0', abstainCount: '0', noCount: '0', noWithVetoCount: '0' }

const change =
  (id: string, members: Partial<Proposal>) =>
  ({ proposals }: ChainState) => {
    proposals.set(id, { ...proposals.get(id)!, ...members })
  }
const end = (id: string, status: number, tally?: typeof TALLY) => (state: ChainState) => {
  change(id, { status, ...(tally ? { finalTallyResult: tally } : {}) })(state)
  state.votes.delete(id)
}
const remove = (id: string) => (state: ChainState) => {
  state.proposals.delete(id)
  state.votes.delete(id)
}
const restart = (id: string) => (state: ChainState) => {
  end(id, 2, TALLY)(state)
  change(id, { expedited: false, votingEndTime: stamp(AT.laterEnd) })(state)
}

type Acts = Partial<
  Record<
    number,
    { sketch?: Parameters<MemoryChain['add']>[0]; change?: (state: ChainState) => void }
  >
>

const tx = (type: string, id: string) => ({
  txs: [{ events: [[type, { proposal_id: id, signer: 'dao' }] as const] }],
})

const secondRound = (id: string): Acts => ({
  [AT.secondVote]: { sketch: { txs: [voteTx(id, 'alice'), voteTx(id, 'one')] } },
  [AT.laterEnd]: {
    sketch: { end: [endEvent(id, 'proposal_passed')] },
    change: end(id, 3, SECOND_TALLY),
  },
})

const createActs = (variant: Variant, { id, result }: { id: string; result?: string }): Acts => {
  const later = change(id, { votingEndTime: stamp(AT.laterEnd) })
  switch (variant) {
    case 'vetoed':
      return { [AT.act]: { sketch: tx('veto_proposal', id), change: end(id, 6) } }
    case 'vetoed silently':
      return { [AT.act]: { change: end(id, 6) } }
    case 'prolonged':
      return { [AT.act]: { sketch: tx('extend_voting_period', id), change: later } }
    case 'prolonged silently':
      return { [AT.act]: { change: later } }
    case 'ended by an upgrade':
      return { [AT.act]: { change: end(id, 4, TALLY) } }
    case 'vetoed as rejected':
      return { [AT.act]: { sketch: tx('council_veto', id), change: end(id, 4) } }
    case 'ended early by a hook':
      return {
        [AT.act]: {
          sketch: { end: [['tally_hook', { proposal_id: id, decided: 'early' }]] },
          change: end(id, 3, SECOND_TALLY),
        },
      }
    case 'ended by a hook without a tally':
      return { [AT.end]: { change: end(id, 5) } }
    case 'deleted':
      return { [AT.act]: { change: remove(id) } }
    case 'deleted with an event':
    case 'dropped with an event':
      return { [AT.act]: { sketch: tx('purge_proposal', id), change: remove(id) } }
    case 'deleted at its end':
    case 'dropped silently':
      return { [AT.end]: { change: remove(id) } }
    case 'dropped late':
      return { [AT.lateDrop]: { change: remove(id) } }
    case 'converted':
      return {
        [AT.end]: {
          sketch: { end: [endEvent(id, result ?? 'expedited_proposal_converted')] },
          change: restart(id),
        },
        ...secondRound(id),
      }
    case 'rejected with an unknown result':
      return {
        [AT.end]: {
          sketch: { end: [endEvent(id, result ?? 'expedited_proposal_rejected')] },
          change: end(id, 4, TALLY),
        },
      }
    case 'forbidden':
      return {
        [AT.end]: {
          sketch: { end: [endEvent(id, result ?? 'proposal_forbidden')] },
          change: remove(id),
        },
      }
    case 'never ended':
      return {}
    case 'started silently':
      return {
        [AT.act]: {
          change: change(id, { status: 2, votingStartTime: stamp(6), votingEndTime: stamp(12) }),
        },
        [AT.end]: { change: end(id, 5, TALLY) },
      }
  }
}

const startsInDeposit = (variant: Variant): boolean =>
  variant.startsWith('dropped') || variant === 'started silently'

const submitted = (variant: Variant, id: string): Proposal => {
  const inDeposit = startsInDeposit(variant)
  return {
    ...proposalAt(id, AT.start, inDeposit ? 1 : 2),
    expedited: variant === 'converted' || variant === 'rejected with an unknown result',
    depositEndTime: stamp(inDeposit ? AT.depositEnd : AT.end),
    finalTallyResult: NO_TALLY,
    ...(inDeposit ? {} : { votingEndTime: stamp(AT.end) }),
  }
}

export const createForkedChain = (
  variants: readonly Variant[],
  heights = 102,
  /** `result`: instead of the results of a fork. */
  { result }: { result?: string } = {},
): MemoryChain => {
  const chain = createMemoryChain()
  const ids = variants.map((_, order) => String(order + 1))
  const inVote = ids.filter((_, order) => !startsInDeposit(variants[order]!))
  const acts = variants.map((variant, order) =>
    createActs(variant, { id: ids[order]!, ...(result ? { result } : {}) }),
  )
  chain.add()
  chain.add(
    { txs: variants.map((variant, order) => submitTx(ids[order]!, !startsInDeposit(variant))) },
    ({ proposals }) => {
      for (const [order, id] of ids.entries()) proposals.set(id, submitted(variants[order]!, id))
    },
  )
  chain.add({ txs: inVote.flatMap((id) => [voteTx(id, 'alice'), voteTx(id, 'one', 3)]) })
  for (let height = AT.start + 2; height <= heights; height++) {
    const now = acts.flatMap((each) => each[height] ?? [])
    const txs = now.flatMap(({ sketch }) => sketch?.txs ?? [])
    const ends = now.flatMap(({ sketch }) => sketch?.end ?? [])
    chain.add({ txs, end: ends }, (state) => {
      for (const act of now) act.change?.(state)
    })
  }
  return chain
}
