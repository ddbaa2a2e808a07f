// A block header of CometBFT: read from the JSON of its RPC, and hashed as validators sign it.

import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { BinaryWriter } from 'cosmjs-types/binary'
import { Timestamp as TimestampMessage } from 'cosmjs-types/google/protobuf/timestamp'
import { BlockID } from 'cosmjs-types/tendermint/types/types'
import { Consensus } from 'cosmjs-types/tendermint/version/types'
import type { JsonReader } from './json-reader.ts'
import { ensure, ProofError } from './proof-error.ts'

export type BlockId = { hash: Uint8Array; parts: { total: number; hash: Uint8Array } }

export type Header = {
  version: { block: bigint; app: bigint }
  chainId: string
  height: bigint
  time: Timestamp
  lastBlockId: BlockId
  lastCommitHash: Uint8Array
  dataHash: Uint8Array
  validatorsHash: Uint8Array
  nextValidatorsHash: Uint8Array
  consensusHash: Uint8Array
  appHash: Uint8Array
  lastResultsHash: Uint8Array
  evidenceHash: Uint8Array
  proposerAddress: Uint8Array
  /** Only chains with the CometBFT of Secret Network have it: one more member that their validators sign. */
  implicitHash?: Uint8Array
}

const MAX_UINT64 = 2n ** 64n - 1n
const MAX_PARTS = 2n ** 32n - 1n
/** Of Tendermint 0.34 and of CometBFT. Older headers have another encoding. */
const BLOCK_PROTOCOL = 11n
const HASH_BYTES = 32
const ADDRESS_BYTES = 20
const NOTHING = new Uint8Array()

/** Complete, or empty as a whole: the first header of a chain names no block before it. */
export const readBlockId = (reader: JsonReader): BlockId => {
  const parts = reader.member('parts')
  const isEmpty = reader.member('hash').text() === ''
  const bytes = isEmpty ? 0 : HASH_BYTES
  const total = isEmpty ? { to: 0n } : { from: 1n, to: MAX_PARTS }
  return {
    hash: reader.member('hash').hex(bytes),
    parts: {
      total: Number(parts.member('total').integer(total)),
      hash: parts.member('hash').hex(bytes),
    },
  }
}

const readHashOrNothing = (reader: JsonReader): Uint8Array =>
  reader.text() === '' ? NOTHING : reader.hex(HASH_BYTES)

const readVersion = (reader: JsonReader): Header['version'] => {
  const block = reader.member('block').integer({ to: MAX_UINT64 })
  ensure(
    block === BLOCK_PROTOCOL,
    'malformed',
    `${reader.path}.block is ${block}: only headers of block protocol ${BLOCK_PROTOCOL} can be verified.`,
  )
  // The RPC omits a version 0.
  return { block, app: reader.optional('app')?.integer({ to: MAX_UINT64 }) ?? 0n }
}

/** Reads `header` of the response to `/commit`. */
export const readHeader = (reader: JsonReader): Header => {
  const hash = (name: string) => reader.member(name).hex(HASH_BYTES)
  const hashOrNothing = (name: string) => readHashOrNothing(reader.member(name))
  const implicitHash = reader.optional('implicit_hash')
  return {
    version: readVersion(reader.member('version')),
    chainId: reader.member('chain_id').text(),
    height: reader.member('height').integer({ from: 1n }),
    time: readTimestamp(reader.member('time')),
    lastBlockId: readBlockId(reader.member('last_block_id')),
    lastCommitHash: hashOrNothing('last_commit_hash'),
    dataHash: hashOrNothing('data_hash'),
    validatorsHash: hash('validators_hash'),
    nextValidatorsHash: hash('next_validators_hash'),
    consensusHash: hash('consensus_hash'),
    // Its length depends on the application.
    appHash: reader.member('app_hash').hex(),
    lastResultsHash: hashOrNothing('last_results_hash'),
    evidenceHash: hashOrNothing('evidence_hash'),
    proposerAddress: reader.member('proposer_address').hex(ADDRESS_BYTES),
    ...(implicitHash ? { implicitHash: readHashOrNothing(implicitHash) } : {}),
  }
}

/** A member that is not a message is wrapped in one, as its field 1. An empty member gives no bytes. */
const wrapped = {
  bytes: (value: Uint8Array): Uint8Array =>
    value.length === 0 ? NOTHING : new BinaryWriter().uint32(10).bytes(value).finish(),
  text: (value: string): Uint8Array =>
    value === '' ? NOTHING : new BinaryWriter().uint32(10).string(value).finish(),
  integer: (value: bigint): Uint8Array =>
    value === 0n ? NOTHING : new BinaryWriter().uint32(8).int64(value).finish(),
}

export const encodeTimestamp = ({ seconds, nanos }: Timestamp): Uint8Array =>
  TimestampMessage.encode({ seconds, nanos }).finish()

const encodeBlockId = ({ hash, parts }: BlockId): Uint8Array =>
  BlockID.encode({ hash, partSetHeader: parts }).finish()

/** The root of the Merkle tree of the members of the header, in their order. */
export const headerHash = (header: Header): Uint8Array =>
  merkleRoot([
    Consensus.encode(header.version).finish(),
    wrapped.text(header.chainId),
    wrapped.integer(header.height),
    encodeTimestamp(header.time),
    encodeBlockId(header.lastBlockId),
    wrapped.bytes(header.lastCommitHash),
    wrapped.bytes(header.dataHash),
    wrapped.bytes(header.validatorsHash),
    wrapped.bytes(header.nextValidatorsHash),
    wrapped.bytes(header.consensusHash),
    wrapped.bytes(header.appHash),
    wrapped.bytes(header.lastResultsHash),
    wrapped.bytes(header.evidenceHash),
    wrapped.bytes(header.proposerAddress),
    ...(header.implicitHash ? [wrapped.bytes(header.implicitHash)] : []),
  ])

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

export type Timestamp = { seconds: bigint; nanos: number }

const RFC_3339 = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d{1,9}))?Z$/

export const readTimestamp = (reader: JsonReader): Timestamp => {
  const [, whole = '', fraction = ''] = RFC_3339.exec(reader.text()) ?? []
  const ms = Date.parse(`${whole}Z`)
  // A day that the month does not have would be read as a day of the next month.
  const isValid = !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(whole)
  if (!isValid) {
    throw new ProofError(
      'malformed',
      `${reader.path} must be a time such as 2026-11-21T08:00:00.123Z.`,
    )
  }
  return { seconds: BigInt(ms / 1_000), nanos: Number(fraction.padEnd(9, '0')) }
}

/** Without the fraction of a second: `2026-11-21T08:00:00Z`. */
export const formatSeconds = ({ seconds }: Timestamp): string =>
  `${new Date(Number(seconds) * 1_000).toISOString().slice(0, 19)}Z`

export const isLater = (a: Timestamp, b: Timestamp): boolean =>
  a.seconds === b.seconds ? a.nanos > b.nanos : a.seconds > b.seconds
