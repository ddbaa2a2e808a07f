// Compares Rollcall's verifier with CometBFT's light client and the SDK's proof runtime, which share no code with it.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { readLightBlock } from '../../infra/base/proof/light-block.ts'
import { ProofError } from '../../infra/base/proof/proof-error.ts'
import { type VerifiedProposal, verifyProposal } from '../../infra/base/proof/verify.ts'
import { changedAt, type Json, listLeaves } from '../support/proof/altered-json.ts'
import { buildVerifier } from './build-node.ts'
import { createNodeRest } from './node-rest.ts'
import { createNodeSource, verifyAtNode } from './proposal-at-node.ts'
import { createRawRpc } from './rpc.ts'

/** `path`: light blocks as the RPC has them, from the trusted one to the one of the proof. Heights are of the state. */
type GoClaim = {
  chainId: string
  proposalId: number
  trustedHash: string
  height: number
  path: readonly unknown[]
  key: unknown
  value: unknown
  proofOps: unknown
}

type GoResult = {
  ok: boolean
  reason?: string
  status?: string
  tally?: Record<string, string>
}

type SecondVerifier = {
  verify(claim: GoClaim): Promise<GoResult>
  close(): void
}

const startSecondVerifier = async (): Promise<SecondVerifier> => {
  const child = spawn(await buildVerifier(), { stdio: ['pipe', 'pipe', 'inherit'] })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    verify: async (claim) => {
      child.stdin.write(`${JSON.stringify(claim)}\n`)
      const { value, done } = await answers.next()
      if (done) throw new Error('the second verifier has ended')
      return JSON.parse(value)
    },
    close: () => child.kill(),
  }
}

const { rpcUrl, restUrl, proposals, lastHeight } = inject('devnet')
const source = createNodeSource(rpcUrl, new AbortController().signal)

type Vector = {
  id: string
  chainId: string
  trusted: { height: bigint; hash: string }
  /** As `verifyProposal` takes it. */
  proof: { [name: string]: Json }
  /** The light blocks before that of the proof. */
  before: readonly Json[]
}

let verifier: SecondVerifier
const vectors: Vector[] = []

const readVector = async (
  id: string,
  trusted: Vector['trusted'],
  { path }: VerifiedProposal,
): Promise<Vector> => {
  const heights = path.slice(0, -1).map(({ header }) => Number(header.height))
  return {
    id,
    trusted,
    chainId: `${path[0]?.header.chainId}`,
    proof: (await source.proof(BigInt(id), lastHeight)) as unknown as Vector['proof'],
    before: (await Promise.all(heights.map(source.lightBlock))) as Json[],
  }
}

beforeAll(async () => {
  verifier = await startSecondVerifier()
  const { hash } = (await createRawRpc(rpcUrl).call('block', { height: '1' })).block_id
  const trusted = { height: 1n, hash }
  const rest = createNodeRest(restUrl)
  for (const id of Object.values(proposals)) {
    if (!(await rest.proposal(id, lastHeight))) continue
    const signal = AbortSignal.timeout(60_000)
    const request = { url: rpcUrl, proposalId: BigInt(id), trusted, height: lastHeight, signal }
    vectors.push(await readVector(id, trusted, await verifyAtNode(request)))
  }
})
afterAll(() => {
  verifier.close()
  source.close()
})

const askSecond = ({ id, chainId, trusted, proof, before }: Vector): Promise<GoResult> => {
  const { height, key, value, proofOps, header, commit, validators } = proof
  return verifier.verify({
    chainId,
    key,
    value,
    proofOps,
    proposalId: Number(id),
    trustedHash: trusted.hash,
    height: Number(height),
    path: [...before, { header, commit, validators }],
  })
}

/** The result of Rollcall's verifier, or undefined if it rejects. */
const verifyOurs = ({ id, chainId, trusted, proof, before }: Vector) => {
  try {
    const path = before.map((json) => readLightBlock(json, chainId))
    return verifyProposal(proof, { chainId, proposalId: BigInt(id), trusted }, path).proposal
  } catch (error) {
    if (error instanceof ProofError) return undefined
    throw error
  }
}

/** Members that the other verifier does not read: it derives addresses from keys and supports one store. */
const READ_BY_OURS_ALONE = /^store$/
/** Members without a hash or signature. */
const COVERED_BY_NOTHING = /(^|\.)(proposer_priority)$/

describe('two verifiers that share no code', () => {
  it('prove the same status and the same final tally of every proposal', async () => {
    expect(vectors.length).toBeGreaterThan(5)
    for (const vector of vectors) {
      const second = await askSecond(vector)
      const ours = verifyOurs(vector)
      expect(second, vector.id).toMatchObject({ ok: true })
      expect(second.status, vector.id).toBe(`PROPOSAL_STATUS_${ours?.status.toUpperCase()}`)
      expect(second.tally ?? null, vector.id).toEqual(
        ours?.tally
          ? {
              yes_count: ours.tally.yes,
              no_count: ours.tally.no,
              abstain_count: ours.tally.abstain,
              no_with_veto_count: ours.tally.noWithVeto,
            }
          : null,
      )
    }
  })

  it('refuse the same proofs, whichever member of one is changed', async () => {
    const [vector] = vectors
    if (!vector) throw new Error('there is no proof')
    const differing: unknown[] = []
    const leaves = listLeaves(vector.proof)
    expect(leaves.length).toBeGreaterThan(150)
    for (const path of leaves) {
      const name = path.join('.')
      if (READ_BY_OURS_ALONE.test(name)) continue
      const changed = { ...vector, proof: changedAt(vector.proof, path) as Vector['proof'] }
      const [second, ours] = [await askSecond(changed), verifyOurs(changed)]
      if (second.ok !== (ours !== undefined)) differing.push({ name, second, ours })
      if (!COVERED_BY_NOTHING.test(name)) expect(ours, name).toBeUndefined()
    }
    expect(differing).toEqual([])
  })
})
