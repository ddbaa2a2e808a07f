// The numbers of an open vote are known again at the next reading after a node has lost the pools of a height.
import { describe, expect, it } from 'vitest'
import { groupByHeight } from '../support/chain/live-tallies.ts'
import { createMemoryChain, type MemoryChain } from '../support/chain/memory-chain.ts'
import { ingested } from '../support/chain/vote-run.ts'
import { quiet, type Step, start } from '../support/chain/votes.ts'
import { foldHeights } from '../support/fold/fold-heights.ts'
import { account, operator } from '../support/simulator/addresses.ts'
import { voteTx } from '../support/simulator/gov-events.ts'
import type { TallyRow } from '../support/store/stored-rows.ts'

const SMALL = 190_000_013n
const MOVED = 1_000_000_000n

const openSmallPool: Step = [
  {},
  ({ pools }) => void pools.set('small', { tokens: SMALL, status: 3, jailed: false }),
]
const cast: Step = [{ txs: [voteTx('1', 'small'), voteTx('1', 'bob', 3)] }]
const delegateToSmallPool = (name: string): Step => [
  {
    txs: [
      {
        events: [
          ['message', { sender: account(name) }],
          ['delegate', { validator: operator('small'), amount: `${MOVED}stake` }],
        ],
      },
    ],
  },
  ({ pools, delegations }) => {
    pools.get('small')!.tokens += MOVED
    delegations.set(name, new Map([...(delegations.get(name) ?? []), ['small', MOVED]]))
  },
]
const bobMoves = delegateToSmallPool('bob')

/** A node that has lost the pools of one height. */
const createForgetfulChain = (height: number): MemoryChain => {
  const chain = createMemoryChain()
  const { abciQuery } = chain
  chain.abciQuery = async (query) =>
    query.path.endsWith('/Validators') && query.height === height
      ? { kind: 'pruned', log: 'gone' }
      : await abciQuery(query)
  return chain
}

/** Its last block is at least 30 seconds after the last one with a vote. */
const liveAfter = async (
  steps: readonly Step[],
  chain?: MemoryChain,
): Promise<TallyRow | undefined> => {
  const { events } = await ingested([...steps, ...quiet(6)], chain)
  return foldHeights(groupByHeight(events)).final('tallies').at(-1)
}

describe('stake that moves during an open vote', () => {
  it.each([2, 7])(
    'is known again at the next reading after the pools of height %i are lost',
    async (lost) => {
      const steps = [openSmallPool, start(), cast, bobMoves, ...quiet(24)]
      const live = await liveAfter(steps, createForgetfulChain(lost))
      expect(live).toMatchObject({
        yes: SMALL.toString(),
        no: (MOVED + 60n).toString(),
        reported: false,
      })
      expect(live?.matches_chain_reason).toBe('the vote is still open')
    },
  )
})
