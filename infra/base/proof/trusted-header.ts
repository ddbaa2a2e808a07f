// A header that the user trusts, as `HEIGHT:HASH`. Loads no cryptography, because settings have it too.

/** A header that the user knows from another source. `hash` in hex. */
export type TrustedHeader = { height: bigint; hash: string }

const TRUSTED = /^([1-9][0-9]{0,14}):([0-9A-Fa-f]{64})$/

/** `HEIGHT:HASH`, with the hash as 64 hex digits. Null for any other text. */
export const parseTrustedHeader = (text: string): TrustedHeader | null => {
  const [, height, hash] = TRUSTED.exec(text) ?? []
  return height && hash ? { height: BigInt(height), hash } : null
}
