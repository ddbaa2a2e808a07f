// Tests open votes with more voters than ingest reads at a height: their stake follows, and live tallies and closes are exact.
import { beforeAll, describe, expect, it } from 'vitest'
import type { EventLog, LogEntry } from '../../../../infra/base/log/event-log.ts'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import {
  CROWDED,
  type CrowdedStep,
  createCrowdedVotes,
  SMALL,
  voterName,
} from '../../../support/chain/crowded-votes.ts'
import { ingestToTip, ofType } from '../../../support/chain/ingest-run.ts'
import { compareLiveTallies, createChainAt } from '../../../support/chain/live-tallies.ts'
import type { MemoryChain } from '../../../support/chain/memory-chain.ts'
import { finalReadings, liveReadings, restoreVote } from '../../../support/chain/vote-run.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../../support/log/memory-log.ts'
import { account } from '../../../support/simulator/addresses.ts'
import { delegateTx, voteTx } from '../../../support/simulator/gov-events.ts'
import { vote } from '../../../support/simulator/keepers/governance.ts'
import {
  delegate,
  redelegate,
  slash,
  undelegate,
} from '../../../support/simulator/keepers/staking.ts'

const VOTERS = 650
const MAX_STAKE = 300
const QUIET = undefined
const quiet = (blocks: number) => Array.from({ length: blocks }, () => QUIET)

/** In the order in which the node lists them. */
const byAddress = Array.from({ length: VOTERS }, (_, at) => voterName(at)).sort((one, other) =>
  account(one) < account(other) ? -1 : 1,
)
const last = (at: number): string => byAddress.at(-at) ?? ''

/** Voters who are read last vote, restake and undelegate before that, and two pools are slashed. */
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

const AT_TIP = { env: { START_HEIGHT: '2' }, config: { maxBatchHeights: 1 }, isAtTip: true }

const follow = (chain: MemoryChain) => ingestToTip(chain, openMemoryLog(), AT_TIP)

/** How many voters were asked for at each height. */
const countStakes = ({ queries }: MemoryChain): Map<number, number> => {
  const counts = new Map<number, number>()
  for (const { path, height } of queries) {
    if (path.endsWith('/DelegatorDelegations')) counts.set(height, (counts.get(height) ?? 0) + 1)
  }
  return counts
}

describe('votes with many voters', () => {
  it('have all ballots at once, and the stake of each voter once, over as many heights as it takes', async () => {
    const chain = createCrowdedVotes(VOTERS, quiet(4))
    const events = await follow(chain)
    const ballots = liveReadings(events).flatMap(({ data }) =>
      data.proposalId === CROWDED ? data.ballots : [],
    )
    expect(ballots.filter(({ options }) => options)).toHaveLength(VOTERS)
    const staked = ballots.filter(({ delegations }) => delegations).map(({ voter }) => voter)
    expect([staked.length, new Set(staked).size]).toEqual([VOTERS, VOTERS])
    const stakes = [...countStakes(chain).values()]
    expect(Math.max(...stakes)).toBeLessThanOrEqual(MAX_STAKE)
    expect(stakes.length).toBe(5)
  })

  it('have the tally of the node at each reading, once every voter is read', async () => {
    const chain = createCrowdedVotes(VOTERS, [...moves, ...quiet(20)])
    const events = await follow(chain)
    const live = await compareLiveTallies(events, createChainAt(chain))
    // At first the number of the node: not all stake is known.
    expect(live).toMatchObject({ differences: [], unknown: 0, compared: 5, reported: 1 })
    // The height of the stake is that of the last reading with none in the queue.
    const first = liveReadings(events).find(({ data }) => data.proposalId === CROWDED)
    expect(first?.data.queued).toBe(VOTERS - MAX_STAKE / 2)
    const agreed = liveReadings(events).flatMap(({ data }) => data.agrees ?? [])
    expect(agreed).toEqual([true, true, true])
  })
})

describe('a vote that ends before all its voters are read', () => {
  it('has a complete final reading with the tally of the chain', async () => {
    const chain = createCrowdedVotes(VOTERS, quiet(4), 4)
    const events = await follow(chain)
    const final = finalReadings(events).map(({ data }) => data)
    expect(final.every(({ complete, stateHeight }) => complete && stateHeight === 4)).toBe(true)
    expect(final.flatMap(({ ballots }) => ballots)).toHaveLength(VOTERS)
    const [close] = ofType(events, 'rollcall.proposal.closed.v1')
    expect(close?.data.finalTally).toEqual(await createChainAt(chain).tally(CROWDED, 3))
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

describe('a kill while they are read', () => {
  const chain = createCrowdedVotes(VOTERS, [...moves, ...quiet(6)])
  const known = (events: readonly GovernanceEvent[]) => {
    const { ballots, unread, basis } = restoreVote(events, CROWDED)
    return { ballots, pools: basis?.pools, unread: unread.size }
  }
  let undisturbed: ReturnType<typeof known>
  beforeAll(async () => {
    undisturbed = known(await follow(chain))
    expect(undisturbed.unread).toBe(0)
  })

  it('loses no vote, no stake and no pool', async () => {
    const height = 4
    for (const isWritten of [false, true]) {
      const storage = createMemoryLogStorage()
      const killed = killedAt(openMemoryLog(storage), height, isWritten)
      await ingestToTip(chain, killed, AT_TIP).catch(() => undefined)
      const events = await ingestToTip(chain, openMemoryLog(storage), AT_TIP)
      expect(known(events)).toEqual(undisturbed)
      expect((await compareLiveTallies(events, createChainAt(chain))).differences).toEqual([])
    }
  })
})
