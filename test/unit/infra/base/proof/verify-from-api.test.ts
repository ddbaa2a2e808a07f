// Tests of what a client reads from the API of Rollcall to verify a proposal, and of its errors.
import { describe, expect, it } from 'vitest'
import {
  createApiSource,
  type GetFromApi,
} from '../../../../../infra/base/proof/verify-from-api.ts'
import { verifyFromSource } from '../../../../../infra/base/proof/verify-from-source.ts'
import { createProofApi, type ProofApiContent } from '../../../../support/proof/proof-api.ts'
import { computeHash, RECORDED } from '../../../../support/proof/recorded-proofs.ts'

const [passed] = RECORDED.proposals
const [first] = RECORDED.lightBlocks
if (!passed || !first) throw new Error('the recording has no proposal')
const proposalId = BigInt(passed.id)
const trusted = { height: 1n, hash: computeHash(first) }
const kept = [...RECORDED.lightBlocks, ...RECORDED.proposals.map(({ proof }) => proof)].map(
  ({ header }) => Number(header.height),
)

const setup = (changes: Partial<ProofApiContent> = {}) =>
  createProofApi({ ...RECORDED, ...changes })

/** The API with the response to one path changed. */
const answering = (path: string, status: number, body: unknown): GetFromApi => {
  const { get } = setup()
  return (requestedPath) =>
    requestedPath === path ? Promise.resolve({ status, body }) : get(requestedPath)
}

const verify = (get: GetFromApi, height = 1n) =>
  verifyFromSource(createApiSource(get, { proposalId }), {
    proposalId,
    trusted: { ...trusted, height },
  })

describe('the API of Rollcall as a source of proofs', () => {
  it('proves a proposal with only the proof, the trusted light block and their validators', async () => {
    const { get, requested } = setup()
    expect((await verify(get)).proposal).toMatchObject({ id: passed.id, status: 'passed' })
    const sets = [passed.proof, first].map(
      ({ header }) => `/api/validators/${header.validators_hash}`,
    )
    expect(requested).toEqual([
      `/api/proposals/${passed.id}/proof`,
      sets[0],
      '/api/light-blocks/1',
      sets[1],
    ])
  })

  it('requests the proof of a round if the user names one, also the submission', async () => {
    for (const round of [0, 2]) {
      const { get, requested } = setup()
      await createApiSource(get, { proposalId, round }).proof()
      expect(requested[0]).toBe(`/api/proposals/${passed.id}/proof?round=${round}`)
    }
  })

  it('finds the stored height that is closest to the middle, over all pages of the list', async () => {
    for (const baseUrl of ['', 'https://other.example/base']) {
      const { get, requested } = setup({ pageSize: 2, baseUrl })
      const source = createApiSource(get, { proposalId })
      const inside = kept.filter((height) => height > 1 && height < 26).toSorted((a, b) => a - b)
      expect(inside.length).toBeGreaterThan(1)
      const middle = await source.heightBetween(1n, 26n)
      expect(inside).toContain(Number(middle))
      for (const height of inside) {
        expect(Math.abs(2 * Number(middle) - 27)).toBeLessThanOrEqual(Math.abs(2 * height - 27))
      }
      expect(await source.heightBetween(1n, 2n)).toBeNull()
      expect(requested).toEqual([
        '/api/light-blocks',
        ...Array.from(
          { length: Math.ceil(kept.length / 2) - 1 },
          (_, n) => `/api/light-blocks?page=${n + 1}`,
        ),
      ])
    }
  })

  it('names the nearest stored heights if the trusted one is not stored', async () => {
    const { get } = setup()
    const [before = 0, after = 0] = [2, kept.toSorted((a, b) => a - b).find((each) => each > 3)]
    expect(kept).not.toContain(3)
    await expect(verify(get, 3n)).rejects.toMatchObject({
      code: 'trusted_unknown',
      message: `Rollcall keeps no light block of height 3. The nearest that it keeps: ${before} and ${after}. Look up the header hash of one of these heights from a source that you trust.`,
    })
    const none = setup({ lightBlocks: [] })
    await expect(verify(none.get)).rejects.toThrow('The nearest that it keeps: 26.')
  })

  it('gives the reason if Rollcall has no proof', async () => {
    const nulls = { height: 25, value: null, proofOps: null, header: null, validators: null }
    const body = { ...nulls, reason: 'every node has pruned height 25' }
    const path = `/api/proposals/${passed.id}/proof`
    await expect(verify(answering(path, 200, body))).rejects.toMatchObject({
      code: 'unavailable',
      message: `Rollcall has no proof of proposal ${passed.id}: every node has pruned height 25.`,
    })
    const detail = 'The proof comes two heights after the end of the vote.'
    await expect(verify(answering(path, 404, { detail }))).rejects.toMatchObject({
      code: 'unavailable',
      message: `The response to ${path} has the status 404: ${detail}`,
    })
  })

  it.each([
    ['a proof that is not an object', `/api/proposals/${passed.id}/proof`, 'text', 'malformed'],
    ['a proof without validators', `/api/proposals/${passed.id}/proof`, passed.proof, 'malformed'],
    [
      'a validator set without validators',
      `/api/validators/${first.header.validators_hash}`,
      {},
      'malformed',
    ],
    [
      'another validator set',
      `/api/validators/${first.header.validators_hash}`,
      { validators: first.validators.slice(1) },
      'wrong_validators',
    ],
    [
      'a light block without a header',
      '/api/light-blocks/1',
      { validators: { hash: first.header.validators_hash } },
      'malformed',
    ],
  ])('refuses %s', async (_, path, body, code) => {
    await expect(verify(answering(path, 200, body))).rejects.toMatchObject({ code })
  })
})
