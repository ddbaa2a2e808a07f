// Tests the forms of ICS-23 proofs that are accepted: exactly those of the two trees of the Cosmos SDK.
import { concatBytes } from '@noble/curves/utils.js'
import {
  CommitmentProof,
  type ExistenceProof,
  HashOp,
  LengthOp,
} from 'cosmjs-types/cosmos/ics23/v1/proofs'
import { describe, expect, it } from 'vitest'
import {
  computeAppHash,
  type ProofOp,
  readProofOps,
} from '../../../../../infra/base/proof/existence.ts'
import { readJson } from '../../../../../infra/base/proof/json-reader.ts'
import { proposalKey } from '../../../../../infra/base/proof/proposal.ts'
import { proveStore } from '../../../../support/simulator/proved-store.ts'

const key = proposalKey(2n)
const entries = [1n, 2n, 3n, 4n].map((id) => ({
  key: proposalKey(id),
  value: Buffer.from(`proposal ${id}`),
}))
const store = proveStore(entries)
const proved = store.prove(key)
if (!proved) throw new Error('the store does not have the key')
const { value } = proved
const ops = readProofOps(readJson(proved.proofOps))
const [IAVL, SIMPLE] = [0, 1]

const outcome = (
  changed: readonly ProofOp[],
  about: { value?: Uint8Array; key?: Uint8Array } = {},
) => {
  try {
    return computeAppHash({ store: 'gov', key, value, ...about }, changed)
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`
  }
}

const withData = (at: number, change: (data: Uint8Array) => Uint8Array): ProofOp[] =>
  ops.map((op, n) => (n === at ? { ...op, data: change(op.data) } : op))

const withProof = (at: number, change: (exist: ExistenceProof) => void): ProofOp[] =>
  withData(at, (data) => {
    const proof = CommitmentProof.decode(data)
    if (proof.exist) change(proof.exist)
    return CommitmentProof.encode(proof).finish()
  })

const zeros = (length: number) => new Uint8Array(length)
const NO_FORM = (type: string) =>
  `malformed: The ${type} part of proofOps does not have the form of its tree.`
const NO_PROOF = (type: string) =>
  `malformed: The ${type} part of proofOps is not an ICS-23 existence proof.`

describe('an existence proof', () => {
  it('leads from the value to the app hash', () => {
    expect(outcome(ops)).toEqual(store.appHash)
  })

  it('is refused if its value, its key or its store is another one', () => {
    expect(outcome(ops, { value: Buffer.from('proposal 3') })).toBe(
      'wrong_value: The ics23:iavl part of proofOps proves another value.',
    )
    expect(outcome(ops, { key: proposalKey(3n) })).toBe(
      'wrong_key: The ics23:iavl part of proofOps proves another key.',
    )
    const bank = ops.map((op, n) => (n === SIMPLE ? { ...op, key: Buffer.from('bank') } : op))
    expect(outcome(bank)).toBe('wrong_store: proofOps prove a key of the store bank, not of gov.')
  })

  it('is refused with an empty value, which would be a proof of nothing', () => {
    expect(outcome(ops, { value: zeros(0) })).toBe(
      'malformed: value is empty: the chain has nothing at this key.',
    )
  })

  const toAbsence = (data: Uint8Array) => {
    const { exist } = CommitmentProof.decode(data)
    const nonexist = { key, ...(exist ? { left: exist } : {}) }
    return CommitmentProof.encode(CommitmentProof.fromPartial({ nonexist })).finish()
  }

  it.each<[string, (data: Uint8Array) => Uint8Array]>([
    ['an unknown field at the end', (data) => concatBytes(data, Uint8Array.of(0x78, 1))],
    ['a missing byte at the end', (data) => data.slice(0, -1)],
    ['no bytes', () => zeros(0)],
    ['a proof that the store does not have the key', toAbsence],
  ])('is refused with %s in its protobuf message', (_, change) => {
    expect(outcome(withData(IAVL, change))).toBe(NO_PROOF('ics23:iavl'))
    expect(outcome(withData(SIMPLE, change))).toBe(NO_PROOF('ics23:simple'))
  })

  it('is refused with the two trees in another order, with one tree, and with three', () => {
    const refusal =
      'malformed: proofOps must be a proof of type ics23:iavl and then one of type ics23:simple.'
    expect(outcome(ops.toReversed())).toBe(refusal)
    expect(outcome(ops.slice(0, 1))).toBe(refusal)
    expect(outcome([])).toBe(refusal)
    expect(() => readProofOps(readJson([...proved.proofOps, ...proved.proofOps]))).toThrow(
      'proof must be a list of at most 2 items.',
    )
  })
})

type Change = (exist: ExistenceProof) => void
type Leaf = NonNullable<ExistenceProof['leaf']>
type Inner = ExistenceProof['path'][number]

const leaf = (change: (node: Leaf) => Partial<Leaf>): Change => {
  return ({ leaf: node }) => node && void Object.assign(node, change(node))
}
const inner = (change: (node: Inner) => Partial<Inner>): Change => {
  return ({ path: [node] }) => node && void Object.assign(node, change(node))
}
const longer = (bytes: Uint8Array, by = 1) => concatBytes(bytes, zeros(by))

describe('a proof of another form than that of its tree', () => {
  it.each<[string, Change]>([
    ['a leaf with another hash function', leaf(() => ({ hash: HashOp.SHA512 }))],
    ['a leaf with a hashed key', leaf(() => ({ prehashKey: HashOp.SHA256 }))],
    ['a leaf with a value that is not hashed', leaf(() => ({ prehashValue: HashOp.NO_HASH }))],
    ['a leaf without lengths', leaf(() => ({ length: LengthOp.NO_PREFIX }))],
    ['a leaf without a prefix', leaf(() => ({ prefix: zeros(0) }))],
    ['a leaf with a longer prefix', leaf(({ prefix }) => ({ prefix: longer(prefix) }))],
    ['a leaf with the prefix of an inner node', leaf(() => ({ prefix: Uint8Array.of(2, 4, 14) }))],
    ['no leaf', (exist) => void delete (exist as Partial<ExistenceProof>).leaf],
    ['an inner node with another hash function', inner(() => ({ hash: HashOp.SHA512 }))],
    ['an inner node without a prefix', inner(() => ({ prefix: zeros(0) }))],
    ['an inner node with a longer prefix', inner(({ prefix }) => ({ prefix: longer(prefix) }))],
    ['an inner node with a longer suffix', inner(({ suffix }) => ({ suffix: longer(suffix) }))],
    [
      'an inner node with hashes on both sides',
      inner(({ prefix, suffix }) => ({ prefix: longer(prefix, 33), suffix: longer(suffix, 33) })),
    ],
    ['an inner node with the prefix of a leaf', inner(() => ({ prefix: Uint8Array.of(0, 2, 14) }))],
    ['more than 128 levels', ({ path }) => void path.push(...Array(128).fill(path[0]))],
  ])('is refused: %s', (_, change) => {
    expect(outcome(withProof(IAVL, change))).toBe(NO_FORM('ics23:iavl'))
    expect(outcome(withProof(SIMPLE, change))).toBe(NO_FORM('ics23:simple'))
  })

  it('is refused in the IAVL tree if a node is lower than its distance from the leaf', () => {
    const changed = withProof(IAVL, ({ path }) => {
      for (const node of path) node.prefix[0] = 2
    })
    expect(outcome(changed)).toBe(NO_FORM('ics23:iavl'))
  })
})
