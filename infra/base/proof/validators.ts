// A validator set: its validators with their powers, and the hash of the set in a header.
import { toHex } from '@cosmjs/encoding'
import { sha256 } from '@noble/hashes/sha2.js'
import { PublicKey } from 'cosmjs-types/tendermint/crypto/keys'
import { SimpleValidator } from 'cosmjs-types/tendermint/types/validator'
import { merkleRoot } from './header.ts'
import type { JsonReader } from './json-reader.ts'
import { ensure, ProofError } from './proof-error.ts'

export type Validator = {
  /** The first 20 bytes of the SHA-256 of the key, in upper-case hex. */
  address: string
  /** Ed25519. */
  key: Uint8Array
  power: bigint
}

const MAX_VALIDATORS = 10_000
const ADDRESS_BYTES = 20
const KEY_BYTES = 32
/** CometBFT allows no set with more power. */
const MAX_TOTAL_POWER = (2n ** 63n - 1n) / 8n
export const ED25519 = 'tendermint/PubKeyEd25519'

const readValidator = (reader: JsonReader): Validator => {
  const key = reader.member('pub_key')
  const type = key.member('type').text()
  if (type !== ED25519) {
    throw new ProofError(
      'malformed',
      `${key.path}.type is ${type}: only ${ED25519} can be verified.`,
    )
  }
  const bytes = key.member('value').base64(KEY_BYTES)
  const address = toHex(sha256(bytes).slice(0, ADDRESS_BYTES)).toUpperCase()
  const named = toHex(reader.member('address').hex(ADDRESS_BYTES)).toUpperCase()
  ensure(
    address === named,
    'wrong_validators',
    `${reader.path}.address is not the address of its key.`,
  )
  return { address, key: bytes, power: reader.member('voting_power').integer({ from: 1n }) }
}

/** Reads `validators` of the response to `/validators`, all pages in their order. */
export const readValidators = (reader: JsonReader): Validator[] => {
  const validators = reader.list(MAX_VALIDATORS).map(readValidator)
  ensure(validators.length > 0, 'malformed', `${reader.path} is empty.`)
  const addresses = new Set(validators.map(({ address }) => address))
  ensure(
    addresses.size === validators.length,
    'wrong_validators',
    `${reader.path} has a validator twice.`,
  )
  ensure(
    sumPower(validators) <= MAX_TOTAL_POWER,
    'wrong_validators',
    `${reader.path} has a total power above ${MAX_TOTAL_POWER}.`,
  )
  return validators
}

export const validatorsHash = (validators: readonly Validator[]): Uint8Array =>
  merkleRoot(
    validators.map(({ key, power }) =>
      SimpleValidator.encode({
        pubKey: PublicKey.fromPartial({ ed25519: key }),
        votingPower: power,
      }).finish(),
    ),
  )

export const sumPower = (validators: readonly Validator[]): bigint =>
  validators.reduce((sum, { power }) => sum + power, 0n)
