// The commit of a block: the signatures with which validators decided for it.
import { toHex } from '@cosmjs/encoding'
import { ed25519 } from '@noble/curves/ed25519.js'
import { equalBytes } from '@noble/curves/utils.js'
import { BinaryWriter } from 'cosmjs-types/binary'
import {
  type BlockId,
  encodeTimestamp,
  readBlockId,
  readTimestamp,
  type Timestamp,
} from './header.ts'
import type { JsonReader } from './json-reader.ts'
import { ensure, ProofError } from './proof-error.ts'
import type { Validator } from './validators.ts'

/** `commit`: for the block. `nil`: for no block in this round. */
export type Signature = {
  vote: 'commit' | 'nil'
  address: string
  time: Timestamp
  signature: Uint8Array
}

export type Commit = {
  height: bigint
  round: bigint
  blockId: BlockId
  /** In the order of the validator set; null where a validator was absent. */
  signatures: readonly (Signature | null)[]
}

const MAX_SIGNATURES = 10_000
const SIGNATURE_BYTES = 64
const ADDRESS_BYTES = 20
/** The time of an absent signature. */
const NO_TIME = '0001-01-01T00:00:00Z'
const MAX_ROUND = 2n ** 31n - 1n
const ABSENT = 1n
const VOTES: ReadonlyMap<bigint, Signature['vote']> = new Map([
  [2n, 'commit'],
  [3n, 'nil'],
])

const readSignature = (reader: JsonReader): Signature | null => {
  const flag = reader.member('block_id_flag').integer({ from: ABSENT, to: 3n })
  const address = reader.member('validator_address')
  const signature = reader.member('signature')
  const vote = VOTES.get(flag)
  if (vote === undefined) {
    const isEmpty = address.orNull(() => true) === null && signature.orNull(() => true) === null
    if (isEmpty && reader.member('timestamp').text() === NO_TIME) return null
    throw new ProofError(
      'malformed',
      `${reader.path} is of an absent validator and has an address, a time or a signature.`,
    )
  }
  return {
    vote,
    address: toHex(address.hex(ADDRESS_BYTES)).toUpperCase(),
    time: readTimestamp(reader.member('timestamp')),
    signature: signature.base64(SIGNATURE_BYTES),
  }
}

/** Reads `commit` of the response to `/commit`. */
export const readCommit = (reader: JsonReader): Commit => ({
  height: reader.member('height').integer({ from: 1n }),
  round: reader.member('round').integer({ to: MAX_ROUND }),
  blockId: readBlockId(reader.member('block_id')),
  signatures: reader.member('signatures').list(MAX_SIGNATURES).map(readSignature),
})

const PRECOMMIT = 2

const canonicalBlockId = ({ hash, parts }: BlockId): Uint8Array => {
  const header = new BinaryWriter().uint32(8).uint32(parts.total).uint32(18).bytes(parts.hash)
  return new BinaryWriter().uint32(10).bytes(hash).uint32(18).bytes(header.finish()).finish()
}

/** The bytes that a validator signs: a length-prefixed `CanonicalVote`. */
export const signedBytes = (
  { height, round, blockId }: Pick<Commit, 'height' | 'round' | 'blockId'>,
  { vote, time }: Pick<Signature, 'vote' | 'time'>,
  chainId: string,
): Uint8Array => {
  const writer = new BinaryWriter().uint32(8).int32(PRECOMMIT).uint32(17).sfixed64(height)
  // A number 0 is omitted.
  if (round > 0n) writer.uint32(25).sfixed64(round)
  if (vote === 'commit') writer.uint32(34).bytes(canonicalBlockId(blockId))
  writer.uint32(42).bytes(encodeTimestamp(time)).uint32(50).string(chainId)
  return new BinaryWriter().bytes(writer.finish()).finish()
}

/** Whether it is a signature of the Ed25519 key for these bytes, by the rules of ZIP-215, as in CometBFT. */
export type VerifySignature = (signature: Uint8Array, bytes: Uint8Array, key: Uint8Array) => boolean

export const verifyEd25519: VerifySignature = (signature, bytes, key) =>
  ed25519.verify(signature, bytes, key, { zip215: true })

export type CommitRules = {
  chainId: string
  /** A faster function than `verifyEd25519`, if the platform has one. */
  verifySignature?: VerifySignature | undefined
  /** Stops once the checked signatures have more power than this. By default all signatures are checked. */
  enough?: bigint
}

/** The power that signed for the block. Throws for the first invalid signature, also one for no block. */
export const signedPower = (
  commit: Commit,
  validators: readonly Validator[],
  { chainId, verifySignature = verifyEd25519, enough }: CommitRules,
): bigint => {
  const { signatures, height } = commit
  ensure(
    signatures.length === validators.length,
    'wrong_validators',
    `The commit of height ${height} has ${signatures.length} signatures for ${validators.length} validators.`,
  )
  const seen = new Set<string>()
  let power = 0n
  for (const [n, validator] of validators.entries()) {
    const signature = signatures[n]
    if (!signature) continue
    const { address } = signature
    const of = `signatures[${n}] of the commit of height ${height}`
    ensure(!seen.has(address), 'duplicate_signature', `${of} is a second one of ${address}.`)
    seen.add(address)
    ensure(
      address === validator.address,
      'wrong_validators',
      `${of} is of ${address}, where the validator set has ${validator.address}.`,
    )
    const bytes = signedBytes(commit, signature, chainId)
    ensure(
      verifySignature(signature.signature, bytes, validator.key),
      'wrong_signature',
      `${of} is not the signature of ${address} for this block, time and chain.`,
    )
    if (signature.vote === 'commit') power += validator.power
    if (enough !== undefined && power > enough) break
  }
  return power
}

export const isFor = ({ blockId }: Commit, hash: Uint8Array): boolean =>
  equalBytes(blockId.hash, hash)
