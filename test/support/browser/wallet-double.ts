// Wallet doubles: the page sees the objects that extensions provide, and the test process signs.
import type { Page } from 'playwright-core'
import type { TestWallet } from '../auth/test-wallet.ts'

export type WalletId = 'keplr' | 'leap' | 'cosmostation'
type Method = 'enable' | 'getKey' | 'signArbitrary'

export type WalletDouble = {
  /** The selected account by chain; other chains are unknown to the wallet. */
  accounts: Record<string, TestWallet>
  /** The error that it returns instead of a result. */
  refuses: Partial<Record<Method, string>>
  /** Every text that it received for signing. */
  shown: string[]
}

/** Each forwards to the test; its global object is that of the wallet. */
const inPage = (ids: readonly WalletId[]): string => `(() => {
  const provider = (id) => ({
    enable: (chain) => askTestWallet(id, 'enable', chain),
    getKey: (chain) => askTestWallet(id, 'getKey', chain),
    signArbitrary: (chain, signer, text) => askTestWallet(id, 'signArbitrary', chain, signer, text),
  })
  const ids = ${JSON.stringify(ids)}
  if (ids.includes('keplr')) window.keplr = provider('keplr')
  if (ids.includes('leap')) window.leap = provider('leap')
  if (ids.includes('cosmostation')) window.cosmostation = { providers: { keplr: provider('cosmostation') } }
})()`

export const installWallets = async (
  page: Page,
  ids: readonly WalletId[],
  accounts: Record<string, TestWallet>,
): Promise<WalletDouble> => {
  const double: WalletDouble = {
    accounts,
    refuses: {},
    shown: [],
  }
  const answer = async (_id: WalletId, method: Method, ...args: string[]): Promise<unknown> => {
    const [chainId = '', signer, text = ''] = args
    const refusal = double.refuses[method]
    if (refusal !== undefined) throw new Error(refusal)
    const account = double.accounts[chainId]
    if (!account) throw new Error(`There is no modular chain info for ${chainId}`)
    if (method === 'enable') return undefined
    if (method === 'getKey') {
      return { name: 'Everyday', algo: 'secp256k1', bech32Address: account.address }
    }
    double.shown.push(text)
    if (signer !== account.address) throw new Error('Signer mismatched')
    return account.sign(text)
  }
  await page.exposeFunction('askTestWallet', answer)
  await page.addInitScript({ content: inPage(ids) })
  return double
}
