// A light block: a header, the commit that decided it, and the validators who signed that.
import { toHex } from '@cosmjs/encoding'
import { equalBytes } from '@noble/curves/utils.js'
import { type Commit, isFor, readCommit, signedPower } from './commit.ts'
import { type Header, headerHash, readHeader } from './header.ts'
import { type JsonReader, readJson } from './json-reader.ts'
import { ensure } from './proof-error.ts'
import { powerOf, readValidators, type Validator, validatorsHash } from './validators.ts'

export type LightBlock = {
  header: Header
  /** Of the header. */
  hash: Uint8Array
  commit: Commit
  validators: readonly Validator[]
  /** What signed for the block, of `totalPower`. */
  power: bigint
  totalPower: bigint
}

export const hashText = (hash: Uint8Array): string => toHex(hash).toUpperCase()

/** More than two thirds of the power of its own validators. */
const isDecided = (power: bigint, total: bigint): boolean => 3n * power > 2n * total

/**
 * A consistent light block: the commit is for the header, the validators are those that the header names, and more
 * than two thirds of their power signed. Whether these validators are those of the chain, this does not say.
 */
export const readLightBlock = (json: unknown, chainId: string, path = 'proof'): LightBlock => {
  const reader: JsonReader = readJson(json, path)
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
  const validators = readValidators(reader.member('validators'))
  ensure(
    equalBytes(validatorsHash(validators), header.validatorsHash),
    'wrong_validators',
    `The validators do not have the hash that the header of height ${height} names.`,
  )
  const totalPower = powerOf(validators)
  const power = signedPower(commit, validators, chainId)
  ensure(
    isDecided(power, totalPower),
    'not_enough_power',
    `Power of ${power} of ${totalPower} signed height ${height}: not more than two thirds.`,
  )
  return { header, hash, commit, validators, power, totalPower }
}
