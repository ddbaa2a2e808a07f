// Tests that a proposal whose state no endpoint could return is read from a later one: from the chain to the tables.
import { describe, expect, it } from 'vitest'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { ingestToTip, ofType } from '../../../support/chain/ingest-run.ts'
import { groupByHeight } from '../../../support/chain/live-tallies.ts'
import { createMemoryChain, type MemoryChain } from '../../../support/chain/memory-chain.ts'
import { liveReadings, proposal, tally } from '../../../support/chain/vote-run.ts'
import { decide, remove, restart, submit } from '../../../support/chain/votes.ts'
import { foldHeights } from '../../../support/fold/fold-heights.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../../support/log/memory-log.ts'
import { account } from '../../../support/simulator/addresses.ts'
import { endEvent, submitTx, voteTx } from '../../../support/simulator/gov-events.ts'

/** Heights of the story. Blocks are six seconds apart. */
const AT = { submit: 4, vote: 6, end: 8 }
/** The list of proposals is read every 5 minutes. */
const LISTED = 50

type Story = (chain: MemoryChain) => void

const addQuiet = (chain: MemoryChain, until: number) => {
  while (chain.tip < until) chain.add()
}

const addVote: Story = (chain) => {
  chain.add({ txs: [submitTx('1')] }, submit('1'))
  addQuiet(chain, AT.vote - 1)
  chain.add({ txs: [voteTx('1', 'alice')] })
  addQuiet(chain, AT.end - 1)
}

const addEnd: Story = (chain) => {
  chain.add({ end: [endEvent('1', 'proposal_passed')] }, decide('1', { yes: '75' }))
  addQuiet(chain, LISTED + 2)
}

const addPassed: Story = (chain) => {
  addVote(chain)
  addEnd(chain)
}

/** The log has the heights of `before`. Then the endpoint prunes faster than it is read. */
const createPruned = async (story: Story, prunedBelow: number, before?: Story) => {
  const chain = createMemoryChain()
  addQuiet(chain, AT.submit - 1)
  before?.(chain)
  const storage = createMemoryLogStorage()
  await ingestToTip(chain, openMemoryLog(storage))
  story(chain)
  chain.prunedBelow = prunedBelow
  return { chain, storage }
}

const run = async (
  story: Story,
  {
    prunedBelow = AT.end + 2,
    before,
    isAtTip = false,
  }: { prunedBelow?: number; before?: Story; isAtTip?: boolean } = {},
) => {
  const { chain, storage } = await createPruned(story, prunedBelow, before)
  const events = await ingestToTip(chain, openMemoryLog(storage), { isAtTip })
  return { events, tables: foldHeights(groupByHeight(events)) }
}

/** Height, finding and round of each reading that differs from the log. */
const late = (events: readonly GovernanceEvent[]) =>
  ofType(events, 'rollcall.proposal.reconciled.v1').map(({ height, data }) => [
    height,
    data.finding,
    data.round,
  ])

