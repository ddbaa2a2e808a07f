// Tests that a kill, or an append with an unknown outcome, gives the same facts, closes and final readings as an undisturbed run.
import { describe, expect, it } from 'vitest'
import type { EventLog, LogEntry } from '../../../infra/base/log/event-log.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import { isFactEvent } from '../../../ingest/contract/governance/fact.ts'
import { createForkedChain, type Variant } from '../../support/chain/forked-chain.ts'
import { createGovStory } from '../../support/chain/gov-story.ts'
import {
  ingestToTip,
  ofType,
  readRecordTexts,
  withoutLiveReadings,
} from '../../support/chain/ingest-run.ts'
import { createMemoryChain } from '../../support/chain/memory-chain.ts'
import { finalReadings } from '../../support/chain/vote-run.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../support/log/memory-log.ts'
import { account } from '../../support/simulator/addresses.ts'
import type { BlockSketch, EventSketch, TxSketch } from '../../support/simulator/blocks.ts'
import { delegateTx, endEvent, submitTx, voteTx } from '../../support/simulator/gov-events.ts'
import { proposalAt } from '../../support/simulator/state/chain-state.ts'

/** Fails at one append like a killed process: before or after the write. */
const killedAt = (inner: EventLog, append: number, isWritten: boolean): EventLog => {
  let count = 0
  const dead = () => Promise.reject(new AppError('LOG_FENCED', 'killed'))
  return {
    ...inner,
    append: async (entries: readonly LogEntry[]) => {
      count += 1
      if (count < append) return await inner.append(entries)
      if (count === append && isWritten) await inner.append(entries)
      return await dead()
    },
  }
}

describe('a kill between two appends', () => {
  it.each([1, 2, 3, 5, 8])('at append %i leaves the same log as no kill', async (append) => {
    const config = { maxBatchHeights: 2 }
    const chain = createGovStory()
    const undisturbed = openMemoryLog()
    await ingestToTip(chain, undisturbed, { config })
    for (const isWritten of [false, true]) {
      const storage = createMemoryLogStorage()
      const killed = killedAt(openMemoryLog(storage), append, isWritten)
      await ingestToTip(chain, killed, { config }).catch(() => undefined)
      const resumed = openMemoryLog(storage)
      await ingestToTip(chain, resumed, { config })
      expect(await readRecordTexts(resumed)).toEqual(await readRecordTexts(undisturbed))
    }
  })

  it('leaves the same proofs, light blocks and validator sets as no kill', async () => {
    const config = { maxBatchHeights: 1 }
    const chain = createGovStory(createMemoryChain({ proves: true }))
    const undisturbed = openMemoryLog()
    const events = await ingestToTip(chain, undisturbed, { config })
    expect(ofType(events, 'rollcall.proposal.proof.v1').map(({ data }) => data.reason)).toEqual(
      Array.from({ length: 8 }, () => null),
    )
    for (const append of [2, 3, 4, 5, 8, 11, 14]) {
      const storage = createMemoryLogStorage()
      const killed = killedAt(openMemoryLog(storage), append, true)
      await ingestToTip(chain, killed, { config }).catch(() => undefined)
      const resumed = openMemoryLog(storage)
      await ingestToTip(chain, resumed, { config })
      expect(await readRecordTexts(resumed)).toEqual(await readRecordTexts(undisturbed))
    }
  })

  it('survives an append with an unknown outcome', async () => {
    const chain = createGovStory()
    const inner = openMemoryLog()
    let count = 0
    const unsure: EventLog = {
      ...inner,
      append: async (entries) => {
        count += 1
        if (count === 2) throw new AppError('LOG_UNAVAILABLE', 'lost before', { retryable: true })
        const end = await inner.append(entries)
        if (count === 4) throw new AppError('LOG_UNAVAILABLE', 'lost after', { retryable: true })
        return end
      },
    }
    const config = { maxBatchHeights: 4 }
    const events = await ingestToTip(chain, unsure, { config })
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length)
    const undisturbed = openMemoryLog()
    await ingestToTip(chain, undisturbed, { config })
    expect(await readRecordTexts(inner)).toEqual(await readRecordTexts(undisturbed))
  })
})

const slash: EventSketch = ['slash', { address: 'cosmosvalcons1x', reason: 'double_sign' }]
const cancelTx: TxSketch = {
  events: [['cancel_proposal', { sender: account('proposer'), proposal_id: '1' }]],
}
const undecodableVote: TxSketch = { events: [['proposal_vote', { proposal_id: '2', option: '?' }]] }

