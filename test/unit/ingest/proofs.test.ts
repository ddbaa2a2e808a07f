// Tests ingest of a chain that proves its state: the events in the log, and that they verify without trust in ingest.
import { describe, expect, it } from 'vitest'
import { readLightBlock } from '../../../infra/base/proof/light-block.ts'
import { ProofError } from '../../../infra/base/proof/proof-error.ts'
import { verifyProposal } from '../../../infra/base/proof/verify.ts'
import { untilAborted } from '../../../infra/base/runtime/abort.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import { ingestToTip, ofType } from '../../support/chain/ingest-run.ts'
import {
  createMemoryChain,
  type MemoryChain,
  type MemoryChainOptions,
} from '../../support/chain/memory-chain.ts'
import type { Step } from '../../support/chain/vote-run.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../support/log/memory-log.ts'
import { recordingLogger } from '../../support/process/log-lines.ts'
import { endEvent, submitTx } from '../../support/simulator/gov-events.ts'
import { proposalAt } from '../../support/simulator/state/chain-state.ts'

/** Another validator set from height 6 on. */
const twoSets = (height: number) => [
  { name: 'ada', power: 40 },
  { name: 'ben', power: height < 6 ? 30 : 31 },
  { name: 'cleo', power: 20 },
]

/** Proposal 1 is submitted at height 3, restarted at 5 and passed at 8. 2 is canceled at 6, and 3 is dropped at 7. */
const STEPS: readonly Step[] = [
  [{}],
  [{}],
  [
    { txs: [submitTx('1'), submitTx('3', false)] },
    ({ proposals }) => {
      proposals.set('1', proposalAt('1', 3, 2))
      proposals.set('3', proposalAt('3', 3, 1))
    },
  ],
  [{}],
  [{ end: [endEvent('1', 'expedited_proposal_rejected')] }],
  [
    {
      txs: [submitTx('2'), { events: [['cancel_proposal', { sender: 'x', proposal_id: '2' }]] }],
    },
  ],
  [
    { end: [['inactive_proposal', { proposal_id: '3', proposal_result: 'proposal_dropped' }]] },
    ({ proposals }) => void proposals.delete('3'),
  ],
  [
    { end: [endEvent('1', 'proposal_passed')] },
    ({ proposals }) => void proposals.set('1', proposalAt('1', 3, 3)),
  ],
  ...[{}, {}, {}, {}].map((sketch): Step => [sketch]),
]

const provingChain = (proves: MemoryChainOptions['proves'] = twoSets) => {
  const chain = createMemoryChain({ proves })
  for (const [sketch, change] of STEPS) chain.add(sketch, change)
  return chain
}

/** The chain with its first heights only. */
const shownUpTo = (chain: MemoryChain, tip: number): MemoryChain => ({
  ...chain,
  tip,
  status: async () => ({ ...(await chain.status()), latestHeight: tip }),
  source: () => ({
    follow: async function* ({ from, signal }) {
      for (const block of chain.blocks().slice(from - 1, tip)) yield { block, tip }
      await untilAborted(signal)
    },
  }),
})

/** Signatures take time: all tests read the same log. */
const chain = provingChain()
const ingested = ingestToTip(chain, openMemoryLog())

const lightBlocksIn = (events: readonly GovernanceEvent[]) =>
  ofType(events, 'rollcall.light-block.observed.v1')
const validatorsIn = (events: readonly GovernanceEvent[]) =>
  ofType(events, 'rollcall.validators.observed.v1')
const proofsIn = (events: readonly GovernanceEvent[]) =>
  ofType(events, 'rollcall.proposal.proof.v1')

/** `{ header, commit, validators }` of each light block in the log. */
const lightBlockJsonIn = (events: readonly GovernanceEvent[]) => {
  const sets = new Map(validatorsIn(events).map(({ data }) => [data.hash, data.validators]))
  return lightBlocksIn(events).map(({ data: { header, commit, validatorsHash } }) => ({
    header,
    commit,
    validators: sets.get(validatorsHash ?? ''),
  }))
}

