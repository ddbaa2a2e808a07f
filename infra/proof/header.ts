// A block header of CometBFT: read from the JSON of its RPC, and hashed as validators sign it.
import { BinaryWriter } from 'cosmjs-types/binary'
import { Timestamp as TimestampMessage } from 'cosmjs-types/google/protobuf/timestamp'
import { BlockID } from 'cosmjs-types/tendermint/types/types'
import { Consensus } from 'cosmjs-types/tendermint/version/types'
import type { JsonReader } from './json-reader.ts'
import { merkleRoot } from './merkle.ts'
import { readTimestamp, type Timestamp } from './timestamp.ts'

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
}

const MAX_UINT64 = 2n ** 64n - 1n
const MAX_PARTS = 2n ** 32n - 1n

export const readBlockId = (reader: JsonReader): BlockId => {
  const parts = reader.member('parts')
  return {
    hash: reader.member('hash').hex(),
    parts: {
      total: Number(parts.member('total').integer({ to: MAX_PARTS })),
      hash: parts.member('hash').hex(),
    },
  }
}

/** Reads `header` of the response to `/commit`. */
export const readHeader = (reader: JsonReader): Header => {
  const hash = (name: string) => reader.member(name).hex()
  const version = reader.member('version')
  // The RPC omits a version 0.
  const appVersion = version.optional('app')
  return {
    version: {
      block: version.member('block').integer({ to: MAX_UINT64 }),
      app: appVersion?.integer({ to: MAX_UINT64 }) ?? 0n,
    },
    chainId: reader.member('chain_id').text(),
    height: reader.member('height').integer({ from: 1n }),
    time: readTimestamp(reader.member('time')),
    lastBlockId: readBlockId(reader.member('last_block_id')),
    lastCommitHash: hash('last_commit_hash'),
    dataHash: hash('data_hash'),
    validatorsHash: hash('validators_hash'),
    nextValidatorsHash: hash('next_validators_hash'),
    consensusHash: hash('consensus_hash'),
    appHash: hash('app_hash'),
    lastResultsHash: hash('last_results_hash'),
    evidenceHash: hash('evidence_hash'),
    proposerAddress: hash('proposer_address'),
  }
}

const NOTHING = new Uint8Array()

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
  ])
