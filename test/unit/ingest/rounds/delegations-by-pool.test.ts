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

type Reading = { asked?: readonly string[]; patienceMs?: number }

/** After the last block, as at the end of a round. */
const readAll = async (
  chain: MemoryChain,
  node: ChainReader,
  { asked = VOTERS, patienceMs }: Reading = {},
) => {
  const block = await chain.block(chain.tip)
  const before = chain.queries.length
  const states = createStates(node, block)
  const { after: state } = readVotersByPool(states, {
    voters: new Set(VOTERS),
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

  it('equal those by voter, also of a pool that leaves the set in the block and of an account that did not vote', async () => {
    const chain = createChain()
    chain.add({}, ({ pools }) => {
      pools.get('three')!.status = 2
    })
    const asked = [...VOTERS, account('voter 3')]
    const { answers, byPool } = await readAll(chain, chain, { asked })
    expect(answers).toEqual(await expected(chain, asked))
    expect(byPool).toBe(5 + 3 + 2)
  })

  it.each<[string, () => Promise<AbciAnswer>]>([
    ['does not know the query', async () => refused(6, 'unknown query path')],
    ['refuses every page', async () => refused(13, 'out of gas')],
    ['walks all delegations of the chain for each pool', () => new Promise(() => {})],
  ])('are read by voter if the node %s', async (_, answer) => {
    const chain = createChain()
    const node: ChainReader = {
      ...chain,
      abciQuery: (request) =>
        request.path.endsWith('ValidatorDelegations') ? answer() : chain.abciQuery(request),
    }
    const { answers } = await readAll(chain, node, { patienceMs: 1 })
    expect(answers).toEqual(await expected(chain))
  })
})
