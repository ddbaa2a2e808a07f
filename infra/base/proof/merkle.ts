// The Merkle tree of CometBFT (RFC 6962): the hash of a header and of a validator set.
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'

const LEAF = Uint8Array.of(0)
const INNER = Uint8Array.of(1)

/** The largest power of two below `count`, which is at least 2. */
const splitPoint = (count: number): number => 2 ** Math.ceil(Math.log2(count) - 1)

/** Of at most 2^20 leaves. */
export const merkleRoot = (leaves: readonly Uint8Array[]): Uint8Array => {
  const [first] = leaves
  if (!first) return sha256(new Uint8Array())
  if (leaves.length === 1) return sha256(concatBytes(LEAF, first))
  const split = splitPoint(leaves.length)
  return sha256(
    concatBytes(INNER, merkleRoot(leaves.slice(0, split)), merkleRoot(leaves.slice(split))),
  )
}
