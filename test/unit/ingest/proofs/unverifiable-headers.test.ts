// Tests the proofs of a chain whose headers no endpoint has in a form that can be verified.
import { describe, expect, it } from 'vitest'
import { ProofError } from '../../../../infra/base/proof/proof-error.ts'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { createProofReads, type ProofReader } from '../../../../ingest/proofs/proof.ts'
import { hurried } from '../../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { proposalAt } from '../../../support/simulator/state/chain-state.ts'

type Node = ProofReader['node']

/** Proposals 1 and 2 are in the state of height 1. */
const chain = createMemoryChain({ proves: true })
chain.add({}, ({ proposals }) => {
  for (const id of ['1', '2']) proposals.set(id, proposalAt(id, 1, 2))
})
chain.add()
chain.add()
const block = chain.blocks()[2]!
const good: Node = { abciQuery: chain.abciQuery, lightBlock: chain.lightBlock! }

describe('proofs of a chain whose headers cannot be verified', () => {
  const setup = () => {
    const state = { isVerifiable: false }
    const lightBlock: Node['lightBlock'] = (height, hash) => {
      if (state.isVerifiable) return good.lightBlock!(height, hash)
      const cause = new ProofError('wrong_header', 'The commit is for another hash.')
      return Promise.reject(new AppError('HEIGHT_UNAVAILABLE', 'there is none', { cause }))
    }
    const reads = createProofReads({
      node: { ...good, lightBlock },
      clock: hurried,
      signal: new AbortController().signal,
      untilReachable: async () => undefined,
    })
    const proofs = ['1', '2'].map((proposalId) => ({ proposalId, round: 0 }))
    const readDue = async () => (await reads({ block, dueProofs: { stateHeight: 1, proofs } }))!
    return { state, readDue }
  }

  it('have one reason', async () => {
    const { readDue } = setup()
    const unavailable =
      'the headers of this chain cannot be verified: The commit is for another hash.'
    const { proofs, unverifiable } = await readDue()
    expect(proofs.map(({ found }) => found)).toEqual([{ unavailable }, { unavailable }])
    expect(unverifiable).toBe('The commit is for another hash.')
  })

  it('are read again at the next height', async () => {
    const { state, readDue } = setup()
    await readDue()
    state.isVerifiable = true
    expect((await readDue()).proofs.every(({ found }) => 'value' in found)).toBe(true)
  })
})
