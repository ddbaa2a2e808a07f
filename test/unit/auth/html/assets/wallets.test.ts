// Tests of wallet support in the claim page: installed wallets, accepted accounts and error codes.
import { afterEach, describe, expect, it, vi } from 'vitest'

// This is plain browser code. It has no types and no page of its own.
const { connectWallet, installedWallets, signWith } = await import(
  new URL('../../../../../auth/html/assets/wallets.js', import.meta.url).href
)

afterEach(() => vi.unstubAllGlobals())

const CHAIN = { chain_id: 'hub-1', address_prefix: 'cosmos' }
const ADDRESS = 'cosmos1l3e9pgs3mmwuwrh95fecme0s0qtn2880f2jmfe'

const walletWith = (provider: object | undefined) => ({ name: 'A wallet', find: () => provider })
const failing = (error: unknown) =>
  walletWith({
    enable: async () => {
      throw error
    },
  })
const holding = (bech32Address: string) =>
  walletWith({ enable: async () => undefined, getKey: async () => ({ name: 'A', bech32Address }) })

describe('wallets in a browser', () => {
  it('are listed by their own name, and once if a wallet replaces the object of another', () => {
    const [leap, cosmostation] = [{}, {}]
    const namesWith = (window: object) => {
      vi.stubGlobal('window', window)
      return installedWallets().map(({ name }: { name: string }) => name)
    }
    expect(namesWith({})).toEqual([])
    expect(namesWith({ cosmostation: {} })).toEqual([])
    expect(namesWith({ keplr: {} })).toEqual(['Keplr'])
    const both = { leap, cosmostation: { providers: { keplr: cosmostation } } }
    expect(namesWith({ keplr: {}, ...both })).toEqual(['Keplr', 'Leap', 'Cosmostation'])
    expect(namesWith({ keplr: leap, ...both })).toEqual(['Leap', 'Cosmostation'])
    expect(namesWith({ keplr: cosmostation, ...both })).toEqual(['Leap', 'Cosmostation'])
  })

  it.each([
    ['wallet_rejected', new Error('Request rejected')],
    ['wallet_rejected', new Error('User denied')],
    ['wallet_rejected', { code: 4001, message: 'No.' }],
    ['wallet_rejected', 'Window closed'],
    ['wallet_locked', new Error('KeyRing is locked')],
    ['wallet_locked', new Error('Please unlock the wallet')],
    ['wallet_unknown_chain', new Error('There is no chain info for hub-1')],
    ['wallet_unknown_chain', new Error('There is no modular chain info for hub-1')],
    ['wallet_unknown_chain', new Error('Invalid chain id')],
    ['wallet_unknown_chain', new Error('Chain hub-1 is not supported')],
    ['wallet_gone', new Error('Extension context invalidated.')],
    ['wallet_failed', new Error('The blocked list is empty')],
    ['wallet_failed', undefined],
  ])('that fail are mapped to %s: %s', async (code, error) => {
    await expect(connectWallet(failing(error), CHAIN, null)).rejects.toMatchObject({ code })
  })

  it('connect with an account of the chain that matches the hint', async () => {
    const account = { name: 'A', address: ADDRESS }
    expect(await connectWallet(holding(ADDRESS), CHAIN, null)).toEqual(account)
    expect(await connectWallet(holding(ADDRESS), CHAIN, ADDRESS)).toEqual(account)
    const refused = async (address: string, hint: string | null, code: string) =>
      expect(connectWallet(holding(address), CHAIN, hint)).rejects.toMatchObject({ code })
    await refused('cosmosvaloper1abc', null, 'wallet_wrong_prefix')
    await refused('', null, 'wallet_wrong_prefix')
    await refused(ADDRESS, 'cosmos1other', 'wallet_wrong_account')
    await expect(connectWallet(walletWith(undefined), CHAIN, null)).rejects.toMatchObject({
      code: 'wallet_gone',
    })
  })

  it('that return no signature fail', async () => {
    const request = { chain_id: 'hub-1', signer: ADDRESS, text: 'hello' }
    for (const answer of [undefined, {}, { pub_key: {}, signature: 'x' }, { signature: 'x' }]) {
      const wallet = walletWith({ signArbitrary: async () => answer })
      await expect(signWith(wallet, request)).rejects.toMatchObject({ code: 'wallet_failed' })
    }
    const signArbitrary = vi.fn(async () => ({
      pub_key: { type: 't', value: 'k' },
      signature: 's',
    }))
    expect(await signWith(walletWith({ signArbitrary }), request)).toEqual({
      pub_key: { value: 'k' },
      signature: 's',
    })
    expect(signArbitrary).toHaveBeenCalledWith('hub-1', ADDRESS, 'hello')
  })
})
