// Tests of the proofs of proposals in the API, with a real ClickHouse. The log has both recorded proposals of a real chain, and
// proposals with missing, incomplete, too large or pending proofs.
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { ProposalProof } from '../../api/schemas/proof.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { hashText, readLightBlock } from '../../infra/base/proof/light-block.ts'
import { verifyProposal } from '../../infra/base/proof/verify.ts'
import { createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import {
  canceled,
  closed,
  createHeightEvents,
  type EventBuilder,
  lightBlock,
  NO_ANSWER,
  proposalProof,
  restarted,
  submitted,
  toLogEntry,
  validators,
  votingStarted,
  votingState,
} from '../support/log/governance-events.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import { computeHash, type LightBlockJson, RECORDED } from '../support/proof/proof-api.ts'
import { useTestStore } from '../support/store/test-store.ts'

const { chainId } = RECORDED
const [PASSED, REJECTED] = RECORDED.proposals as [Recorded, Recorded]
type Recorded = (typeof RECORDED.proposals)[number]

/** A light block in the log: two events. */
const observed = (block: LightBlockJson): EventBuilder[] => {
  const { hash, header } = readLightBlock(block, chainId)
  const validatorsHash = hashText(header.validatorsHash)
  const facts = { blockHeight: Number(header.height), hash: hashText(hash), validatorsHash }
  // A node adds a priority, which no hash covers.
  const set = block.validators.map(({ address, pub_key, voting_power }) => {
    return { address, pub_key, voting_power }
  })
  return [
    lightBlock({ ...facts, header: block.header, commit: block.commit }),
    validators({ hash: validatorsHash, validators: set }),
  ]
}

type Chunking = { size: number; sub?: number }

/** The chunks of a proof, `size` bytes each; `sub` distinguishes the proofs of one height. */
const provedIn = (
  id: string,
  bytes: Buffer,
  { size, sub = 2, ...changes }: Chunking & Parameters<typeof proposalProof>[1],
): EventBuilder[] => {
  const chunks = Math.ceil(bytes.length / size)
  return Array.from({ length: chunks }, (_, chunk) => {
    const value = bytes.subarray(chunk * size, (chunk + 1) * size).toString('base64')
    return proposalProof(id, { chunk, chunks, value, ...changes }, sub + chunk)
  })
}

const realProof = (
  { id, proof: { key, proofOps, value } }: Recorded,
  chunking: Chunking,
): EventBuilder[] =>
  provedIn(id, Buffer.from(value, 'base64'), { key, proofOps, round: 1, ...chunking })

const started = (id: string): EventBuilder[] => [submitted(id), votingStarted(id)]
const over = (id: string, round = 1) =>
  closed(id, { round, proposal: votingState(id, { status: 'passed' }) })

/** In four chunks. */
const LARGE = Buffer.alloc(3 * 2 ** 19, 7)
const CHUNK = 384 * 1_024
const TOO_LARGE = Buffer.alloc(5 * CHUNK, 7)

/** The height at which each is written. */
const lightBlockAt = new Map(
  RECORDED.lightBlocks.map((block) => [Number(block.header.height) + 1, observed(block)]),
)

type Story = readonly (readonly [height: number, events: readonly EventBuilder[]])[]

/** Up to the end of the second round of proposal 3. */
const PROOFS_STORY: Story = [
  [2, lightBlockAt.get(2) ?? []],
  [3, lightBlockAt.get(3) ?? []],
  [5, lightBlockAt.get(5) ?? []],
  [10, [...started('1'), ...started('2'), ...started('3'), submitted('4'), submitted('5')]],
  [11, [submitted('6'), submitted('7')]],
  [
    12,
    [
      ...(lightBlockAt.get(12) ?? []),
      ...provedIn('1', LARGE, { size: CHUNK }),
      proposalProof('4', { reason: NO_ANSWER }, 11),
      proposalProof('5', { chunk: 1, chunks: 2 }, 12),
    ],
  ],
  [13, provedIn('6', TOO_LARGE, { size: CHUNK })],
  [14, [canceled('7')]],
  [25, [...(lightBlockAt.get(25) ?? []), over('1'), over('2')]],
  [
    27,
    [
      ...observed(PASSED.proof),
      ...realProof(PASSED, { size: 100 }),
      ...realProof(REJECTED, { size: CHUNK, sub: 20 }),
    ],
  ],
  [300, [restarted('3')]],
  [302, [lightBlock({ reason: NO_ANSWER }), proposalProof('3', { round: 1 })]],
  [304, [proposalProof('4', { round: 1 })]],
  [310, [over('3', 2)]],
]
/** Up to the proof of the end of that round. */
const LATER_PROOF: Story = [
  [311, []],
  [312, [lightBlock(), proposalProof('3', { round: 2 })]],
]

const appendStory = async (log: EventLog, story: Story): Promise<void> => {
  for (const [height, events] of story) {
    await log.append(createHeightEvents(height, events, 1).map(toLogEntry))
  }
}

const log = openMemoryLog()
const testStore = useTestStore(async (store) => {
  await appendStory(log, PROOFS_STORY)
  await projectAll(log, store)
})

const setup = () => createApiRig(testStore.store)

const FINAL = 'public, max-age=86400, immutable'

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
      const trusted = { height: 1n, hash: computeHash(RECORDED.lightBlocks[0]!) }
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

  it('is the one of the submission for round 0, with all bytes of its chunks, and the latest one without a round', async () => {
    const { get } = await setup()
    const first = await get('/api/proposals/1/proof?round=0')
    const last = await get('/api/proposals/1/proof')
    expect([first.round, first.height, last.round, last.height]).toEqual([0, 10, 1, 25])
    expect(Buffer.from(first.value, 'base64').equals(LARGE)).toBe(true)
    expect(last.value).toBe(PASSED.proof.value)
    expect(last.asOf).toMatchObject({ height: 27, time: '2026-01-01T00:02:42.000Z' })
    expect((await get('/api/proposals/1')).links.proof).toBe('/api/proposals/1/proof')
  })

  const missing = { header: null, commit: null, validators: null }
  it.each([
    ['4/proof?round=0', { value: null, proofOps: null, reason: NO_ANSWER, round: 0 }],
    ['3/proof?round=1', { value: 'CAE=', ...missing, reason: NO_ANSWER }],
    ['4/proof', { value: 'CAE=', reason: 'the log does not have the header of height 303' }],
    [
      '6/proof',
      {
        value: null,
        proofOps: null,
        reason: `the stored bytes have ${5 * 2 ** 19} characters of base64, too many for a response`,
      },
    ],
  ])('has for %s null with the reason', async (rest, expected) => {
    const { ask } = await setup()
    const answer = await ask(`/api/proposals/${rest}`)
    expect(Compile(ProposalProof).Errors(answer.json())).toEqual([])
    expect(answer.json()).toMatchObject(expected)
    expect(answer.bytes.length).toBeLessThan(10_000)
  })

  it.each([
    ['5/proof', 'a record of the log cannot be decoded'],
    ['6/proof?round=1', 'Proposal 6 has no round 1.'],
    ['2/proof?round=0', 'There is no proof of the submission of proposal 2'],
    ['7/proof', 'The chain has deleted proposal 7'],
    ['7/proof?round=1', 'The chain has deleted proposal 7'],
    ['3/proof?round=2', 'round 2 of proposal 3 becomes available at height 312.'],
  ])(
    'is not found for %s, with the reason, or the height that brings the proof',
    async (rest, detail) => {
      const { ask } = await setup()
      const answer = await ask(`/api/proposals/${rest}`)
      expectProblem(answer, 404, 'proof-not-found')
      expect(answer.json().detail).toContain(detail)
    },
  )
})

it('the latest proof of a proposal is not final while another one is due, and is replaced by it, although the proposal is closed', async () => {
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
