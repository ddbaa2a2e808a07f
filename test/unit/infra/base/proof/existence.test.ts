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

  it('is refused if it is a proof that the store does not have the key', () => {
    const absent = withData(IAVL, (data) => {
      const { exist } = CommitmentProof.decode(data)
      const nonexist = { key, ...(exist ? { left: exist } : {}) }
      return CommitmentProof.encode(CommitmentProof.fromPartial({ nonexist })).finish()
    })
    expect(outcome(absent)).toBe(NO_PROOF('ics23:iavl'))
  })

  it.each([
    [
      'an unknown field at the end',
      (data: Uint8Array) => concatBytes(data, Uint8Array.of(0x78, 1)),
    ],
    ['a missing byte at the end', (data: Uint8Array) => data.slice(0, -1)],
    ['no bytes', () => zeros(0)],
  ])('is refused with %s of its protobuf message', (_, change) => {
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

describe('a leaf of a proof', () => {
  it.each<[string, (leaf: NonNullable<ExistenceProof['leaf']>) => void]>([
    ['another hash function', (leaf) => Object.assign(leaf, { hash: HashOp.SHA512 })],
    ['a hashed key', (leaf) => Object.assign(leaf, { prehashKey: HashOp.SHA256 })],
    ['a value that is not hashed', (leaf) => Object.assign(leaf, { prehashValue: HashOp.NO_HASH })],
    ['no lengths', (leaf) => Object.assign(leaf, { length: LengthOp.NO_PREFIX })],
    ['no prefix', (leaf) => Object.assign(leaf, { prefix: zeros(0) })],
    [
      'a longer prefix',
      (leaf) => Object.assign(leaf, { prefix: concatBytes(leaf.prefix, zeros(1)) }),
    ],
    [
      'the prefix of an inner node',
      (leaf) => Object.assign(leaf, { prefix: Uint8Array.of(2, 4, 14) }),
    ],
  ])('is refused with %s', (_, change) => {
    for (const [at, type] of ['ics23:iavl', 'ics23:simple'].entries()) {
      const changed = withProof(at, ({ leaf }) => leaf && change(leaf))
      expect(outcome(changed)).toBe(NO_FORM(type))
    }
  })

  it('is refused if it is missing', () => {
    const changed = withProof(IAVL, (exist) => {
      delete (exist as Partial<ExistenceProof>).leaf
    })
    expect(outcome(changed)).toBe(NO_FORM('ics23:iavl'))
  })
})

type Inner = ExistenceProof['path'][number]

describe('an inner node of a proof', () => {
  it.each<[string, (inner: Inner) => void]>([
    ['another hash function', (inner) => Object.assign(inner, { hash: HashOp.SHA512 })],
    ['no prefix', (inner) => Object.assign(inner, { prefix: zeros(0) })],
    [
      'a longer prefix',
      (inner) => Object.assign(inner, { prefix: concatBytes(inner.prefix, zeros(1)) }),
    ],
    [
      'a longer suffix',
      (inner) => Object.assign(inner, { suffix: concatBytes(inner.suffix, zeros(1)) }),
    ],
    [
      'a prefix and a suffix of a hash',
      (inner) => {
        inner.prefix = concatBytes(inner.prefix, zeros(33))
        inner.suffix = concatBytes(inner.suffix, zeros(33))
      },
    ],
    ['the prefix of a leaf', (inner) => Object.assign(inner, { prefix: Uint8Array.of(0, 2, 14) })],
  ])('is refused with %s', (_, change) => {
    for (const [at, type] of ['ics23:iavl', 'ics23:simple'].entries()) {
      const changed = withProof(at, ({ path: [first] }) => first && change(first))
      expect(outcome(changed)).toBe(NO_FORM(type))
    }
  })

  it('is refused in the IAVL tree if it is lower than its distance from the leaf', () => {
    const changed = withProof(IAVL, ({ path }) => {
      for (const inner of path) inner.prefix[0] = 2
    })
    expect(outcome(changed)).toBe(NO_FORM('ics23:iavl'))
  })

  it('is refused beyond 128 levels', () => {
    const changed = withProof(SIMPLE, ({ path }) => {
      const [first] = path
      if (first) path.push(...Array.from({ length: 128 }, () => first))
    })
    expect(outcome(changed)).toBe(NO_FORM('ics23:simple'))
  })
})
