// Tests of wallet signatures: the golden vector, published signatures and invalid proofs.
import { createHash } from 'node:crypto'
import { fromHex, toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import {
  adr36SignBytes,
  checkWalletProof,
  normalAddress,
  type WalletProof,
} from '../../../../auth/claims/wallet-proof.ts'
import type { WalletChain } from '../../../../auth/config.ts'
import { adr36Bytes, createTestWallet } from '../../../support/auth/test-wallet.ts'

type PublishedProof = {
  source: string
  prefix: string
  address: string
  text: string
  /** Compressed, base64. */
  publicKey: string
  signature: string
}

const base64 = (hex: string): string => Buffer.from(hex, 'hex').toString('base64')

/** Third-party signatures (ADR-036, secp256k1), each with its source. */
const PUBLISHED: readonly PublishedProof[] = [
  {
    source: 'a public example of verifyADR36Amino of @keplr-wallet/cosmos',
    prefix: 'cosmos',
    address: 'cosmos1m9l358xunhhwds0568za49mzhvuxx9uxre5tud',
    text: 'cosmos1m9l358xunhhwds0568za49mzhvuxx9uxre5tud',
    publicKey: 'A/MdHVpitzHNSdD1Zw3kY+L5PEIPyd9l6sD5i4aIfXp9',
    signature:
      'vb78/y129cOiWyQkeFF8wCKZsOyzjpILnpEVZ72o5YUhEOmQZzVPcbUqWPLR7aZQ20j6vnYhIuCQN0HEG3igFg==',
  },
  {
    source: 'the tests of defuse-adr36, with vectors from the Cosmos SDK in Go',
    prefix: 'cosmos',
    address: 'cosmos1mnyn7x24xj6vraxeeq56dfkxa009tvhgknhm04',
    text: 'Hello, ADR-036!',
    publicKey: base64('034646ae5047316b4230d0086c8acec687f00b1cd9d1dc634f6cb358ac0a9a8fff'),
    signature: base64(
      '043485aac9cd7de64da9548b72635c061e07b20063488c0d3affc3c843b33c0458f799ac6592b6260c5ce326be4996d95ee8cfbea4ae76b820f2a7a01ad3a5cc',
    ),
  },
]

const COSMOS: WalletChain = { chainId: 'cosmoshub-4', prefix: 'cosmos', algorithm: 'secp256k1' }
const EVM: WalletChain = { chainId: 'evm-1', prefix: 'evm', algorithm: 'eth-secp256k1' }

/** Private key 0x11…11; the signature was made with wallet libraries. */
const GOLDEN: WalletProof = {
  chain: COSMOS,
  address: 'cosmos1l3e9pgs3mmwuwrh95fecme0s0qtn2880f2jmfe',
  text: 'hello & <world>',
  publicKey: 'A081W9y3zAr3KO88zrlhXZBoS7Wyyl+FmrDwtwQHWHGq',
  signature:
    'AJBCyFquDkZCGm//0HqUaBVDYb90b9ZBzgRANOXftiZzYDIS8ri0LM4Y6EinmavD4mxYBbDq0Y3uc4FG1L3Rsg==',
}

describe('the signed document', () => {
  it('equals the golden vector, byte for byte', () => {
    const bytes = adr36SignBytes(GOLDEN.address, GOLDEN.text)
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      '23b67b9e9a7228b229f4a806ffa2bd55674e77b55ca8e01c75da2d18ab5372e8',
    )
    expect(checkWalletProof(GOLDEN)).toEqual({ ok: true })
  })

  it.each(['', '"quoted" \\ & <tags>\n', 'Grüße 🗳\u2028'])(
    'for %j equals the document that a wallet signs',
    (text) => {
      expect(Buffer.from(adr36SignBytes('cosmos1abc', text)).toString()).toBe(
        Buffer.from(adr36Bytes('cosmos1abc', text)).toString(),
      )
    },
  )
})

it.each(PUBLISHED)('a published signature is valid: $source', ({ source: _, prefix, ...proof }) => {
  expect(checkWalletProof({ ...proof, chain: { ...COSMOS, prefix } })).toEqual({ ok: true })
})

describe('a proof', () => {
  it('with a key of either kind is valid for its chain, and refused for the other kind', async () => {
    for (const chain of [COSMOS, EVM]) {
      const { prefix, algorithm } = chain
      for (let seed = 1; seed < 20; seed++) {
        const wallet = await createTestWallet(seed, { prefix, algorithm })
        const { pub_key, signature } = await wallet.sign(`text ${seed}`)
        const proof = { chain, address: wallet.address, publicKey: pub_key.value, signature }
        expect(checkWalletProof({ ...proof, text: `text ${seed}` })).toEqual({ ok: true })
        expect(checkWalletProof({ ...proof, text: `text ${seed}.` }).ok).toBe(false)
        const other = chain === COSMOS ? 'eth-secp256k1' : 'secp256k1'
        const confused = { ...proof, chain: { ...chain, algorithm: other } as WalletChain }
        expect(checkWalletProof({ ...confused, text: `text ${seed}` })).toMatchObject({
          ok: false,
          code: 'address_mismatch',
        })
      }
    }
  })

  it('with the golden key on an eth-style chain has the address that wallets show', async () => {
    const address = toBech32('evm', fromHex('19e7e376e7c213b7e7e7e46cc70a5dd086daff2a'))
    const wallet = await createTestWallet(0x11, { prefix: 'evm', algorithm: 'eth-secp256k1' })
    const { signature } = await wallet.sign(GOLDEN.text)
    expect(checkWalletProof({ ...GOLDEN, chain: EVM, address, signature })).toEqual({ ok: true })
  })

  it.each<[string, Partial<WalletProof>, string]>([
    [
      'another address',
      { address: 'cosmos1cyyzpxplxdzkeea7kwsydadg87357qnalx9dqz' },
      'address_mismatch',
    ],
    ['another text', { text: 'hello' }, 'invalid_signature'],
    ['half of a signature', { signature: GOLDEN.signature.slice(0, 44) }, 'invalid_signature'],
    ['an undecodable signature', { signature: '!'.repeat(88) }, 'invalid_signature'],
    [
      'a signature of zeros',
      { signature: Buffer.alloc(64).toString('base64') },
      'invalid_signature',
    ],
    ['a key of zeros', { publicKey: Buffer.alloc(33).toString('base64') }, 'address_mismatch'],
    [
      'a key that is not on the curve',
      { publicKey: Buffer.alloc(33, 5).toString('base64'), chain: EVM },
      'invalid_signature',
    ],
    ['another chain prefix', { chain: { ...COSMOS, prefix: 'osmo' } }, 'address_mismatch'],
  ])('with %s is refused', (_name, changes, code) => {
    expect(checkWalletProof({ ...GOLDEN, ...changes })).toMatchObject({ ok: false, code })
  })
})

describe('an address', () => {
  it('has one canonical form, of one prefix and twenty bytes', () => {
    const { address } = GOLDEN
    expect(normalAddress(address, COSMOS)).toBe(address)
    expect(normalAddress(address.toUpperCase(), COSMOS)).toBe(address)
    for (const wrong of [
      '',
      'cosmos1',
      `${address}x`,
      address.replace('l3', 'l4'),
      ` ${address}`,
      'osmo1cyyzpxplxdzkeea7kwsydadg87357qnahakaks',
      'cosmos1qqqsyqcyq5rqwzqfkndyh6',
    ]) {
      expect(normalAddress(wrong, COSMOS)).toBeUndefined()
    }
  })
})
