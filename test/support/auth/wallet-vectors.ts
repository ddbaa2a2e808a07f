// Published third-party signatures (ADR-036, secp256k1), each with its source.

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

export const PUBLISHED: readonly PublishedProof[] = [
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
