// Tests a start at the tip with more voters than the snapshot reads: their delegations follow, and the live tallies are exact.
import { beforeAll, describe, expect, it } from 'vitest'
import { account } from '../../../../infra/app/chain/addresses.ts'
import { delegateTx, voteTx } from '../../../../infra/app/chain/gov-events.ts'
import { vote } from '../../../../infra/app/chain/keepers/governance.ts'
import {
  delegate,
  redelegate,
  slash,
  undelegate,
} from '../../../../infra/app/chain/keepers/staking.ts'
import type { EventLog, LogEntry } from '../../../../infra/base/log/event-log.ts'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import { MAX_VOTERS } from '../../../../ingest/begin/snapshot-votes.ts'
import { READ_LATER } from '../../../../ingest/contract/read-later.ts'
import {
  CROWDED,
  type CrowdedStep,
  createCrowdedVotes,
  followCrowdedVotes,
  SMALL,
  voterName,
} from '../../../support/chain/crowded-votes.ts'
import { ofType, readEvents, readRecordTexts } from '../../../support/chain/ingest-run.ts'
import {
  compareLiveTallies,
  createChainAt,
  groupByHeight,
} from '../../../support/chain/live-tallies.ts'
import { foldHeights } from '../../../support/fold/fold-heights.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../../support/log/memory-log.ts'

const VOTERS = 650
const QUIET = undefined

/** The voters in the order in which they are read. */
const byAddress = Array.from({ length: VOTERS }, (_, at) => voterName(at))
  .filter((_, at) => at >= 20)
  .sort((one, other) => (account(one) < account(other) ? -1 : 1))
const last = (at: number): string => byAddress.at(-at) ?? ''

/** The voters who are read last vote, restake and undelegate before that, and a pool is slashed. */
const moves: CrowdedStep[] = [
  ({ governance, staking }) => {
    const options = [{ option: 3, weight: '1.000000000000000000' }]
    vote(governance, { id: CROWDED, voter: last(1), options })
    vote(governance, { id: SMALL, voter: last(2), options })
    delegate(staking, { delegator: last(3), validator: 'pool-0', tokens: 500n })
    return { txs: [voteTx(CROWDED, last(1), 3), voteTx(SMALL, last(2), 3), delegateTx(last(3))] }
  },
  ({ staking }, height) => {
    const [from = ''] = [...(staking.delegations.get(last(4))?.keys() ?? [])]
    undelegate(staking, { delegator: last(4), validator: from, tokens: 100n })
    const [source = ''] = [...(staking.delegations.get(last(5))?.keys() ?? [])]
    const to = source === 'pool-0' ? 'pool-1' : 'pool-0'
    redelegate(staking, { delegator: last(5), validator: source, to, tokens: 200n, height })
    return { txs: [delegateTx(last(4)), delegateTx(last(5))] }
  },
  ({ staking }) => {
    slash(staking, { validator: 'pool-0', percent: 7n })
    slash(staking, { validator: 'pool-1', percent: 3n })
    return { begin: [['slash', { address: 'cosmosvalcons1x', reason: 'double_sign' }]] }
  },
]

const follow = async (steps: readonly (CrowdedStep | undefined)[], endsAt?: number) => {
  const votes = createCrowdedVotes(VOTERS, endsAt)
  const log = openMemoryLog()
  await followCrowdedVotes(votes, log, { steps })
  const events = await readEvents(log)
  return { ...votes, log, events, stakes: ofType(events, 'rollcall.stake.changed.v1') }
}

describe('a snapshot with many voters', () => {
  it('has the delegations of whole proposals up to the limit, and a reason for the others', async () => {
    const { events } = await follow([])
    const votes = ofType(events, 'rollcall.chain.snapshot.v1').flatMap(({ data }) => data.votes)
    expect(votes).toHaveLength(VOTERS + 20)
    const read = votes.filter(({ delegations }) => delegations !== null)
    expect(new Set(read.map(({ voter }) => voter)).size).toBe(20)
    expect(read.length).toBeLessThanOrEqual(MAX_VOTERS)
    const reasons = votes.flatMap(({ delegations, delegationsReason: reason }) =>
      delegations ? [] : [reason],
    )
    expect(new Set(reasons)).toEqual(new Set([READ_LATER]))
  })

  it('is followed by the other delegations, each once and by address', async () => {
    const { stakes } = await follow([QUIET, QUIET, QUIET, QUIET, QUIET])
    expect(stakes.map(({ data }) => data.voter)).toEqual(byAddress.map(account))
    expect(stakes.every(({ data }) => data.delegations !== null)).toBe(true)
    expect(new Set(stakes.map(({ height }) => height)).size).toBe(4)
  })
})