const oddGovernance: readonly BlockSketch[] = [
  {},
  { txs: [submitTx('1'), submitTx('2'), submitTx('3', false)] },
  { txs: [voteTx('1', 'alice'), voteTx('2', 'alice'), voteTx('1', 'bob'), voteTx('2', 'carl')] },
  { txs: [voteTx('1', 'bob', 3), undecodableVote] },
  { begin: [slash] },
  { txs: [delegateTx('bob')], end: [endEvent('1', 'expedited_proposal_rejected')] },
  { begin: [slash] },
  { txs: [delegateTx('alice')], end: [endEvent('2', 'proposal_passed')] },
  { begin: [slash], txs: [voteTx('1', 'dora')] },
  // A vote on a closed proposal.
  { txs: [voteTx('2', 'carl')] },
  { begin: [slash] },
  { txs: [cancelTx, voteTx('3', 'alice')] },
  {
    begin: [slash],
    end: [['inactive_proposal', { proposal_id: '3', proposal_result: 'dropped' }]],
  },
  { begin: [slash] },
]

const VOTERS = ['alice', 'bob', 'carl', 'dora']

const oddChain = () => {
  const chain = createMemoryChain()
  for (const [before, sketch] of oddGovernance.entries()) {
    chain.add(sketch, ({ proposals, pools, delegations }) => {
      if (before === 1) for (const id of ['1', '2']) proposals.set(id, proposalAt(id, 2, 2))
      if (before === 1) proposals.set('3', proposalAt('3', 2))
      if (before === 7) proposals.set('2', { ...proposals.get('2')!, status: 3 })
      if (before === 11) proposals.delete('1')
      if (before === 12) proposals.delete('3')
      if (before > 0 && !sketch.begin) return
      const shares = 600n + BigInt(before)
      pools.set('one', { tokens: 600n, status: 3, jailed: false, shares })
      for (const name of VOTERS) delegations.set(name, new Map([['one', 1n + BigInt(before)]]))
    })
  }
  return chain
}

describe('a restart during unusual governance events', () => {
  const config = { maxBatchHeights: 1 }

  it('writes the same as no restart: late, repeated and undecodable votes, and every kind of round end', async () => {
    const chain = oddChain()
    const undisturbed = withoutLiveReadings(await ingestToTip(chain, openMemoryLog(), { config }))
    for (let append = 1; append <= chain.tip; append++) {
      const storage = createMemoryLogStorage()
      const killed = killedAt(openMemoryLog(storage), append, true)
      await ingestToTip(chain, killed, { config }).catch(() => undefined)
      const events = await ingestToTip(chain, openMemoryLog(storage), { config })
      expect(withoutLiveReadings(events)).toEqual(undisturbed)
    }
    expect(finalReadings(undisturbed)).toHaveLength(3)
  })
})

const byProposal = (one: { proposalId: string }, other: { proposalId: string }) =>
  Number(one.proposalId) - Number(other.proposalId)

/** All facts, and what the state says of each end, wherever it was found. */
const outcome = (events: readonly GovernanceEvent[]) => {
  const facts = events.filter(isFactEvent)
  const ends = facts.flatMap((event) =>
    event.type === 'rollcall.proposal.reconciled.v1' && event.data.closedHeight ? [event.data] : [],
  )
  return {
    facts: facts.filter(({ type }) => type !== 'rollcall.proposal.reconciled.v1'),
    ends: ends.map(({ cause: _, proposalReason: __, ...data }) => data).sort(byProposal),
    readings: finalReadings(events)
      .map(({ data }) => data)
      .sort(byProposal),
  }
}

describe('a restart while the state of the chain and its events disagree', () => {
  it('finds the same as no restart, maybe earlier: a start compares all proposals', async () => {
    const config = { maxBatchHeights: 1 }
    const variants: Variant[] = [
      'vetoed',
      'prolonged silently',
      'ended by an upgrade',
      'deleted',
      'converted',
      'forbidden',
      'never ended',
      'dropped silently',
      'ended early by a hook',
      'deleted with an event',
      'dropped late',
    ]
    const chain = createForkedChain(variants, 105)
    const events = await ingestToTip(chain, openMemoryLog(), { config })
    const whole = outcome(events)
    const appends = new Set(events.map(({ height }) => height)).size
    for (let append = 1; append <= appends; append++) {
      const storage = createMemoryLogStorage()
      const killed = killedAt(openMemoryLog(storage), append, append % 2 === 0)
      await ingestToTip(chain, killed, { config }).catch(() => undefined)
      const resumed = await ingestToTip(chain, openMemoryLog(storage), { config })
      expect(outcome(resumed)).toEqual(whole)
    }
    const found = ofType(events, 'rollcall.proposal.reconciled.v1').map(({ data }) => data.finding)
    expect(new Set(found)).toEqual(new Set(['closed', 'changed', 'missing', 'deleted', 'overdue']))
  })
})