describe('a proposal whose states were pruned', { tags: 'ingest:late-reads' }, () => {
  it('gets its texts, messages, times and final tally from a later state', async () => {
    const { events, tables } = await run(addPassed)
    expect(late(events)).toEqual([[LISTED, 'read', 1]])
    const [read] = ofType(events, 'rollcall.proposal.reconciled.v1')
    expect(read?.data.finalTally).toMatchObject({ yes: '75' })
    expect(proposal(tables)).toMatchObject({
      title: 'Proposal 1',
      status: 'passed',
      submit_time: '2026-01-01 00:00:24.000000000',
      history_reason: expect.not.stringContaining(`height ${AT.submit}:`),
    })
    expect(tally(tables)).toMatchObject({ yes: '75', chain_yes: '75', final: true, quorum: null })
  })

  it('gets a tally of zeros, but not if no event reports the end of a vote with ballots', async () => {
    const silent = await run((chain) => {
      chain.add({ txs: [submitTx('1')] }, submit('1'))
      addQuiet(chain, AT.end - 1)
      chain.add({ end: [endEvent('1', 'proposal_rejected')] }, decide('1', {}, 4))
      addQuiet(chain, LISTED + 2)
    })
    expect(tally(silent.tables)).toMatchObject({ chain_yes: '0', final: true })
    const addUnreported: Story = (chain) => {
      chain.add({}, decide('1', {}, 4))
      addQuiet(chain, LISTED + 2)
    }
    const voted = await run(addUnreported, { before: addVote })
    expect(late(voted.events)).toEqual([[LISTED, 'closed', 1]])
    expect(tally(voted.tables)).toMatchObject({ chain_yes: null, final: true })
  })

  it('gets its texts and messages at the next list of proposals while it is open', async () => {
    const { events, tables } = await run((chain) => {
      addVote(chain)
      addQuiet(chain, LISTED)
    })
    expect(late(events)).toEqual([[LISTED, 'changed', 1]])
    expect(ofType(events, 'rollcall.proposal.reconciled.v1')[0]?.data.messages).toBeDefined()
    expect(proposal(tables)).toMatchObject({ title: 'Proposal 1', history: 'complete' })
  })

  it('gets the tally of a failed expedited vote while its second round is open', async () => {
    const { events, tables } = await run((chain) => {
      addVote(chain)
      const end = [endEvent('1', 'expedited_proposal_rejected')]
      chain.add({ end }, restart('1', { yes: '75' }))
      addQuiet(chain, LISTED)
    })
    expect(late(events)).toContainEqual([LISTED, 'changed', 2])
    const rounds = tables.final('tallies')
    expect(rounds[0]).toMatchObject({ round: 1, chain_yes: '75', final: true })
    expect(rounds[1]).toMatchObject({ round: 2, chain_yes: null, final: false })
  })

  it('is not asked for again after the chain deleted it', async () => {
    const { events, tables } = await run((chain) => {
      addVote(chain)
      const canceled = [
        'cancel_proposal',
        { sender: account('proposer'), proposal_id: '1' },
      ] as const
      chain.add({ txs: [{ events: [canceled] }] }, remove('1'))
      addQuiet(chain, AT.end + 20)
    })
    expect(late(events)).toEqual([])
    expect(tables.final('watermarks')).toMatchObject([{ final: true, awaits: false }])
  })

  it('waits for a readable state for a week, and is complete then', async () => {
    const { chain, storage } = await createPruned(addPassed, Number.POSITIVE_INFINITY)
    const open = () => openMemoryLog(storage)
    const waiting = foldHeights(groupByHeight(await ingestToTip(chain, open())))
    expect(waiting.final('watermarks')).toMatchObject([{ final: true, awaits: true }])
    expect(tally(waiting)).toMatchObject({ final: true, chain_yes: null })
    chain.add({ time: '2026-01-09T00:00:00.000Z' })
    const given = foldHeights(groupByHeight(await ingestToTip(chain, open())))
    expect(given.final('watermarks')).toMatchObject([{ final: true, awaits: false }])
    expect(tally(given)).toMatchObject({ final: true, chain_yes: null })
  })
})

describe('a ballot whose delegations were pruned', { tags: 'ingest:late-reads' }, () => {
  it('counts with those of a later state while the vote is open', async () => {
    const { events, tables } = await run(
      (chain) => {
        addVote(chain)
        addQuiet(chain, AT.end + 10)
      },
      { prunedBelow: AT.vote + 1, isAtTip: true },
    )
    const stakes = liveReadings(events).flatMap(({ data }) =>
      data.ballots.flatMap(({ voter, delegations }) =>
        voter === account('alice') ? [delegations] : [],
      ),
    )
    expect(stakes[0]).toBe(null)
    expect(stakes.at(-1)).toHaveLength(3)
    expect(tally(tables)).toMatchObject({ yes: '75', final: false })
  })
})
