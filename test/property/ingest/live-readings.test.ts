// Property test of readings over random chains with moving stake, slashings and unusual votes, after any kills. What a restart knows of an
// open vote gives the chain's own tally at each reading, and a final reading that of the close; both are counted by an oracle that shares no
// code.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { AppError } from '../../../infra/base/runtime/errors.ts'
import type { GovernanceEvent } from '../../../ingest/contract/events.ts'
import { isFactEvent } from '../../../ingest/contract/governance/fact.ts'
import { createGovernance, createRestore } from '../../../ingest/heights/governance.ts'
import { tallyRound } from '../../../ingest/rounds/read-round.ts'
import type { RoundState } from '../../../ingest/rounds/round-state.ts'
import { sameCounts } from '../../../ingest/tally/strategy.ts'
import { createDice } from '../../sim/dice.ts'
import { createHostileChain, type HostileChain } from '../../sim/hostile-chain/hostile-chain.ts'
import { createProfile } from '../../sim/hostile-chain/profile.ts'
import { ingestToTip } from '../../support/chain/ingest-run.ts'
import { groupByHeight } from '../../support/chain/live-tallies.ts'
import { finalReadings } from '../../support/chain/vote-run.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../support/log/memory-log.ts'
import { timeAt } from '../../support/simulator/blocks.ts'

const MOST_EVENTS = 2_000

/** Other tests have blocks that are larger. */
const aSeed = fc.integer({ min: 1, max: 1_000_000 }).filter((seed) => {
  const { heights, crowdAt } = createProfile(createDice(seed))
  return Array.from({ length: heights }, (_, at) => crowdAt(at + 1)).every(
    (crowd) => crowd <= MOST_EVENTS,
  )
})

const optionsOf = ({ profile: { startHeight } }: HostileChain) => ({
  env: { START_HEIGHT: startHeight === 1 ? 'earliest' : `${startHeight}` },
  config: { maxBatchHeights: 1 },
  isAtTip: true,
})

/** Pools are read at each height, or, with blocks of six seconds, at every fifth. */
const createChain = (seed: number, isSlow: boolean): HostileChain => {
  const hostile = createHostileChain(createDice(seed))
  const { chain } = hostile
  const { block } = chain
  if (!isSlow) chain.block = async (height) => ({ ...(await block(height)), time: timeAt(height) })
  return hostile
}

/** Undefined while the stake of some voters is not read. */
const countOpen = async ({ ballots, basis, unread }: RoundState) => {
  if (!basis || unread.size > 0) return undefined
  const { tally } = await tallyRound(
    basis.pools.values(),
    [...ballots.values()].map(({ voter, options, delegations }) => ({
      voter,
      options: [...options],
      delegations: delegations ? [...delegations] : null,
    })),
    basis.rule,
  )
  return tally?.counts
}

const seen = { readings: 0, closes: 0, unseenLimits: 0 }

/** Compares the open votes whose pools were read at the height. */
const checkOpen = async (
  events: readonly GovernanceEvent[],
  { expected }: HostileChain,
): Promise<void> => {
  const governance = createGovernance()
  const restore = createRestore(governance)
  for (const group of groupByHeight(events)) {
    for (const event of group) restore(event)
    for (const event of group) {
      if (event.type !== 'rollcall.round.read.v1' || event.data.final) continue
      const { proposalId, params, agrees, complete } = event.data
      const { height } = event
      expect(agrees, `height ${height}, proposal ${proposalId}`).not.toBe(false)
      // An event may name a proposal that the chain does not have: its ballots cannot be read.
      if (params === undefined || !complete) continue
      const open = expected[height - 1]?.open.find(({ id }) => id === proposalId)
      const counts = await countOpen(governance.open.get(proposalId)!.vote)
      expect([height, proposalId, counts]).toEqual([height, proposalId, open?.tally.counts])
      seen.readings += 1
    }
  }
}

const checkCloses = async (
  events: readonly GovernanceEvent[],
  { expected, profile }: HostileChain,
): Promise<void> => {
  const tallied = expected.flatMap(({ height, tallied: rounds }) =>
    height < profile.startHeight
      ? []
      : rounds.map(({ id, tally }, at) => ({ id, height, tally, isLater: at > 0 })),
  )
  const finals = new Map(
    finalReadings(events).map((event) => [`${event.data.proposalId} ${event.height}`, event.data]),
  )
  for (const { id, height, tally, isLater } of tallied) {
    const final = finals.get(`${id} ${height}`)
    expect(final, `proposal ${id} at height ${height}`).toMatchObject({ complete: true })
    const { tally: recounted } = await tallyRound(final!.pools, final!.ballots, 'gov')
    // One proposal may lower the limit of pools and the next one raise it in the same block: no state shows it to the tally in between.
    if (isLater && !sameCounts(recounted!.counts, tally.counts)) seen.unseenLimits += 1
    else expect([id, height, recounted?.counts]).toEqual([id, height, tally.counts])
    seen.closes += 1
  }
}

/** Fails at one append, before or after the write. */
const dyingAt = (inner: EventLog, append: number): EventLog => {
  let count = 0
  return {
    ...inner,
    append: async (entries) => {
      count += 1
      if (count < append || (count === append && append % 2 === 0))
        return await inner.append(entries)
      throw new AppError('LOG_FENCED', 'killed')
    },
  }
}

it('have the tally of the chain after any kills, and the facts and closes are those of no kill', async () => {
  const kills = fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 3 })
  const run = async (seed: number, isSlow: boolean, deaths: readonly number[]) => {
    const hostile = createChain(seed, isSlow)
    const options = optionsOf(hostile)
    const undisturbed = await ingestToTip(hostile.chain, openMemoryLog(), options)
    const storage = createMemoryLogStorage()
    for (const append of deaths) {
      const dying = dyingAt(openMemoryLog(storage), append)
      await ingestToTip(hostile.chain, dying, options).catch(() => undefined)
    }
    const events = await ingestToTip(hostile.chain, openMemoryLog(storage), options)
    expect(events.filter(isFactEvent)).toEqual(undisturbed.filter(isFactEvent))
    await checkOpen(events, hostile)
    await checkCloses(events, hostile)
  }
  // Slashings that fell on redelegated stake alone: the second one is jailed and free again before the reading.
  const examples: [number, boolean, number[]][] = [
    [315_239, true, []],
    [516_496, false, []],
  ]
  const options = { numRuns: 16, examples, endOnFailure: true }
  await fc.assert(fc.asyncProperty(aSeed, fc.boolean(), kills, run), options)
  // Far below what the chains have, so that no choice of them fails.
  expect(seen.readings).toBeGreaterThan(5)
  expect(seen.closes).toBeGreaterThan(2)
  expect(seen.unseenLimits).toBeLessThan(seen.closes)
})
