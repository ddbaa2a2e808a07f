// A test wallet: signs ADR-036 texts with the libraries of real wallets, not with those of the service.
import {
  encodeSecp256k1Pubkey,
  makeSignDoc,
  pubkeyToAddress,
  serializeSignDoc,
} from '@cosmjs/amino'
import { Keccak256, Secp256k1, Secp256k1Signature, Sha256 } from '@cosmjs/crypto'
import { toBase64, toBech32, toUtf8 } from '@cosmjs/encoding'

export type TestWallet = {
  address: string
  /** The result of `signArbitrary` of a wallet. */
  sign(text: string): Promise<{ pub_key: { type: string; value: string }; signature: string }>
}

type Options = { prefix?: string; algorithm?: 'secp256k1' | 'eth-secp256k1'; highS?: boolean }

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Without leading zeros, which the library rejects. */
const toBytes = (value: bigint): Uint8Array => {
  const digits = value.toString(16)
  return Uint8Array.from(
    Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex'),
  )
}

/** The second signature of the same text by the same key; only a strict verifier rejects it. */
const mirrored = (signature: Secp256k1Signature): Secp256k1Signature => {
  const s = BigInt(`0x${Buffer.from(signature.s()).toString('hex')}`)
  return new Secp256k1Signature(signature.r(), toBytes(ORDER - s))
}

export const adr36Bytes = (signer: string, text: string): Uint8Array => {
  const value = { signer, data: toBase64(toUtf8(text)) }
  const message = { type: 'sign/MsgSignData', value }
  return serializeSignDoc(makeSignDoc([message], { gas: '0', amount: [] }, '', '', 0, 0))
}

/** The same `seed` gives the same key. */
export const createTestWallet = async (
  seed: number,
  options: Options = {},
): Promise<TestWallet> => {
  const { prefix = 'cosmos', algorithm = 'secp256k1', highS = false } = options
  const { privkey, pubkey } = await Secp256k1.makeKeypair(new Uint8Array(32).fill(seed))
  const compressed = Secp256k1.compressPubkey(pubkey)
  const isEth = algorithm === 'eth-secp256k1'
  const address = isEth
    ? toBech32(prefix, new Keccak256(pubkey.slice(1)).digest().slice(-20))
    : pubkeyToAddress(encodeSecp256k1Pubkey(compressed), prefix)
  return {
    address,
    sign: async (text) => {
      const bytes = adr36Bytes(address, text)
      const digest = isEth ? new Keccak256(bytes).digest() : new Sha256(bytes).digest()
      const extended = await Secp256k1.createSignature(digest, privkey)
      const low = new Secp256k1Signature(extended.r(), extended.s())
      const signature = highS ? mirrored(low) : low
      return {
        pub_key: { type: 'tendermint/PubKeySecp256k1', value: toBase64(compressed) },
        signature: toBase64(signature.toFixedLength()),
      }
    },
  }
}
