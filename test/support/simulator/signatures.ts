// Creates light blocks: validators with keys, linked headers and the commits of their signers.
import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { toBase64, toHex } from '@cosmjs/encoding'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { signedBytes } from '../../../infra/base/proof/commit.ts'
import { headerHash, readHeader, readTimestamp } from '../../../infra/base/proof/header.ts'
import { readJson } from '../../../infra/base/proof/json-reader.ts'
import { readValidators, validatorsHash } from '../../../infra/base/proof/validators.ts'

export const LIGHT_CHAIN_ID = 'light-1'

export type Member = { name: string; power: number }
type Vote = 'commit' | 'nil' | 'absent'

type Keys = { key: Uint8Array; secret: KeyObject }
const known = new Map<string, Keys>()

/** A benchmark needs 100,000 signatures: Node signs faster than noble, and each key is created once. */
const createKeys = (name: string): Keys => {
  const found = known.get(name)
  if (found) return found
  const seed = sha256(new TextEncoder().encode(name))
  const key = ed25519.getPublicKey(seed)
  const base64url = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
  const jwk = { kty: 'OKP', crv: 'Ed25519', d: base64url(seed), x: base64url(key) }
  const keys = { key, secret: createPrivateKey({ key: jwk, format: 'jwk' }) }
  known.set(name, keys)
  return keys
}

const validatorJson = ({ name, power }: Member) => {
  const { key } = createKeys(name)
  return {
    address: toHex(sha256(key).slice(0, 20)).toUpperCase(),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(key) },
    voting_power: `${power}`,
    proposer_priority: '0',
  }
}

const computeValidatorsHash = (members: readonly Member[]): string =>
  toHex(validatorsHash(readValidators(readJson(members.map(validatorJson))))).toUpperCase()

const timeAt = (height: number): string =>
  new Date(Date.UTC(2026, 10, 21) + height * 1_000).toISOString()

export type LightBlockOptions = {
  height: number
  members: readonly Member[]
  /** Validators of the next height; unchanged by default. */
  next?: readonly Member[]
  /** Validators without an entry sign for the block. */
  votes?: Readonly<Record<string, Vote>>
  appHash?: string
  /** Hash of the block before; any by default. */
  previousHash?: string
  dataHash?: string
  chainId?: string
  time?: string
}

const FLAGS: Record<Vote, number> = { absent: 1, commit: 2, nil: 3 }
const ANY_HASH = 'AB'.repeat(32)

/** The reference to the block before; empty in the first header. */
const blockIdJson = (hash: string) => ({ hash, parts: { total: hash === '' ? 0 : 1, hash } })

const headerJson = (options: LightBlockOptions) => {
  const { height, members, next = members, appHash = ANY_HASH, previousHash = ANY_HASH } = options
  return {
    version: { block: '11' },
    chain_id: options.chainId ?? LIGHT_CHAIN_ID,
    height: `${height}`,
    time: options.time ?? timeAt(height),
    last_block_id: blockIdJson(previousHash),
    last_commit_hash: ANY_HASH,
    data_hash: options.dataHash ?? ANY_HASH,
    validators_hash: computeValidatorsHash(members),
    next_validators_hash: computeValidatorsHash(next),
    consensus_hash: ANY_HASH,
    app_hash: appHash,
    last_results_hash: ANY_HASH,
    evidence_hash: ANY_HASH,
    proposer_address: validatorJson(members[0] as Member).address,
  }
}

/** `{ header, commit, validators }` in the format of the RPC. */
export const lightBlockJson = (options: LightBlockOptions) => {
  const { height, members, votes = {} } = options
  const header = headerJson(options)
  const hash = headerHash(readHeader(readJson(header)))
  const blockId = { hash, parts: { total: 1, hash } }
  const timestamp = timeAt(height)
  const signatures = members.map((member) => {
    const vote = votes[member.name] ?? 'commit'
    const flag = FLAGS[vote]
    if (vote === 'absent') {
      const never = '0001-01-01T00:00:00Z'
      return { block_id_flag: flag, validator_address: '', timestamp: never, signature: null }
    }
    const bytes = signedBytes(
      { height: BigInt(height), round: 0n, blockId },
      { vote, time: readTimestamp(readJson(timestamp)) },
      header.chain_id,
    )
    return {
      block_id_flag: flag,
      validator_address: validatorJson(member).address,
      timestamp,
      signature: toBase64(sign(null, bytes, createKeys(member.name).secret)),
    }
  })
  const hex = toHex(hash).toUpperCase()
  const commit = {
    height: `${height}`,
    round: 0,
    block_id: { hash: hex, parts: { total: 1, hash: hex } },
    signatures,
  }
  return { header, commit, validators: members.map(validatorJson) }
}
