// Tests stake that moves in blocks of which only governance is read: those far behind the tip, while a vote is open.
import { expect, it } from 'vitest'
import {
  CROWDED,
  type CrowdedStep,
  createCrowdedVotes,
  voterName,
} from '../../../support/chain/crowded-votes.ts'
import { ingestToTip } from '../../../support/chain/ingest-run.ts'
import { compareLiveTallies, createChainAt } from '../../../support/chain/live-tallies.ts'
import type { MemoryChain } from '../../../support/chain/memory-chain.ts'
import { finalReadings, liveReadings } from '../../../support/chain/vote-run.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { account } from '../../../support/simulator/addresses.ts'
import { delegateTx, voteTx } from '../../../support/simulator/gov-events.ts'
import { vote } from '../../../support/simulator/keepers/governance.ts'
import { delegate } from '../../../support/simulator/keepers/staking.ts'

const quiet = (blocks: number): undefined[] => Array.from({ length: blocks }, () => undefined)
const VOTER = voterName(0)
const YES = [{ option: 1, weight: '1.000000000000000000' }]

/** It has no stake in this pool before, so it is not known as one of those whose stake is read when the shares of the pool change. */
const moving: CrowdedStep = ({ staking }) => {
  delegate(staking, { delegator: VOTER, validator: 'pool-1', tokens: 5_000n })
  return { txs: [delegateTx(VOTER)] }
}

/** Of the block with the delegation nothing but governance is read. */
const follow = async (chain: MemoryChain) => {
  const { block } = chain
  let unseen = 0
  chain.block = async (height, options) => {
    const read = await block(height, options)
    if (!read.events.some(({ type }) => type === 'delegate')) return read
    unseen = height
    return { ...read, txs: [], events: [], lacksMovedStake: true }
  }
  const events = await ingestToTip(chain, openMemoryLog(), {
    env: { START_HEIGHT: '2' },
    config: { maxBatchHeights: 1 },
    isAtTip: true,
  })
  const after = liveReadings(events).filter(
    ({ height, data }) => height > unseen && data.proposalId === CROWDED,
  )
  expect(unseen).toBeGreaterThan(2)
  expect(after.length).toBeGreaterThan(0)
  return events
}

it('is found by the next reading: the tally is that of the node again', async () => {
  const chain = createCrowdedVotes(12, [...quiet(8), moving, ...quiet(12)])
  const live = await compareLiveTallies(await follow(chain), createChainAt(chain))
  expect(live).toMatchObject({ differences: [], unknown: 0 })
})

it('is found by the close, though the pool voted the same and the tally does not show it', async () => {
  const votes: CrowdedStep = ({ governance }) => {
    vote(governance, { id: CROWDED, voter: 'pool-1', options: YES })
    return { txs: [voteTx(CROWDED, 'pool-1', 1)] }
  }
  const chain = createCrowdedVotes(12, [votes, ...quiet(8), moving, ...quiet(12)], 20)
  const [final] = finalReadings(await follow(chain))
  const ballot = final?.data.ballots.find(({ voter }) => voter === account(VOTER))
  expect(ballot?.delegations?.map(({ shares }) => shares.split('.')[0]).sort()).toEqual([
    '1000',
    '5000',
  ])
})
