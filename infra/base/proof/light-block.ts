// A light block: a header, the commit that decided it, and the validators who signed that.
import { toHex } from '@cosmjs/encoding'
import { equalBytes } from '@noble/curves/utils.js'
import {
  type Commit,
  type CommitRules,
  isFor,
  readCommit,
  signedPower,
  type VerifySignature,
} from './commit.ts'
import { type Header, headerHash, readHeader } from './header.ts'
import { type JsonReader, readJson } from './json-reader.ts'
import { ensure } from './proof-error.ts'
import { readValidators, sumPower, type Validator, validatorsHash } from './validators.ts'

export type LightBlock = SignedHeader & {
  validators: readonly Validator[]
  /** The power that signed for the block, of `totalPower`. */
  power: bigint
  totalPower: bigint
}

export const hashText = (hash: Uint8Array): string => toHex(hash).toUpperCase()

/** A header with its commit. The signatures of the commit are not checked yet. */
export type SignedHeader = {
  header: Header
  /** The hash of the header. */
  hash: Uint8Array
  commit: Commit
}

/** More than two thirds of the power of the validators of the block. */
const isDecided = (power: bigint, total: bigint): boolean => 3n * power > 2n * total

/** Reads `{ header, commit }`. Both must have one height, the commit must be for the header, the chain must match. */
export const readSignedHeader = (reader: JsonReader, chainId: string): SignedHeader => {
  const header = readHeader(reader.member('header'))
  const { height } = header
  ensure(
    header.chainId === chainId,
    'wrong_chain',
    `The header of height ${height} is of the chain ${header.chainId}, not of ${chainId}.`,
  )
  const hash = headerHash(header)
  const commit = readCommit(reader.member('commit'))
  ensure(
    commit.height === height,
    'wrong_height',
    `The commit is of height ${commit.height}, the header of height ${height}.`,
  )
  ensure(
    isFor(commit, hash),
    'wrong_header',
    `The header of height ${height} has the hash ${hashText(hash)}; the commit is for ${hashText(commit.blockId.hash)}.`,
  )
  return { header, hash, commit }
}

export const ensureValidators = (
  validators: readonly Validator[],
  { height, validatorsHash: named }: Header,
): void =>
  ensure(
    equalBytes(validatorsHash(validators), named),
    'wrong_validators',
    `The validators do not have the hash that the header of height ${height} names.`,
  )

export type DecisionRules = Pick<CommitRules, 'verifySignature'> & {
  /** Stops at more than two thirds of the power: other signatures may be invalid. */
  onlyNeeded?: boolean
}

/** Throws unless more than two thirds of the power signed the commit. The validators must match the header. */
export const ensureDecided = (
  { header, commit }: SignedHeader,
  validators: readonly Validator[],
  { verifySignature, onlyNeeded = false }: DecisionRules = {},
): { power: bigint; totalPower: bigint } => {
  const totalPower = sumPower(validators)
  const { chainId } = header
  const limit = onlyNeeded ? { enough: (2n * totalPower) / 3n } : {}
  const power = signedPower(commit, validators, { chainId, verifySignature, ...limit })
  ensure(
    isDecided(power, totalPower),
    'not_enough_power',
    `Power of ${power} of ${totalPower} signed height ${header.height}: not more than two thirds.`,
  )
  return { power, totalPower }
}

export type LightBlockOptions = { path?: string; verifySignature?: VerifySignature }

/**
 * A consistent light block: the commit is for the header, and the header has the hash of the validators.
 * More than two thirds of their power signed. It does not prove that these are the validators of the chain.
 */
export const readLightBlock = (
  json: unknown,
  chainId: string,
  { path = 'proof', verifySignature }: LightBlockOptions = {},
): LightBlock => {
  const reader: JsonReader = readJson(json, path)
  const signed = readSignedHeader(reader, chainId)
  const validators = readValidators(reader.member('validators'))
  ensureValidators(validators, signed.header)
  return { ...signed, validators, ...ensureDecided(signed, validators, { verifySignature }) }
}
