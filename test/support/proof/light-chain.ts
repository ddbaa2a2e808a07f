// A chain of light blocks made by hand: validators with keys of their own, headers in a row, and the commits of those who signed.
import { toBase64, toHex } from '@cosmjs/encoding'
import { ed25519 } from '@noble/curves/ed25519.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { signedBytes } from '../../../infra/proof/commit.ts'
import { headerHash, readHeader } from '../../../infra/proof/header.ts'
import { readJson } from '../../../infra/proof/json-reader.ts'
import { readTimestamp } from '../../../infra/proof/timestamp.ts'
import { readValidators, validatorsHash } from '../../../infra/proof/validators.ts'

export const LIGHT_CHAIN_ID = 'light-1'

export type Member = { name: string; power: number }
type Vote = 'commit' | 'nil' | 'absent'

const secretOf = (name: string): Uint8Array => sha256(new TextEncoder().encode(name))

const validatorJson = ({ name, power }: Member) => {
  const key = ed25519.getPublicKey(secretOf(name))
  return {
    address: toHex(sha256(key).slice(0, 20)).toUpperCase(),
    pub_key: { type: 'tendermint/PubKeyEd25519', value: toBase64(key) },
    voting_power: `${power}`,
    proposer_priority: '0',
  }
}

const hashOf = (members: readonly Member[]): string =>
  toHex(validatorsHash(readValidators(readJson(members.map(validatorJson)))))

const timeAt = (height: number): string =>
  new Date(Date.UTC(2026, 10, 21) + height * 1_000).toISOString()

export type LightBlockOptions = {
  height: number
  members: readonly Member[]
  /** Of the next height; the same where absent. */
  next?: readonly Member[]
  /** Those who are not named sign for the block. */
  votes?: Readonly<Record<string, Vote>>
  appHash?: string
  chainId?: string
  time?: string
}

const FLAGS: Record<Vote, number> = { absent: 1, commit: 2, nil: 3 }
const ANY_HASH = 'AB'.repeat(32)

const headerJson = (options: LightBlockOptions) => {
  const { height, members, next = members, appHash = ANY_HASH } = options
  return {
    version: { block: '11' },
    chain_id: options.chainId ?? LIGHT_CHAIN_ID,
    height: `${height}`,
    time: options.time ?? timeAt(height),
    last_block_id: { hash: ANY_HASH, parts: { total: 1, hash: ANY_HASH } },
    last_commit_hash: ANY_HASH,
    data_hash: ANY_HASH,
    validators_hash: hashOf(members),
    next_validators_hash: hashOf(next),
    consensus_hash: ANY_HASH,
    app_hash: appHash,
    last_results_hash: ANY_HASH,
    evidence_hash: ANY_HASH,
    proposer_address: validatorJson(members[0] as Member).address,
  }
}

/** `{ header, commit, validators }` as the RPC has them. */
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
      signature: toBase64(ed25519.sign(bytes, secretOf(member.name))),
    }
  })
  const hex = toHex(hash)
  const commit = {
    height: `${height}`,
    round: 0,
    block_id: { hash: hex, parts: { total: 1, hash: hex } },
    signatures,
  }
  return { header, commit, validators: members.map(validatorJson) }
}