describe('the proofs in the log', () => {
  it('exist for each submission, restart and close, two heights later, after the light block between', async () => {
    const events = await ingested
    expect(
      proofsIn(events).map(({ height, index, data }) => [
        height,
        index,
        `${data.proposalId}/${data.round}`,
        data.stateHeight,
        data.reason,
      ]),
    ).toEqual([
      [5, 2, '1/0', 3, null],
      [5, 3, '3/0', 3, null],
      [7, 2, '1/1', 5, null],
      [10, 2, '1/2', 8, null],
    ])
    expect(lightBlocksIn(events).map(({ height, data }) => [height, data.blockHeight])).toEqual([
      [2, 1],
      [5, 4],
      [7, 6],
      [10, 9],
    ])
  })

  it('verify from the first light block, each with the state at its own height', async () => {
    const events = await ingested
    const blocks = lightBlockJsonIn(events)
    const read = blocks.map((json) => readLightBlock(json, 'test-1'))
    const [first] = lightBlocksIn(events)
    const trusted = { height: 1n, hash: first?.data.hash ?? '' }
    const statuses = proofsIn(events).map(({ height, data }) => {
      const at = blocks.findIndex((json) => Number(json.header?.['height']) === height - 1)
      const json = { ...data, ...blocks[at], height: data.stateHeight }
      const claim = { chainId: 'test-1', proposalId: BigInt(data.proposalId), trusted }
      return verifyProposal(json, claim, read).proposal.status
    })
    expect(statuses).toEqual(['voting_period', 'deposit_period', 'voting_period', 'passed'])
  })

  it('include each validator set once, and each marker names the last one', async () => {
    const events = await ingested
    const sets = validatorsIn(events)
    expect(sets.map(({ height, index }) => [height, index])).toEqual([
      [2, 1],
      [7, 1],
    ])
    expect(sets[0]?.data.validators.map(({ voting_power: power }) => power)).toEqual([
      '40',
      '30',
      '20',
    ])
    const markers = ofType(events, 'rollcall.block.indexed.v1')
    const hashAt = (height: number) => markers.find((each) => each.height === height)?.data
    expect(hashAt(1)?.validatorsHash).toBeUndefined()
    expect(hashAt(5)?.validatorsHash).toBe(sets[0]?.data.hash)
    expect(markers.at(-1)?.data.validatorsHash).toBe(sets[1]?.data.hash)
  })

  it('are the same after a restart at any height, with or without events', {
    tags: 'ingest:same-bytes',
  }, async () => {
    const facts = (events: readonly GovernanceEvent[]) =>
      events.filter(({ type }) => type !== 'rollcall.block.indexed.v1')
    const whole = await ingested
    for (let heights = 1; heights < STEPS.length; heights++) {
      const storage = createMemoryLogStorage()
      await ingestToTip(shownUpTo(chain, heights), openMemoryLog(storage))
      const events = await ingestToTip(chain, openMemoryLog(storage))
      expect(facts(events), `restart after ${heights}`).toEqual(facts(whole))
      expect(ofType(events, 'rollcall.block.indexed.v1').at(-1)?.data.validatorsHash).toBe(
        validatorsIn(whole).at(-1)?.data.hash,
      )
    }
  })

  it('are null with the reason where the node does not return light blocks', async () => {
    const events = await ingestToTip(provingChain(false), openMemoryLog())
    expect(lightBlocksIn(events)).toHaveLength(4)
    for (const { data } of lightBlocksIn(events)) {
      expect(data).toMatchObject({ header: null, commit: null, validatorsHash: null })
      expect(data.reason).toBe('the node does not return light blocks')
    }
    const [proof] = proofsIn(events)
    expect(proof?.data).toMatchObject({ chunk: 0, chunks: 1, value: null, proofOps: null })
    expect(proof?.data.reason).toBe(
      'no light block of height 4: the node does not return light blocks',
    )
    expect(validatorsIn(events)).toEqual([])
  })
})

describe('ingest of a chain whose headers cannot be verified', () => {
  const LIMITATION = 'The headers of this chain cannot be verified'
  const unverifiable = (isVerified: (height: number) => boolean): MemoryChain => {
    const chain = provingChain()
    const cause = new ProofError('wrong_header', 'The commit is for another hash.')
    return {
      ...chain,
      tip: chain.tip,
      lightBlock: (height, hash) =>
        isVerified(height)
          ? chain.lightBlock!(height, hash)
          : Promise.reject(new AppError('HEIGHT_UNAVAILABLE', 'there is none', { cause })),
    }
  }
  const kindsIn = (events: readonly GovernanceEvent[]) =>
    ofType(events, 'rollcall.block.indexed.v1').map(({ data }) =>
      (data.limitations ?? []).map(({ kind }) => kind),
    )

  it('says so once, in the log of the process and in each marker, and each proof has that reason', async () => {
    const { logger, lines } = recordingLogger()
    const events = await ingestToTip(
      unverifiable(() => false),
      openMemoryLog(),
      { logger },
    )
    expect(kindsIn(events).at(-1)).toEqual(['unverified_headers'])
    const reasons = ofType(events, 'rollcall.proposal.proof.v1').map(({ data }) => data.reason)
    expect(reasons.length).toBeGreaterThan(1)
    expect(new Set(reasons)).toEqual(
      new Set(['the headers of this chain cannot be verified: The commit is for another hash.']),
    )
    const warnings = lines.filter(({ level }) => level === 'warn')
    expect(warnings.filter(({ msg }) => msg.startsWith(LIMITATION))).toHaveLength(1)
    expect(warnings.filter(({ msg }) => msg === 'indexed without proofs')).toEqual([])
  })

  it('ends the limitation with the first header that can be verified', async () => {
    const events = await ingestToTip(
      unverifiable((height) => height > 1),
      openMemoryLog(),
    )
    expect(kindsIn(events).some((kinds) => kinds.includes('unverified_headers'))).toBe(true)
    expect(kindsIn(events).at(-1)).toEqual([])
    const values = ofType(events, 'rollcall.proposal.proof.v1').map(({ data }) => data.value)
    expect(values).not.toContain(null)
  })
})
