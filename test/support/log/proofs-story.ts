// A log with proofs from a real chain, for tests of serving them.
// It has both recorded proposals, and proposals with missing, incomplete, too large or pending proofs.
import { readFileSync } from 'node:fs'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { hashText, readLightBlock } from '../../../infra/base/proof/light-block.ts'
import type { EventOf } from '../../../ingest/contract/events.ts'
import {
  canceled,
  closed,
  createHeightEvents,
  type EventBuilder,
  restarted,
  submitted,
  toLogEntry,
  votingStarted,
  votingState,
} from './governance-events.ts'
import { lightBlock, NO_ANSWER, proposalProof, validators } from './proof-events.ts'

type Json = Record<string, unknown>
type RecordedBlock = { header: Json; commit: Json; validators: Json[] }
type RecordedProof = RecordedBlock & {
  height: number
  key: string
  value: string
  proofOps: { type: string; key: string; data: string }[]
}
type Recorded = {
  chainId: string
  proposals: { id: string; proof: RecordedProof }[]
  lightBlocks: RecordedBlock[]
}

export const recorded: Recorded = JSON.parse(
  readFileSync(new URL('../../fixtures/proposal-proofs.json', import.meta.url), 'utf8'),
)
const { chainId } = recorded
const [passed, rejected] = recorded.proposals
if (!passed || !rejected) throw new Error('the recording has no proposals')
export const PASSED = passed
export const REJECTED = rejected

/** The members of a response: a node adds a priority, which no hash covers. */
export const toValidators = ({ validators: all }: RecordedBlock) =>
  all.map(({ address, pub_key, voting_power }) => ({ address, pub_key, voting_power }))

/** A light block in the log: two events. */
const observed = (block: RecordedBlock): EventBuilder[] => {
  const { hash, header } = readLightBlock(block, chainId)
  const validatorsHash = hashText(header.validatorsHash)
  const facts = { blockHeight: Number(header.height), hash: hashText(hash), validatorsHash }
  const set = toValidators(
    block,
  ) as EventOf<'rollcall.validators.observed.v1'>['data']['validators']
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
  { size, sub = 2, ...changes }: Chunking & Partial<EventOf<'rollcall.proposal.proof.v1'>['data']>,
): EventBuilder[] => {
  const chunks = Math.ceil(bytes.length / size)
  return Array.from({ length: chunks }, (_, chunk) => {
    const value = bytes.subarray(chunk * size, (chunk + 1) * size).toString('base64')
    return proposalProof(id, { chunk, chunks, value, ...changes }, sub + chunk)
  })
}

const realProof = (
  { id, proof: { key, proofOps, value } }: (typeof recorded.proposals)[number],
  chunking: Chunking,
): EventBuilder[] =>
  provedIn(id, Buffer.from(value, 'base64'), { key, proofOps, round: 1, ...chunking })

const started = (id: string): EventBuilder[] => [submitted(id), votingStarted(id)]
const over = (id: string, round = 1) =>
  closed(id, { round, proposal: votingState(id, { status: 'passed' }) })

/** In four chunks. */
export const LARGE = Buffer.alloc(3 * 2 ** 19, 7)
const CHUNK = 384 * 1_024
const TOO_LARGE = Buffer.alloc(5 * CHUNK, 7)

/** The height at which each is written. */
const lightBlockAt = new Map(
  recorded.lightBlocks.map((block) => [Number(block.header['height']) + 1, observed(block)]),
)

export type Story = readonly (readonly [height: number, events: readonly EventBuilder[]])[]

/** Up to the end of the second round of proposal 3. */
export const PROOFS_STORY: Story = [
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
export const LATER_PROOF: Story = [
  [311, []],
  [312, [lightBlock(), proposalProof('3', { round: 2 })]],
]

export const appendStory = async (log: EventLog, story: Story): Promise<void> => {
  for (const [height, events] of story) {
    await log.append(createHeightEvents(height, events, 1).map(toLogEntry))
  }
}