describe('the live tallies of these votes', () => {
  it('are those of the node at every height: the small vote at once, the other one when the node is first asked', async () => {
    const { chain, events } = await follow([...moves, QUIET, QUIET, QUIET])
    const live = await compareLiveTallies(events, createChainAt(chain))
    expect(live).toMatchObject({ differences: [], unknown: 3, compared: 11 })
  })

  it('say how many voters are still read, and the history is not partial because of them', async () => {
    const { events } = await follow([QUIET, QUIET, QUIET, QUIET])
    const heights = groupByHeight(events)
    const reasonAfter = (count: number) =>
      foldHeights(heights.slice(0, count))
        .final('tallies')
        .filter(({ proposal_id: id }) => id === CROWDED)
        .map(({ matches_chain_reason: reason }) => reason)
    expect([1, 2, 3, 4, 5].flatMap(reasonAfter)).toEqual([
      'the delegations of 630 of 650 voters are still being read',
      'the delegations of 430 of 650 voters are still being read',
      'the delegations of 230 of 650 voters are still being read',
      'the delegations of 30 of 650 voters are still being read',
      'the vote is still open',
    ])
    const histories = foldHeights(heights)
      .final('proposals')
      .map(({ history_reason: reason }) => reason)
    expect(new Set(histories)).toEqual(new Set(['submitted before the first indexed height 2']))
  })
})

describe('a vote that ends before all its voters are read', () => {
  it('has complete evidence that matches the chain, and no voter is read for it any more', async () => {
    const { events, stakes } = await follow([QUIET, QUIET, QUIET, QUIET], 4)
    const evidence = ofType(events, 'rollcall.tally.evidence.v1').map(({ data }) => data)
    expect(evidence.every(({ complete }) => complete)).toBe(true)
    expect(evidence.flatMap(({ ballots }) => ballots)).toHaveLength(VOTERS)
    expect(Math.max(...stakes.map(({ height }) => height))).toBe(4)
    const tallies = foldHeights(groupByHeight(events)).final('tallies')
    expect(tallies.find(({ final }) => final)).toMatchObject({
      proposal_id: CROWDED,
      matches_chain: 'yes',
    })
  })
})

describe('an endpoint that prunes the states of these heights', () => {
  it('leaves its reason, and the voters are read with the next parameters', async () => {
    const votes = createCrowdedVotes(VOTERS)
    const { chain } = votes
    const prune: CrowdedStep = () => {
      chain.prunedBelow = 4
      return {}
    }
    const keep: CrowdedStep = () => {
      chain.prunedBelow = 0
      return {}
    }
    const log = openMemoryLog()
    const steps = [prune, keep, ...Array.from({ length: 7 }, () => QUIET)]
    await followCrowdedVotes(votes, log, { steps })
    const events = await readEvents(log)
    const failed = ofType(events, 'rollcall.stake.changed.v1').filter(
      ({ data }) => data.delegations === null,
    )
    expect(failed).toHaveLength(200)
    expect(failed[0]?.data.delegationsReason).toMatch(/pruned the state of height 3/)
    const tallies = foldHeights(groupByHeight(events)).final('tallies')
    const counts = votes.chain.tip
    const node = await createChainAt(chain).tally(CROWDED, counts)
    expect(tallies.find(({ proposal_id: id }) => id === CROWDED)).toMatchObject({
      yes: node.yes,
      no: node.no,
    })
  })
})

/** Fails at the append of one height like a killed process: before or after the write. */
const killedAt = (inner: EventLog, height: number, isWritten: boolean): EventLog => ({
  ...inner,
  append: async (entries: readonly LogEntry[]) => {
    const isLast = entries.some((entry) => entry.height === height)
    if (!isLast || isWritten) await inner.append(entries)
    if (isLast) throw new AppError('LOG_FENCED', 'killed')
    return (await inner.last())!.offset
  },
})

const KILLED = [...moves, QUIET, QUIET]

describe('a kill while they are read', () => {
  let undisturbed: readonly string[]
  beforeAll(async () => {
    undisturbed = await readRecordTexts((await follow(KILLED)).log)
  })

  it.each([2, 3, 4, 5, 6])('at height %i gives the same log as no kill', async (height) => {
    for (const isWritten of [false, true]) {
      const votes = createCrowdedVotes(VOTERS)
      const storage = createMemoryLogStorage()
      const killed = killedAt(openMemoryLog(storage), height, isWritten)
      await followCrowdedVotes(votes, killed, { steps: KILLED }).catch(() => undefined)
      const left = KILLED.slice(votes.chain.tip - 2)
      const resumed = openMemoryLog(storage)
      await followCrowdedVotes(votes, resumed, { steps: left })
      expect(await readRecordTexts(resumed)).toEqual(undisturbed)
    }
  })
})
