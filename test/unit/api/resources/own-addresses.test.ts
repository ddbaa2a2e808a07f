// Tests the addresses in the arguments of a request: which forms are the same account, and which are refused.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it, vi } from 'vitest'
import { ApiProblem } from '../../../../api/problem.ts'
import type { AddressPrefixes } from '../../../../api/read/queries/address-prefixes.ts'
import { type OwnAddresses, toOwnAddresses } from '../../../../api/resources/own-addresses.ts'
import { addressKey } from '../../../../ingest/contract/address.ts'

const BYTES = new Uint8Array(20).fill(7)
const HEX = `0x${'07'.repeat(20)}`
const IRIS = { account: 'iaa', operator: 'iva' }
const ACCOUNT = toBech32('iaa', BYTES)
const OPERATOR = toBech32('iva', BYTES)

/** A chain with these prefixes, whose log has these texts. */
const createOwn = (
  prefixes: AddressPrefixes | null = IRIS,
  logged: readonly string[] = [],
): OwnAddresses => ({
  prefixes: async () => prefixes,
  find: async (_role, key) => logged.find((text) => addressKey(text) === key) ?? null,
})

const toOwn = (params: Record<string, string>, own: OwnAddresses = createOwn()) =>
  toOwnAddresses({ params, query: {} }, own)

const getProblem = async (given: Parameters<typeof toOwnAddresses>[0]): Promise<ApiProblem> => {
  const error = await toOwnAddresses(given, createOwn()).catch((thrown: unknown) => thrown)
  if (error instanceof ApiProblem) return error
  throw new Error('the addresses were accepted')
}

it('accounts and operators in hex get the prefix of their role, and other arguments stay as they are', async () => {
  const given = {
    params: { address: HEX, operatorAddress: HEX.toUpperCase(), hash: HEX },
    query: { proposer: HEX, q: HEX, cursor: undefined, status: ['a', HEX], toString: HEX },
  }
  expect(await toOwnAddresses(given, createOwn())).toEqual({
    params: { address: ACCOUNT, operatorAddress: OPERATOR, hash: HEX },
    query: { ...given.query, proposer: ACCOUNT },
  })
})

it('an operator address is its account where an account is required', async () => {
  expect((await toOwn({ address: OPERATOR })).params).toEqual({ address: ACCOUNT })
  const given = { params: {}, query: { proposer: OPERATOR } }
  expect((await toOwnAddresses(given, createOwn())).query).toEqual({ proposer: ACCOUNT })
  const unknownOperator = { account: 'wasm', operator: null }
  const { params } = await toOwn(
    { address: toBech32('wasmvaloper', BYTES) },
    createOwn(unknownOperator),
  )
  expect(params).toEqual({ address: toBech32('wasm', BYTES) })
})

describe('an address of another chain', () => {
  it.each([
    ['address', toBech32('cosmos', BYTES), ACCOUNT, 'iaa'],
    ['address', toBech32('cosmosvaloper', BYTES), ACCOUNT, 'iaa'],
    ['operatorAddress', toBech32('cosmosvaloper', BYTES), OPERATOR, 'iva'],
    ['operatorAddress', toBech32('cosmos', BYTES), OPERATOR, 'iva'],
  ])('as %s is refused: %s', async (parameter, text, value, prefix) => {
    const problem = await getProblem({ params: { [parameter]: text }, query: {} })
    expect([problem.code, problem.instead]).toEqual(['foreign-address', { parameter, value }])
    expect(problem.message).toContain(
      `has the prefix ${prefix}. With the same bytes it is ${value}.`,
    )
  })

  it.each([
    toBech32('iaavalcons', BYTES),
    toBech32('cosmospub', BYTES),
    toBech32('cosmos', BYTES.subarray(0, 7)),
  ])('whose bytes are those of no account is refused without another address: %s', async (text) => {
    const problem = await getProblem({ params: { address: text }, query: {} })
    expect([problem.code, problem.instead]).toEqual(['foreign-address', undefined])
    expect(problem.message).not.toContain('same bytes')
  })

  it('as a filter is a wrong parameter', async () => {
    const problem = await getProblem({ params: {}, query: { proposer: toBech32('cosmos', BYTES) } })
    expect(problem.code).toBe('invalid-parameter')
    expect(problem.message).toContain(ACCOUNT)
  })
})

it('an account where a pool is required names the operator address', async () => {
  const problem = await getProblem({ params: { operatorAddress: ACCOUNT }, query: {} })
  expect(problem.code).toBe('pool-not-found')
  expect(problem.instead).toEqual({ parameter: 'operatorAddress', value: OPERATOR })
  expect(problem.message).toContain(OPERATOR)
})

it('a mistyped address is refused with an example of this chain', async () => {
  const problem = await getProblem({ params: { address: `${ACCOUNT.slice(0, -1)}b` }, query: {} })
  expect(problem.message).toMatch(/^address must be a bech32 address .*, e\.g\. iaa1…/)
})

it('addresses stay as they are while the prefixes are not known', async () => {
  for (const prefixes of [null, { account: 'iaa', operator: null }]) {
    const { params } = await toOwn({ operatorAddress: HEX.toUpperCase() }, createOwn(prefixes))
    expect(params).toEqual({ operatorAddress: HEX })
  }
  const foreign = { address: toBech32('cosmos', BYTES) }
  for (const prefixes of [null, { account: 'iva', operator: 'iva' }]) {
    expect((await toOwn(foreign, createOwn(prefixes))).params).toEqual(foreign)
  }
})

describe('an account that the log has', () => {
  const TAPROOT = 'bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0'
  const PROGRAM = Buffer.from(
    '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
    'hex',
  )
  it.each([
    ['a foreign prefix', toBech32('cosmos', BYTES), ACCOUNT],
    ['hex in the log', toBech32('cosmos', BYTES), HEX],
    ['a taproot address', TAPROOT.toUpperCase(), TAPROOT],
    ['the bytes of a taproot address', `0x${PROGRAM.toString('hex')}`, TAPROOT],
    ['another text of a taproot address', toBech32('osmo', PROGRAM), TAPROOT],
  ])('is found with the text of the log: %s', async (_, given, logged) => {
    const own = createOwn(IRIS, [logged])
    expect((await toOwn({ address: given }, own)).params).toEqual({ address: logged })
    const query = { voter: given, proposer: given }
    const found = await toOwnAddresses({ params: {}, query }, own)
    expect(found.query).toEqual({ voter: logged, proposer: logged })
  })

  it('is found as a pool by each address with its bytes', async () => {
    const own = createOwn(IRIS, [OPERATOR])
    for (const given of [ACCOUNT, HEX, toBech32('cosmosvaloper', BYTES)]) {
      const { params } = await toOwn({ operatorAddress: given }, own)
      expect(params).toEqual({ operatorAddress: OPERATOR })
    }
  })

  it('is not searched if it has the prefix of the chain', async () => {
    const find = vi.fn(async () => null)
    await toOwn(
      { address: ACCOUNT.toUpperCase(), operatorAddress: OPERATOR },
      { ...createOwn(), find },
    )
    expect(find).not.toHaveBeenCalled()
  })
})

it.each([
  { params: { hash: HEX }, query: { q: HEX, proposer: [HEX] } },
  { params: { proposalId: '7' }, query: {} },
])('the prefixes are not read without an address: %j', async (given) => {
  const prefixes = vi.fn(async () => IRIS)
  expect(await toOwnAddresses(given, { ...createOwn(), prefixes })).toEqual(given)
  expect(prefixes).not.toHaveBeenCalled()
})
