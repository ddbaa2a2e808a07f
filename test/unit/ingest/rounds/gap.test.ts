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
import { liveReadings } from '../../../support/chain/vote-run.ts'
import { openMemoryLog } from '../../../support/log/memory-log.ts'
import { delegateTx } from '../../../support/simulator/gov-events.ts'
import { delegate } from '../../../support/simulator/keepers/staking.ts'

const quiet = (blocks: number): undefined[] => Array.from({ length: blocks }, () => undefined)

it('is found by the next reading: the tally is that of the node again', async () => {
  const voter = voterName(0)
  const moving: CrowdedStep = ({ staking }) => {
    // The stake of its voters is read whenever the shares of a pool change without an event, but this one is not known as such.
    const pool = [...staking.validators.keys()].find(
      (name) => !staking.delegations.get(voter)?.has(name),
    )
    delegate(staking, { delegator: voter, validator: pool ?? '', tokens: 5_000n })
    return { txs: [delegateTx(voter)] }
  }
  const chain = createCrowdedVotes(12, [...quiet(8), moving, ...quiet(12)])
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
  const live = await compareLiveTallies(events, createChainAt(chain))
  expect(live).toMatchObject({ differences: [], unknown: 0 })
})
