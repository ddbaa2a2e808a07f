// Tests delegations that are read by pool: the same as by voter, in fewer reads, from any node.

import { describe, expect, it } from 'vitest'
import { valueOrNull } from '../../../../ingest/chain/answer.ts'
import { createStateAt } from '../../../../ingest/chain/state-at.ts'
import type { AbciAnswer, ChainReader } from '../../../../ingest/comet/endpoints/node.ts'
import { createStates } from '../../../../ingest/heights/height-state.ts'
import { readVotersByPool } from '../../../../ingest/rounds/delegations-by-pool.ts'
import { createMemoryChain, type MemoryChain } from '../../../support/chain/memory-chain.ts'
import { account } from '../../../support/simulator/addresses.ts'

const POOLS = ['one', 'two', 'three']
const NAMES = Array.from({ length: 40 }, (_, at) => `voter ${at}`)

/** Half of the accounts vote. Each has stake in up to three pools. */
const createChain = (): MemoryChain => {
  const chain = createMemoryChain()
  chain.add({}, (state) => {
    state.pageSize = 7
    for (const [at, name] of NAMES.entries()) {
      const own = POOLS.slice(0, at % 4).map((pool) => [pool, BigInt(at + 1)] as const)
      state.delegations.set(name, new Map(own))
    }
  })
  chain.add()
  return chain
}

const VOTERS = NAMES.filter((_, at) => at % 2 === 0).map(account)

type Reading = { voters?: readonly string[]; asked?: readonly string[]; patienceMs?: number }

/** After the last block, as at the end of a round. */
const readAll = async (
  chain: MemoryChain,
  node: ChainReader,
  { voters = VOTERS, asked = voters, patienceMs }: Reading = {},
) => {
  const block = await chain.block(chain.tip)
  const before = chain.queries.length
  const states = createStates(node, block)
  const { after: state } = readVotersByPool(states, {
    voters: new Set(voters),
    signal: new AbortController().signal,
    ...(patienceMs === undefined ? {} : { patienceMs }),
  })
  const answers = await Promise.all(asked.map((voter) => state.delegations(voter)))
  const queries = chain.queries.slice(before)
  const count = (name: string) => queries.filter(({ path }) => path.endsWith(name)).length
  return { answers, byPool: count('ValidatorDelegations'), byVoter: count('DelegatorDelegations') }
}

const expected = async (chain: MemoryChain, voters: readonly string[] = VOTERS) => {
  const state = createStateAt(chain, chain.tip)
  return await Promise.all(voters.map((voter) => state.delegations(voter)))
}

/** The node answers pages of delegations to a pool by itself. */
const answering = (chain: MemoryChain, answer: AbciAnswer): ChainReader => ({
  ...chain,
  abciQuery: async (request) => {
    if (!request.path.endsWith('ValidatorDelegations')) return await chain.abciQuery(request)
    return answer
  },
})

const refused = (code: number, log: string): AbciAnswer => ({
  kind: 'refused',
  code,
  codespace: 'sdk',
  log,
})

describe('delegations by pool', () => {
  it('equal those by voter', async () => {
    const chain = createChain()
    const { answers, byPool, byVoter } = await readAll(chain, chain)
    expect(answers).toEqual(await expected(chain))
    expect(valueOrNull(answers[1]!)?.length).toBe(2)
    // 30, 20 and 10 delegations, seven on a page.
    expect(byPool).toBe(5 + 3 + 2)
    expect(byVoter).toBe(0)
  })

  it('equal those by voter on a chain with many pools, also of a pool that leaves the set in the block', async () => {
    const chain = createChain()
    chain.add({}, ({ pools }) => {
      for (let at = 0; at < 250; at++) {
        pools.set(`unbonded ${at}`, { tokens: 1n, status: 1, jailed: false, shares: 1n })
      }
    })
    chain.add({}, ({ pools }) => {
      pools.get('three')!.status = 2
    })
    const { answers, byPool } = await readAll(chain, chain)
    expect(answers).toEqual(await expected(chain))
    expect(byPool).toBe(5 + 3 + 2)
  })

  it('are read by voter for an account that did not vote', async () => {
    const chain = createChain()
    const other = account('voter 3')
    const { answers } = await readAll(chain, chain, { asked: [...VOTERS, other] })
    expect(answers.at(-1)).toEqual((await expected(chain, [other]))[0])
  })

  it.each([
    ['does not know the query', refused(6, 'unknown query path')],
    ['refuses every page', refused(13, 'out of gas')],
  ])('are read by voter if the node %s', async (_, answer) => {
    const chain = createChain()
    const { answers, byPool } = await readAll(chain, answering(chain, answer))
    expect(answers).toEqual(await expected(chain))
    expect(byPool).toBe(0)
  })

  it('are read by voter if a node walks all delegations of the chain for each pool', async () => {
    const chain = createChain()
    const node: ChainReader = {
      ...chain,
      abciQuery: async (request) =>
        request.path.endsWith('ValidatorDelegations')
          ? await new Promise<never>(() => {})
          : await chain.abciQuery(request),
    }
    const { answers } = await readAll(chain, node, { patienceMs: 1 })
    expect(answers).toEqual(await expected(chain))
  })
})
