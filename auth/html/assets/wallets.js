// The supported wallets: how to find them, and how to sign with them.
import { Refusal } from './service.js'

const WALLETS = [
  { id: 'keplr', name: 'Keplr', find: () => window.keplr },
  { id: 'leap', name: 'Leap', find: () => window.leap },
  { id: 'cosmostation', name: 'Cosmostation', find: () => window.cosmostation?.providers?.keplr },
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

/** Wallets fail with errors, texts and objects. 4001 is the code of EIP-1193, which they also use. */
const toRefusal = ({ name }, error) => {
  const text = String(error?.message ?? error)
  const isRejected = error?.code === 4001 || /reject|denied|declined|cancel|closed/i.test(text)
  return isRejected
    ? new Refusal('wallet_rejected', `The request was refused in ${name}.`, text)
    : new Refusal('wallet_failed', `${name} could not complete the request.`, text)
}

const asking = async (wallet, ask) => {
  try {
    return await ask(wallet.find())
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
  const expected = loginHint ?? `an address that begins with ${chain.address_prefix}1`
  if (loginHint ? address !== loginHint : !address.startsWith(`${chain.address_prefix}1`)) {
    const detail = `Expected ${expected}, but got ${address || 'none'}.`
    throw new Refusal('address_mismatch', 'The account in the wallet cannot claim.', detail)
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
