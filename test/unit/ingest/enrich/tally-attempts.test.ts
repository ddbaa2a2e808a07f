// Tests the attempts to read a tally's inputs again: their order, their reads, and where they stop.
import { describe, expect, it } from 'vitest'
import { operator } from '../../../../infra/app/chain/addresses.ts'
import type { BlockSketch } from '../../../../infra/app/chain/blocks.ts'
import { endEvent } from '../../../../infra/app/chain/gov-events.ts'
import { systemClock } from '../../../../infra/base/runtime/clock.ts'
import { type Answer, isKnown, known, unavailable } from '../../../../ingest/chain/answer.ts'
import type { StateVote } from '../../../../ingest/chain/gov-reader.ts'
import type { StateAt } from '../../../../ingest/chain/state-at.ts'
import type { PoolState } from '../../../../ingest/contract/facts.ts'
import { createReadBudget } from '../../../../ingest/enrich/read-budget.ts'
import {
  type Attempt,
  createAttempts,
  findFirstMatch,
} from '../../../../ingest/enrich/tally-attempts.ts'
import type { Ended, Inputs, Round } from '../../../../ingest/enrich/tally-inputs.ts'
import { createBlock } from '../../../support/chain/decoded-block.ts'
import { createPools, vote } from '../../../support/fold/tally-cases.ts'

const inputs = (...reasons: string[]): Inputs => ({ pools: known([]), ballots: [], reasons })

const attempting = (
  found: Readonly<Record<string, Inputs | { unavailable: string } | undefined>>,
) => {
  const called: string[] = []
  const attempts = Object.entries(found).map(
    ([name, gathered]): Attempt => ({
      name,
      gather: async () => {
        called.push(name)
        return gathered && ('unavailable' in gathered ? gathered : known(gathered))
      },
    }),
  )
  return { attempts, called }
}

describe('ordered attempts', () => {
  const otherwise = inputs()

  it('return the inputs of the first attempt that matches, and stop there', async () => {
    const right = inputs()
    const { attempts, called } = attempting({ one: inputs(), two: right, three: inputs() })
    const matches = (each: Inputs) => each === right
    expect(await findFirstMatch(attempts, { matches, otherwise })).toEqual({
      inputs: right,
      matched: 'two',
    })
    expect(called).toEqual(['one', 'two'])
  })

  it('return the inputs of the first applicable attempt if none matches', async () => {
    const first = inputs()
    const { attempts, called } = attempting({ none: undefined, first, last: inputs() })
    const found = await findFirstMatch(attempts, { matches: () => false, otherwise })
    expect(found.matched).toBeNull()
    expect(found.inputs).toBe(first)
    expect(called).toEqual(['none', 'first', 'last'])
  })

  it('stop at an attempt that lacks a part of its inputs', async () => {
    const first = inputs()
    const cut = inputs('the time limit for reads was reached')
    const { attempts, called } = attempting({ first, cut, last: inputs() })
    const found = await findFirstMatch(attempts, { matches: () => false, otherwise })
    expect(found.inputs).toBe(first)
    expect(called).toEqual(['first', 'cut'])
  })

  it('report a failed read as a reason if none matches, because that attempt could have matched', async () => {
    const pruned = { unavailable: 'the limit of bonded pools is pruned' }
    const { attempts, called } = attempting({ first: inputs(), pruned, again: pruned })
    const found = await findFirstMatch(attempts, { matches: () => false, otherwise })
    expect(found).toEqual({ inputs: inputs(pruned.unavailable), matched: null })
    expect(called).toEqual(['first', 'pruned', 'again'])
  })

  it('return the earlier inputs if no attempt applies', async () => {
    const { attempts } = attempting({ one: undefined })
    const found = await findFirstMatch(attempts, { matches: () => true, otherwise })
    expect(found).toEqual({ inputs: otherwise, matched: null })
    expect(found.inputs).toBe(otherwise)
  })
})

const POOLS = createPools({ pools: { one: { tokens: 9 } } }).map(({ pool }) => pool)

type StateSketch = {
  votes?: Answer<StateVote[]>
  maxPools?: Answer<number>
  status?: PoolState['status']
}

/** Adds each read to `reads`. */
const createState = (
  { height, reads }: { height: number; reads: string[] },
  { votes = unavailable('pruned'), maxPools = known(100), status = 'bonded' }: StateSketch,
): StateAt => {
  const read = async <Value>(what: string, answer: Answer<Value>): Promise<Answer<Value>> => {
    reads.push(`${what} at ${height}`)
    return answer
  }
  const never = async () => unavailable('not needed')
  return {
    height,
    proposal: never,
    rule: async () => known({ name: 'gov' }),
    stakeOf: async (_, delegations) => delegations,
    tally: never,
    params: never,
    bondedTokens: never,
    computesQuorum: never,
    takesCountedBase: never,
    votes: () => read('votes', votes),
    delegations: (voter) => read(`delegations of ${voter}`, known([])),
    pools: () => read('pools', known(POOLS.map((pool) => ({ ...pool, status })))),
    maxPools: () => read('maxPools', maxPools),
  }
}

