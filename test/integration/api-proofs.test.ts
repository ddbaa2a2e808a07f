// Tests of the proofs of proposals in the API, with the log of a real chain and a real ClickHouse.
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { ProposalProof } from '../../api/schemas/proof.ts'
import { MAX_ITEM_BYTES } from '../../api/words/shortened.ts'
import { hashText, readLightBlock } from '../../infra/base/proof/light-block.ts'
import { verifyProposal } from '../../infra/base/proof/verify.ts'
import { type Answer, createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { createMcpRig } from '../support/api/mcp-rig.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { NO_ANSWER } from '../support/log/proof-events.ts'
import {
  appendStory,
  LARGE,
  LATER_PROOF,
  PASSED,
  PROOFS_STORY,
  REJECTED,
  recorded,
} from '../support/log/proofs-story.ts'
import { useTestStore } from '../support/store/test-store.ts'

const { chainId } = recorded

const log = openMemoryLog()
const testStore = useTestStore(async (store) => {
  await appendStory(log, PROOFS_STORY)
  await projectAll(log, store)
})

const setup = async () => {
  const rig = await createApiRig(testStore.store)
  const get = async (url: string) => (await rig.ask(url)).json()
  return { ...rig, get }
}

const FINAL = 'public, max-age=86400, immutable'
const readDetail = (answer: Answer): string => answer.json().detail

describe('the proof of a proposal', () => {
  it.each([PASSED, REJECTED])(
    'of id $id verifies, with the validators and light blocks of the API',
    {
      tags: 'api:proof-verifies',
    },
    async ({ id, proof }) => {
      const { get } = await setup()
      const answer = await get(`/api/proposals/${id}/proof`)
      expect(Compile(ProposalProof).Errors(answer)).toEqual([])
      const set = await get(answer.validators.link)
      const list = await get('/api/light-blocks')
      const between = await Promise.all(
        list.items.map(async ({ link }: { link: string }) => {
          const block = await get(link)
          const signers = await get(block.validators.link)
          return { ...block, validators: signers.validators }
        }),
      )
      const [first] = recorded.lightBlocks.map((block) => readLightBlock(block, chainId))
      const trusted = { height: 1n, hash: hashText(first?.hash ?? new Uint8Array()) }
      const { proposal, height } = verifyProposal(
        { ...answer, validators: set.validators },
        { chainId, proposalId: BigInt(id), trusted },
        between
          .map((block) => readLightBlock(block, chainId))
          .filter(({ header }) => header.height <= BigInt(proof.height))
          .sort((a, b) => Number(a.header.height - b.header.height)),
      )
      expect(proposal).toMatchObject({ id, status: id === PASSED.id ? 'passed' : 'rejected' })
      expect(height).toBe(BigInt(proof.height))
    },
  )

  it('has all bytes of a value that is stored in chunks', async () => {
    const { get } = await setup()
    expect((await get('/api/proposals/1/proof?round=1')).value).toBe(PASSED.proof.value)
    const { value } = await get('/api/proposals/1/proof?round=0')
    expect(Buffer.from(value, 'base64').equals(LARGE)).toBe(true)
  })

  it('is the one of the submission for round 0, and the latest one without a round', async () => {
    const { get } = await setup()
    const first = await get('/api/proposals/1/proof?round=0')
    const last = await get('/api/proposals/1/proof')
    expect([first.round, first.height, last.round, last.height]).toEqual([0, 10, 1, 25])
    expect(last.links).toEqual({
      self: '/api/proposals/1/proof?round=1',
      proposal: '/api/proposals/1',
      lightBlocks: '/api/light-blocks',
    })
    expect((await get('/api/proposals/1')).links).toEqual({
      self: '/api/proposals/1',
      proof: '/api/proposals/1/proof',
      turnout: '/api/proposals/1/turnout',
    })
  })

  it('of a round is final, as of the height of its event, with 304 for its ETag', async () => {
    const { ask } = await setup()
    for (const url of ['/api/proposals/1/proof', '/api/proposals/1/proof?round=1']) {
      const { status, headers, json } = await ask(url)
      expect([status, headers['cache-control']]).toEqual([200, FINAL])
      expect(json().asOf).toMatchObject({ height: 27, time: '2026-01-01T00:02:42.000Z' })
      const again = await ask(url, { headers: { 'if-none-match': headers['etag'] ?? '' } })
      expect([again.status, again.text]).toEqual([304, ''])
    }
  })

  it('is null with the reason if the node had none', async () => {
    const { get } = await setup()
    const answer = await get('/api/proposals/4/proof?round=0')
    expect(Compile(ProposalProof).Errors(answer)).toEqual([])
    expect(answer).toMatchObject({ value: null, proofOps: null, reason: NO_ANSWER, round: 0 })
    expect(answer.header).toMatchObject({ height: '11' })
    const headless = await get('/api/proposals/3/proof?round=1')
    expect(Compile(ProposalProof).Errors(headless)).toEqual([])
    const missing = { header: null, commit: null, validators: null, reason: NO_ANSWER }
    expect(headless).toMatchObject({ value: 'CAE=', ...missing })
  })

  it('reports that the log has no header for it', async () => {
    const { get } = await setup()
    expect(await get('/api/proposals/4/proof')).toMatchObject({
      round: 1,
      value: 'CAE=',
      header: null,
      validators: null,
      reason: 'the log does not have the header of height 303',
    })
  })

  it('omits a value that is too long for a response, and reports it', async () => {
    const { ask } = await setup()
    const answer = await ask('/api/proposals/6/proof')
    expect(answer.json()).toMatchObject({
      value: null,
      proofOps: null,
      reason: `the stored bytes have ${5 * 2 ** 19} characters of base64, too many for a response`,
    })
    expect(answer.bytes.length).toBeLessThan(10_000)
  })

  it('is not found if one of its chunks is missing in the log', async () => {
    const { ask } = await setup()
    const answer = await ask('/api/proposals/5/proof')
    expectProblem(answer, 404, 'proof-not-found')
    expect(readDetail(answer)).toContain('a record of the log cannot be decoded')
  })

  it.each([
    ['6/proof?round=1', 'Proposal 6 has no round 1.'],
    ['2/proof?round=0', 'There is no proof of the submission of proposal 2'],
    ['7/proof', 'The chain has deleted proposal 7'],
    ['7/proof?round=1', 'The chain has deleted proposal 7'],
    [
      '3/proof?round=2',
      'The proof of the end of round 2 of proposal 3 becomes available at height 312.',
    ],
  ])('has for %s the reason, or the height that brings the proof', async (rest, detail) => {
    const { ask } = await setup()
    const answer = await ask(`/api/proposals/${rest}`)
    expectProblem(answer, 404, 'proof-not-found')
    expect(readDetail(answer)).toContain(detail)
  })

  it('is refused for an invalid proposal or round', async () => {
    const { ask } = await setup()
    expectProblem(await ask('/api/proposals/77/proof'), 404, 'proposal-not-found')
    for (const round of ['-1', '01', 'x', '65536']) {
      const answer = await ask(`/api/proposals/1/proof?round=${round}`)
      expectProblem(answer, 400, 'invalid-parameter')
      expect(readDetail(answer)).toContain('an integer from 0 to 65535')
    }
  })

  it('is equal in the MCP tool', async () => {
    const { call, get } = await createMcpRig(testStore.store)
    const latest = await call('get_proposal_proof', { proposalId: '1' })
    expect(latest.structuredContent).toEqual(JSON.parse(await get('/api/proposals/1/proof')))
    expect(latest.content[0].text).toContain('Proof of proposal 1 at the end of round')
    expect(Compile(ProposalProof).Errors(latest.structuredContent)).toEqual([])
  })

  it('has in the MCP tool the link to the whole if it is too large', async () => {
    const { call, get } = await createMcpRig(testStore.store)
    const path = '/api/proposals/1/proof?round=0'
    expect((await get(path)).length).toBeGreaterThan(MAX_ITEM_BYTES)
    const { content, structuredContent } = await call('get_proposal_proof', {
      proposalId: '1',
      round: 0,
    })
    expect(content[0].text).toContain('wholeAt has all of it')
    expect(structuredContent).toMatchObject({ value: null, truncated: true, wholeAt: path })
    expect(structuredContent.reason).toContain('wholeAt has all of it')
    expect(Compile(ProposalProof).Errors(structuredContent)).toEqual([])
  })

  it('has an error text with valid arguments in the MCP tool', async () => {
    const { call } = await createMcpRig(testStore.store)
    const missing = await call('get_proposal_proof', { proposalId: '2', round: 0 })
    expect(missing.content[0].text).toContain('Omit round for the latest proof')
    const wrong = await call('get_proposal_proof', { proposalId: '2', round: -1 })
    expect(wrong.content[0].text).toContain('an integer from 0 to 65535')
  })
})

describe('the latest proof of a proposal', () => {
  it('is not final while another one is due, and is replaced by it, although the proposal is closed', async () => {
    const { ask, state } = await setup()
    const url = '/api/proposals/3/proof'
    const before = await ask(url)
    expect(before.json()).toMatchObject({ round: 1, asOf: { height: 310 } })
    expect(before.headers['cache-control']).toContain('max-age=1,')
    const proposal = await ask('/api/proposals/3')

    await appendStory(log, LATER_PROOF.slice(0, 1))
    await projectAll(log, testStore.store)
    await state.refresh()
    expect((await ask(url)).json()).toMatchObject({ round: 1, asOf: { height: 311 } })

    await appendStory(log, LATER_PROOF.slice(1))
    await projectAll(log, testStore.store)
    await state.refresh()
    const after = await ask(url)
    expect(after.json()).toMatchObject({ round: 2, asOf: { height: 312 } })
    expect(after.headers['cache-control']).toBe(FINAL)
    expect((await ask('/api/proposals/3')).text).toBe(proposal.text)
    expect((await ask('/api/proposals/3/proof?round=2')).text).toBe(after.text)
  })
})
