// ICS-23 proofs that a key has a value: key and value → root of a store → app hash. Accepts only the two trees of
// the Cosmos SDK in their exact form. An inner node that could also be read as a leaf proves nothing.

import { concatBytes, equalBytes } from '@noble/curves/utils.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { BinaryReader, BinaryWriter } from 'cosmjs-types/binary'
import {
  CommitmentProof,
  type ExistenceProof,
  HashOp,
  type InnerOp,
  type LeafOp,
  LengthOp,
} from 'cosmjs-types/cosmos/ics23/v1/proofs'
import type { JsonReader } from './json-reader.ts'
import { ensure, ProofError } from './proof-error.ts'

/** `ics23:iavl`: the tree of one store. `ics23:simple`: the tree of all stores. */
export type ProofOp = { type: string; key: Uint8Array; data: Uint8Array }

const MAX_DEPTH = 128
const HASH_BYTES = 32

export const readProofOps = (reader: JsonReader): ProofOp[] =>
  reader.list(2).map((item) => ({
    type: item.member('type').text(),
    key: item.member('key').base64(),
    data: item.member('data').base64(),
  }))

type Tree = {
  isLeafPrefix(prefix: Uint8Array): boolean
  /** Whether it is a valid inner node at this distance from the leaf, from 1. */
  isInner(op: InnerOp, distance: number): boolean
}

const isHash = (bytes: Uint8Array): boolean => bytes.length === HASH_BYTES

/** A node of an IAVL tree starts with its height, its size and its version. Null without these. */
const readIavlNode = (prefix: Uint8Array) => {
  const reader = new BinaryReader(prefix)
  try {
    const [height, size, version] = [reader.sint64(), reader.sint64(), reader.sint64()]
    return { height, size, version, rest: prefix.slice(reader.pos) }
  } catch {
    return null
  }
}

const isLength = (byte: number | undefined): boolean => byte === HASH_BYTES

const IAVL: Tree = {
  isLeafPrefix: (prefix) => {
    const node = readIavlNode(prefix)
    return (
      node !== null &&
      node.height === 0n &&
      node.size === 1n &&
      node.version >= 0n &&
      node.rest.length === 0
    )
  },
  isInner: ({ prefix, suffix }, distance) => {
    const node = readIavlNode(prefix)
    if (!node || node.height < BigInt(distance) || node.size < 2n || node.version < 0n) return false
    const { rest } = node
    const isLeft = rest.length === 1 && suffix.length === 1 + HASH_BYTES
    const isRight = rest.length === 2 + HASH_BYTES && suffix.length === 0
    if (isLeft) return isLength(rest[0]) && isLength(suffix[0])
    return isRight && isLength(rest[0]) && isLength(rest.at(-1))
  },
}

const SIMPLE: Tree = {
  isLeafPrefix: (prefix) => equalBytes(prefix, Uint8Array.of(0)),
  isInner: ({ prefix, suffix }) => {
    if (prefix[0] !== 1) return false
    const isLeft = prefix.length === 1 && isHash(suffix)
    const isRight = prefix.length === 1 + HASH_BYTES && suffix.length === 0
    return isLeft || isRight
  },
}

const isLeaf = (leaf: LeafOp | undefined, tree: Tree): leaf is LeafOp =>
  leaf !== undefined &&
  leaf.hash === HashOp.SHA256 &&
  leaf.prehashKey === HashOp.NO_HASH &&
  leaf.prehashValue === HashOp.SHA256 &&
  leaf.length === LengthOp.VAR_PROTO &&
  tree.isLeafPrefix(leaf.prefix)

/** The bytes with their length as a prefix. */
const withLength = (bytes: Uint8Array): Uint8Array =>
  concatBytes(new BinaryWriter().uint32(bytes.length).finish(), bytes)

/** Only the canonical encoding: other bytes, such as unknown fields, could be added unnoticed. */
const decodeExistence = (data: Uint8Array, type: string): ExistenceProof => {
  try {
    const { exist } = CommitmentProof.decode(data)
    const canonical = CommitmentProof.fromPartial(exist ? { exist } : {})
    if (exist && equalBytes(CommitmentProof.encode(canonical).finish(), data)) return exist
  } catch {}
  throw new ProofError(
    'malformed',
    `The ${type} part of proofOps is not an ICS-23 existence proof.`,
  )
}

/** The root of the tree in which `key` has `value`. */
const computeRoot = (
  op: ProofOp,
  tree: Tree,
  { key, value }: { key: Uint8Array; value: Uint8Array },
) => {
  const proof = decodeExistence(op.data, op.type)
  ensure(
    equalBytes(op.key, key) && equalBytes(proof.key, key),
    'wrong_key',
    `The ${op.type} part of proofOps proves another key.`,
  )
  ensure(
    equalBytes(proof.value, value),
    'wrong_value',
    `The ${op.type} part of proofOps proves another value.`,
  )
  const { leaf, path } = proof
  const isWellFormed =
    isLeaf(leaf, tree) &&
    path.length <= MAX_DEPTH &&
    path.every((inner, n) => inner.hash === HashOp.SHA256 && tree.isInner(inner, n + 1))
  ensure(
    isWellFormed,
    'malformed',
    `The ${op.type} part of proofOps does not have the form of its tree.`,
  )
  const start = sha256(concatBytes(leaf.prefix, withLength(key), withLength(sha256(value))))
  return path.reduce((hash, { prefix, suffix }) => sha256(concatBytes(prefix, hash, suffix)), start)
}

export type StoredValue = { store: string; key: Uint8Array; value: Uint8Array }

/** The app hash of the state in which the store has this value at this key. */
export const computeAppHash = ({ store, key, value }: StoredValue, ops: readonly ProofOp[]) => {
  const [inStore, ofStores] = ops
  ensure(
    inStore?.type === 'ics23:iavl' && ofStores?.type === 'ics23:simple' && ops.length === 2,
    'malformed',
    'proofOps must be a proof of type ics23:iavl and then one of type ics23:simple.',
  )
  ensure(value.length > 0, 'malformed', 'value is empty: the chain has nothing at this key.')
  const storeRoot = computeRoot(inStore, IAVL, { key, value })
  const storeKey = new TextEncoder().encode(store)
  ensure(
    equalBytes(ofStores.key, storeKey),
    'wrong_store',
    `proofOps prove a key of the store ${new TextDecoder().decode(ofStores.key)}, not of ${store}.`,
  )
  return computeRoot(ofStores, SIMPLE, { key: storeKey, value: storeRoot })
}
