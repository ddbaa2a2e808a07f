// The supported wallets: how to find them, how to sign with them, and what their errors mean.
import { Refusal } from './service.js'

export const WALLETS = [
  { id: 'keplr', name: 'Keplr', find: () => window.keplr, changed: 'keplr_keystorechange' },
  { id: 'leap', name: 'Leap', find: () => window.leap, changed: 'leap_keystorechange' },
  {
    id: 'cosmostation',
    name: 'Cosmostation',
    changed: 'cosmostation_keystorechange',
    find: () => window.cosmostation?.providers?.keplr,
  },
]

/** Other wallets can also register as Keplr: each is listed once, by its own name. */
export const installedWallets = () => {
  const found = WALLETS.filter((wallet) => wallet.find())
  const isOther = (provider) => found.some(({ id, find }) => id !== 'keplr' && find() === provider)
  return found.filter(({ id, find }) => id !== 'keplr' || !isOther(find()))
}

/** Extensions register before the page is complete. */
export const untilComplete = () =>
  document.readyState === 'complete'
    ? Promise.resolve()
    : new Promise((resolve) => window.addEventListener('load', resolve, { once: true }))

const MEANINGS = [
  ['wallet_locked', /\block(?:ed)?\b|\bunlock/i],
  ['wallet_unknown_chain', /no (?:modular )?chain info/i],
  ['wallet_unknown_chain', /(?:unknown|unsupported|invalid|unrecognized) chain/i],
  [
    'wallet_unknown_chain',
    /chain\b.*\bnot (?:\w+ )?(?:found|supported|known|exist|added|enabled)/i,
  ],
  ['wallet_gone', /context invalidated|port closed|receiving end/i],
  ['wallet_rejected', /reject|denied|declined|cancel|closed/i],
]

/** Wallets fail with errors, texts and objects. */
const toRefusal = (wallet, error) => {
  if (error instanceof Refusal) return error
  const text = String(error?.message ?? error)
  const detail = `Message of ${wallet.name}: ${text}`
  // The code of EIP-1193, which these wallets also use.
  if (error?.code === 4001) return new Refusal('wallet_rejected', detail)
  const [code] = MEANINGS.find(([, pattern]) => pattern.test(text)) ?? ['wallet_failed']
  return new Refusal(code, detail)
}

const asking = async (wallet, ask) => {
  const provider = wallet.find()
  if (!provider) throw new Refusal('wallet_gone')
  try {
    return await ask(provider)
  } catch (error) {
    throw toRefusal(wallet, error)
  }
}

/** The account selected in the wallet for the chain, if it can claim. */
export const connectWallet = async (wallet, chain, loginHint) => {
  const key = await asking(wallet, async (provider) => {
    await provider.enable(chain.chain_id)
    return provider.getKey(chain.chain_id)
  })
  const address = String(key?.bech32Address ?? '')
  if (!address.startsWith(`${chain.address_prefix}1`)) {
    const detail = `Expected an address that begins with ${chain.address_prefix}1, but got ${address || 'none'}.`
    throw new Refusal('wallet_wrong_prefix', detail)
  }
  if (loginHint && address !== loginHint) {
    throw new Refusal('wallet_wrong_account', `Requested: ${loginHint}. Selected: ${address}.`)
  }
  return { name: String(key.name ?? ''), address }
}

export const signWith = async (wallet, { chain_id: chainId, signer, text }) => {
  const signed = await asking(wallet, (provider) => provider.signArbitrary(chainId, signer, text))
  const { pub_key: publicKey, signature } = signed ?? {}
  if (typeof publicKey?.value !== 'string' || typeof signature !== 'string') {
    throw new Refusal('wallet_failed', 'The wallet returned no key or no signature.')
  }
  return { pub_key: { value: publicKey.value }, signature }
}
