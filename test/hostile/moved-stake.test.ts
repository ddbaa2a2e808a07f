// A delegator who moves stake between two votes gets exactly the power that the chain counts.
import { describe, expect, it } from 'vitest'
import { account, operator } from '../../infra/app/chain/addresses.ts'
import { voteTx } from '../../infra/app/chain/gov-events.ts'
import { type GovernanceEvent, stakeChangesIn } from '../../ingest/contract/events.ts'
import { observationEvents } from '../../ingest/enrich/observations.ts'
import { createObserved } from '../../ingest/governance/observed.ts'
import { createBlock } from '../support/chain/decoded-block.ts'
import { ofType } from '../support/chain/ingest-run.ts'
import { createMemoryChain, type MemoryChain } from '../support/chain/memory-chain.ts'
import { ingested, type Step, start } from '../support/chain/vote-run.ts'
import { foldHeights } from '../support/fold/fold-heights.ts'
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

const byHeight = (events: readonly GovernanceEvent[]): GovernanceEvent[][] => {
  const heights = [...new Set(events.map(({ height }) => height))]
  return heights.map((height) => events.filter((event) => event.height === height))
}

const liveAfter = async (
  steps: readonly Step[],
  chain?: MemoryChain,
): Promise<TallyRow | undefined> => {
  const { events } = await ingested(steps, {}, chain)
  return foldHeights(byHeight(events)).final('tallies').at(-1)
}

describe('stake that moves during an open vote', () => {
  it('never makes a sum negative: a voter who overrides a small pool takes only its own stake', async () => {
    const live = await liveAfter([openSmallPool, start(), cast, bobMoves])
    // Bob has 60 in another pool.
    const no = (MOVED + 60n).toString()
    expect(live).toMatchObject({ yes: SMALL.toString(), no, final: false })
  })

  it('makes the live numbers unknown, not stale, if the pools of that height cannot be read', async () => {
    const live = await liveAfter([openSmallPool, start(), cast, bobMoves], createForgetfulChain(4))
    expect(live).toMatchObject({ yes: null, no: null, final: false })
  })

  it('makes the live numbers available again at the next height with readable pools', async () => {
    const steps = [openSmallPool, start(), cast, bobMoves, delegateToSmallPool('stranger')]
    const live = await liveAfter(steps, createForgetfulChain(4))
    const no = (MOVED + 60n).toString()
    expect(live).toMatchObject({ yes: (SMALL + MOVED).toString(), no })
  })

  it('is reported for every voter, also if a height has more voters than events', () => {
    const voters = Array.from({ length: 10_000 }, (_, at) => `voter ${at}`)
    const events = observationEvents(
      {
        block: createBlock(9),
        tip: 9,
        facts: [],
        changedVoters: voters,
        slashed: false,
        observe: 'nothing',
        observesParams: false,
        openSince: 1,
      },
      {
        pools: undefined,
        changedDelegations: voters.map((voter) => ({ voter, delegations: { value: [] } })),
      },
      createObserved(),
    )
    const changes = ofType(events, 'rollcall.stake.changed.v1')
    expect(changes.flatMap(stakeChangesIn).map(({ voter }) => voter)).toEqual(voters)
    expect(new Set(changes.map(({ index }) => index)).size).toBe(changes.length)
  })
})
