// The accounts of the devnet: every key is derived from a name, so that every run has the same addresses.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { fromBech32, toBech32 } from '@cosmjs/encoding'
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing'

export type Account = { name: string; address: string; wallet: DirectSecp256k1Wallet }

const seed = (name: string) =>
  new Uint8Array(createHash('sha256').update(`rollcall devnet / ${name}`).digest())

export async function createAccount(name: string, prefix: string): Promise<Account> {
  const wallet = await DirectSecp256k1Wallet.fromKey(seed(name), prefix)
  const [first] = await wallet.getAccounts()
  if (!first) throw new Error(`no account for ${name}`)
  return { name, address: first.address, wallet }
}

export const createAccounts = (names: readonly string[], prefix: string): Promise<Account[]> =>
  Promise.all(names.map((name) => createAccount(name, prefix)))

export type ConsensusKey = {
  publicKey: Uint8Array
  /** Seed and public key in the format of CometBFT. */
  privateKey: Uint8Array
  /** The first 20 bytes of the public key's hash. */
  address: Uint8Array
  sign(bytes: Uint8Array): Buffer
}

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The name of a pool of the genesis is its index. */
export function createConsensusKey(name: string): ConsensusKey {
  const secret = seed(`consensus ${name}`)
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, secret]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    publicKey,
    privateKey: Buffer.concat([secret, publicKey]),
    address: createHash('sha256').update(publicKey).digest().subarray(0, 20),
    sign: (bytes) => sign(null, bytes, key),
  }
}

/** A module's account is the first 20 bytes of the hash of its name. */
export function moduleAddress(name: string, prefix: string): string {
  return toBech32(prefix, createHash('sha256').update(name).digest().subarray(0, 20))
}

/** The address of the pool that the account operates. */
export function toPoolAddress({ address }: { address: string }): string {
  const { prefix, data } = fromBech32(address)
  return toBech32(`${prefix}valoper`, data)
}
