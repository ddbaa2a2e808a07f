// Published third-party signatures (ADR-036, secp256k1), each with its source.

export type PublishedProof = {
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

/** SHA-256 of the signed bytes of the last vector, and a signature that its authors list as invalid. */
export const SDK_VECTOR = {
  digest: '5ac8daed449a016684fd64bade7510b75ccd7c6eefa31b60a10eb577b37575e3',
  wrongSignature: base64(
    'c6ada709bab5a03bdbeb7e53e54ff77afbfec9e4f7b3d1b588e24f09d6f5dc305fa7cdb36c78d9f0c31859879eb930d28c890bcf9e27944e7e8808b1a53c0966',
  ),
} as const
