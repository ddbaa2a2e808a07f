// The state of a chain in two Merkle trees, with proofs: an IAVL tree of the gov store and the tree of all stores.
import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { BinaryWriter } from 'cosmjs-types/binary'
import {
  CommitmentProof,
  HashOp,
  type InnerOp,
  LeafOp,
  LengthOp,
} from 'cosmjs-types/cosmos/ics23/v1/proofs'
import type { ProofOp } from '../../../ingest/contract/proof-events.ts'

export type StoredEntry = { key: Uint8Array; value: Uint8Array }
type Step = Pick<InnerOp, 'prefix' | 'suffix'>
/** `paths`: from each leaf, in their order, to the root. */
type Tree = { hash: Uint8Array; height: number; paths: Step[][] }

const VERSION = 7n
const HASH_LENGTH = Uint8Array.of(32)
const NOTHING = new Uint8Array()

const withLength = (bytes: Uint8Array) => new BinaryWriter().bytes(bytes).finish()
const iavlNode = (height: number, size: number): Uint8Array =>
  new BinaryWriter().sint64(BigInt(height)).sint64(BigInt(size)).sint64(VERSION).finish()

const leafHash = (prefix: Uint8Array, { key, value }: StoredEntry): Uint8Array =>
  sha256(concatBytes(prefix, withLength(key), withLength(sha256(value))))

const IAVL_LEAF = iavlNode(0, 1)

const iavlTree = (entries: readonly StoredEntry[]): Tree => {
  const [only] = entries
  if (only && entries.length === 1) {
    return { hash: leafHash(IAVL_LEAF, only), height: 0, paths: [[]] }
  }
  const middle = Math.ceil(entries.length / 2)
  const left = iavlTree(entries.slice(0, middle))
  const right = iavlTree(entries.slice(middle))
  const height = 1 + Math.max(left.height, right.height)
  const node = iavlNode(height, entries.length)
  const toLeft: Step = {
    prefix: concatBytes(node, HASH_LENGTH),
    suffix: concatBytes(HASH_LENGTH, right.hash),
  }
  const toRight: Step = {
    prefix: concatBytes(node, HASH_LENGTH, left.hash, HASH_LENGTH),
    suffix: NOTHING,
  }
  return {
    hash: sha256(concatBytes(toLeft.prefix, left.hash, toLeft.suffix)),
    height,
    paths: [
      ...left.paths.map((path) => [...path, toLeft]),
      ...right.paths.map((path) => [...path, toRight]),
    ],
  }
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

type Existence = { type: string; prefix: Uint8Array; entry: StoredEntry; path: readonly Step[] }

const proofOp = ({ type, prefix, entry, path }: Existence): ProofOp => {
  const proof = CommitmentProof.fromPartial({
    exist: {
      ...entry,
      leaf: LeafOp.fromPartial({
        hash: HashOp.SHA256,
        prehashValue: HashOp.SHA256,
        length: LengthOp.VAR_PROTO,
        prefix,
      }),
      path: path.map((step) => ({ hash: HashOp.SHA256, ...step })),
    },
  })
  return { type, key: base64(entry.key), data: base64(CommitmentProof.encode(proof).finish()) }
}

const SIMPLE_LEAF = Uint8Array.of(0)
const SIMPLE_INNER = Uint8Array.of(1)
const OTHER_STORE = { key: Buffer.from('bank'), value: sha256(Buffer.from('balances')) }

/** `entries` of the gov store. Without entries, its root is the hash of no bytes. */
export const proveStore = (entries: readonly StoredEntry[]) => {
  const sorted = entries.toSorted((a, b) => Buffer.compare(a.key, b.key))
  const tree = sorted.length > 0 ? iavlTree(sorted) : { hash: sha256(NOTHING), paths: [] }
  const gov = { key: Buffer.from('gov'), value: tree.hash }
  const other = leafHash(SIMPLE_LEAF, OTHER_STORE)
  const toRight: Step = { prefix: concatBytes(SIMPLE_INNER, other), suffix: NOTHING }
  const appHash = sha256(concatBytes(toRight.prefix, leafHash(SIMPLE_LEAF, gov)))
  return {
    appHash,
    /** Undefined if the store does not have the key. */
    prove: (key: Uint8Array) => {
      const at = sorted.findIndex((each) => Buffer.compare(each.key, key) === 0)
      const [entry, path] = [sorted[at], tree.paths[at]]
      if (!entry || !path) return undefined
      const proofOps = [
        proofOp({ type: 'ics23:iavl', prefix: IAVL_LEAF, entry, path }),
        proofOp({ type: 'ics23:simple', prefix: SIMPLE_LEAF, entry: gov, path: [toRight] }),
      ]
      return { value: entry.value, proofOps }
    },
  }
}
