// Tests the account addresses of operators on chains with usual and unusual prefixes.
import { toBech32 } from '@cosmjs/encoding'
import { Bech32PrefixResponse } from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { describe, expect, it } from 'vitest'
import { accountAddressesAt } from '../../../../ingest/chain/staking.ts'
import type { ChainNode } from '../../../../ingest/comet/endpoints/node.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'

const bytes = new Uint8Array(20).fill(7)
const PREFIX_PATH = '/cosmos.auth.v1beta1.Query/Bech32Prefix'

const setup = ({ bech32Prefix }: { bech32Prefix?: string }) => {
  const chain = createMemoryChain()
  chain.add()
  const asked: string[] = []
  const abciQuery: ChainNode['abciQuery'] = async (request, ...rest) => {
    asked.push(request.path)
    if (request.path !== PREFIX_PATH || !bech32Prefix)
      return await chain.abciQuery(request, ...rest)
    const value = Bech32PrefixResponse.encode({ bech32Prefix }).finish()
    return { ...(await chain.abciQuery(request, ...rest)), kind: 'value', value } as never
  }
  const convert = async (operatorAddress: string) => {
    const at = { height: 1, anyOperator: operatorAddress }
    return (await accountAddressesAt({ abciQuery }, at))(operatorAddress)
  }
  return { convert, asked }
}

describe('the account of an operator', () => {
  it('has the usual prefix without a question to the chain', async () => {
    const { convert, asked } = setup({})
    expect(await convert(operator('one'))).toBe(account('one'))
    expect(await convert(toBech32('evmosvaloper', bytes))).toBe(toBech32('evmos', bytes))
    expect(asked).toEqual([])
  })

  it.each([
    ['crocncl', 'cro'],
    ['iva', 'iaa'],
    ['lava@op', 'lava@'],
  ])('has the prefix that the chain names for %s', async (prefix, bech32Prefix) => {
    const { convert } = setup({ bech32Prefix })
    expect(await convert(toBech32(prefix, bytes))).toBe(toBech32(bech32Prefix, bytes))
  })

  it('keeps the prefix of the operator if the chain names none, and is undefined for another text', async () => {
    const address = toBech32('iva', bytes)
    expect(await setup({}).convert(address)).toBe(address)
    expect(await setup({}).convert('cosmosvaloper1nonsense')).toBeUndefined()
  })
})
