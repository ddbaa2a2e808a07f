// Tests how a pool is found by its name, its account or a part of its address.
import { describe, expect, it } from 'vitest'
import { resolvePool } from '../../../../api/mcp/arguments.ts'
import type { McpSources } from '../../../../api/mcp/sources.ts'
import { ApiProblem } from '../../../../api/problem.ts'
import type { Pool } from '../../../../api/schemas/pool.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'

const createPool = (moniker: string, key = moniker): Pool => ({
  operatorAddress: operator(key),
  accountAddress: account(key),
  moniker,
  status: 'bonded',
  jailed: false,
  counted: true,
  bondedTokens: '1',
  proposalsVoted: 0,
  proposalsMissed: 0,
  powerShare: '0.1',
})

const POOLS = [
  createPool('Two Rivers'),
  createPool('Café Consensus'),
  createPool('🦉 Night Owl'),
  createPool('Figment'),
  createPool('Figment', 'a copy of Figment'),
  createPool('Stake Labs'),
  createPool('Stake Labs 2'),
]

const sources = {
  pools: async () => POOLS,
  prefixes: async () => ({ account: 'cosmos', operator: 'cosmosvaloper' }),
} as Partial<McpSources> as McpSources

const resolve = (params: Record<string, string>) => resolvePool(sources, { params, query: {} })

const readError = async (params: Record<string, string>): Promise<string> => {
  const error = await resolve(params).catch((thrown: unknown) => thrown)
  if (!(error instanceof ApiProblem)) throw new Error('no problem')
  return error.message
}

describe('a pool', () => {
  it('is found by its name, without capital letters, accents and signs, and is reported', async () => {
    for (const [text, name] of [
      ['Two Rivers', 'Two Rivers'],
      ['two  rivers', 'Two Rivers'],
      ['cafe consensus', 'Café Consensus'],
      ['night owl', '🦉 Night Owl'],
      ['Stake Labs', 'Stake Labs'],
    ] as const) {
      const { request, pool } = await resolve({ operatorAddress: text })
      expect([pool?.moniker, request.params]).toEqual([name, { operatorAddress: operator(name) }])
    }
  })

  it('is found by its account, and by the start of its address', async () => {
    for (const text of [account('Figment'), operator('Figment').slice(0, 30)]) {
      const { request } = await resolve({ operatorAddress: text })
      expect(request.params).toEqual({ operatorAddress: operator('Figment') })
    }
    expect(await readError({ operatorAddress: account('without a pool') })).toContain(
      'list_voter_votes',
    )
  })

  it('is the account of the pool where an account is expected', async () => {
    const { request } = await resolve({ address: 'Two Rivers' })
    expect(request.params).toEqual({ address: account('Two Rivers') })
  })

  it('is not searched for an address that the read API accepts', async () => {
    const given = { operatorAddress: operator('unknown') }
    expect(await resolve(given)).toEqual({ request: { params: given, query: {} }, pool: undefined })
    expect((await resolve({ proposalId: '1' })).pool).toBeUndefined()
  })

  it('is listed with its address if several match, and nearest names if none does', async () => {
    const several = await readError({ operatorAddress: 'figment' })
    expect(several).toContain('operatorAddress matches 2 pools, send the address of one')
    expect(several).toContain(`"Figment" ${operator('Figment')}`)
    expect(several).toContain(`"Figment" ${operator('a copy of Figment')}`)
    const none = await readError({ operatorAddress: 'Three Rivers' })
    expect(none).toContain('"Three Rivers" is neither an address nor the name of a pool')
    expect(none).toContain(`"Two Rivers" ${operator('Two Rivers')}`)
    expect(await readError({ operatorAddress: '   ' })).toContain('The nearest names are')
  })
})