const setup = async (
  sketch: BlockSketch = { end: [endEvent('1', 'proposal_passed')] },
  states: { before?: StateSketch; after?: StateSketch; ordinal?: number } = {},
) => {
  const { before = {}, after = {} } = states
  const reads: string[] = []
  const block = createBlock(9, sketch)
  const abciOrdinal = block.events.at(-1)!.ordinal
  const fact: Ended['fact'] = {
    kind: 'closed',
    proposalId: '1',
    outcome: 'passed',
    result: 'proposal_passed',
    log: null,
    isTallied: true,
    ordinal: states.ordinal ?? abciOrdinal,
    sub: 0,
    abciOrdinal,
    txIndex: null,
  }
  const ended = { fact, round: 1, startsVoting: false, before: undefined, releasedVoters: [] }
  const round: Round = {
    state: {
      plan: { block, facts: [ended] },
      before: createState({ height: 8, reads }, before),
      after: createState({ height: 9, reads }, after),
    },
    ended,
    delegationsOf: () => undefined,
    budget: createReadBudget({
      budgetMs: 60_000,
      clock: systemClock,
      signal: new AbortController().signal,
    }),
  }
  return { attempts: await createAttempts(round, new Map([['alice', vote('yes')]])), reads }
}

/** Which ballots an attempt used and where it read delegations. Undefined if it did not apply. */
const tried = async ({ attempts, reads }: Awaited<ReturnType<typeof setup>>) => {
  const all: (string[] | undefined)[] = []
  for (const { gather } of attempts) {
    reads.length = 0
    const gathered = await gather()
    const applies = gathered !== undefined && isKnown(gathered)
    all.push(applies ? reads.filter((read) => /^delegations/.test(read)) : undefined)
  }
  return all
}

describe('the attempts of a round', () => {
  it('read nothing for an attempt before it is called', async () => {
    const { attempts, reads } = await setup()
    expect(reads).toEqual([])
    await attempts[0]!.gather()
    expect(reads.sort()).toEqual([
      'delegations of alice at 9',
      'maxPools at 8',
      'pools at 8',
      'pools at 9',
    ])
  })

  it('apply one attempt if no message moved stake, the maximum of pools is unchanged and the ballots are deleted', async () => {
    expect(await tried(await setup())).toEqual([
      ['delegations of alice at 9'],
      undefined,
      undefined,
      undefined,
    ])
  })

  it('try the ballots of the chain after the ballots of the log', async () => {
    const votes = known([{ voter: 'bob', options: vote('no') }])
    expect(await tried(await setup(undefined, { before: { votes } }))).toEqual([
      ['delegations of alice at 9'],
      undefined,
      ['delegations of bob at 9'],
      undefined,
    ])
  })

  it('try the maximum of bonded pools after the block if it differs', async () => {
    expect(await tried(await setup(undefined, { after: { maxPools: known(1) } }))).toEqual([
      ['delegations of alice at 9'],
      ['delegations of alice at 9'],
      undefined,
      undefined,
    ])
  })

  it('report an unknown maximum of bonded pools only if a bonded pool was unbonded in the block', async () => {
    const maxPools = unavailable('pruned')
    const { attempts } = await setup(undefined, { after: { maxPools, status: 'unbonding' } })
    expect(await attempts[1]!.gather()).toEqual(unavailable('the maximum of bonded pools: pruned'))
    const same = await setup(undefined, { after: { maxPools } })
    expect(await same.attempts[1]!.gather()).toBeUndefined()
  })

  it('try all stake before the block, then all stake after it, if a message moved stake', async () => {
    const delegate = ['delegate', { validator: operator('one'), amount: '1stake' }] as const
    const round = await setup({ end: [delegate, endEvent('1', 'proposal_passed')] })
    expect((await tried(round)).slice(0, 3)).toEqual([
      ['delegations of alice at 9'],
      ['delegations of alice at 8'],
      ['delegations of alice at 9'],
    ])
    expect(round.attempts.map(({ name }) => name)).toHaveLength(12)
    expect(new Set(round.attempts.map(({ name }) => name)).size).toBe(12)
  })

  it('ignore stake that moved before the tally, also if the block numbers only its governance events', async () => {
    const delegate = ['delegate', { validator: operator('one'), amount: '1stake' }] as const
    const ends = [endEvent('2', 'proposal_passed'), endEvent('1', 'proposal_passed')] as const
    const { attempts } = await setup({ end: [delegate, ...ends] }, { ordinal: 1 })
    expect(attempts).toHaveLength(4)
  })
})
