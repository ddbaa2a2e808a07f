// Tests an open vote with more voters than ingest reads at a height: their stake follows, also after a kill, and live tallies are exact.
import { beforeAll, expect, it } from 'vitest'
import type { EventLog, LogEntry } from '../../../../infra/base/log/event-log.ts'
import { AppError } from '../../../../infra/base/runtime/errors.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { ingestToTip } from '../../../support/chain/ingest-run.ts'
import { compareLiveTallies, createChainAt } from '../../../support/chain/live-tallies.ts'
import { createMemoryChain, type MemoryChain } from '../../../support/chain/memory-chain.ts'
import { liveReadings, restoreVote } from '../../../support/chain/vote-run.ts'
import {
  createHeightEvents,
  reading,
  submitted,
  votingStarted,
} from '../../../support/log/governance-events.ts'
import { pool, params as values } from '../../../support/log/governance-values.ts'
import { createMemoryLogStorage, openMemoryLog } from '../../../support/log/memory-log.ts'
import { account } from '../../../support/simulator/addresses.ts'
import { type BlockSketch, timeAt } from '../../../support/simulator/blocks.ts'
import { delegateTx, voteTx } from '../../../support/simulator/gov-events.ts'
import {
  createGovernance,
  createOpenProposal,
  type Governance,
  listOpenRounds,
  vote,
} from '../../../support/simulator/keepers/governance.ts'
import {
  addValidator,
  createStaking,
  delegate,
  endStakingBlock,
  redelegate,
  type Staking,
  slash,
  undelegate,
} from '../../../support/simulator/keepers/staking.ts'
import { toChainState } from '../../../support/simulator/keepers/to-chain-state.ts'
import { chainParams } from '../../../support/simulator/state/chain-state.ts'

type World = { staking: Staking; governance: Governance }

/** Changes the world in the next block, and returns the block’s content. */
type CrowdedStep = (world: World, height: number) => BlockSketch

/** Open at the first height. `CROWDED` has all voters, `SMALL` the first ones. */
const CROWDED = '1'
const SMALL = '2'
const SMALL_VOTERS = 20
const POOLS = 3
const OPTIONS = [1, 1, 1, 2, 3, 4]
const WHOLE = '1.000000000000000000'

const params = chainParams()

const voterName = (at: number): string => `voter-${at}`

const createWorld = (voters: number): World => {
  const staking = createStaking(POOLS)
  for (let at = 0; at < POOLS; at++) {
    const name = `pool-${at}`
    addValidator(staking, name, `Pool ${at}`)
    delegate(staking, { delegator: name, validator: name, tokens: 10n ** 9n })
  }
  const governance = createGovernance()
  governance.proposals.set(CROWDED, createOpenProposal(CROWDED, 1, 100))
  governance.proposals.set(SMALL, createOpenProposal(SMALL, 1, 100))
  for (let at = 0; at < voters; at++) {
    const voter = voterName(at)
    const tokens = BigInt(1_000 + at)
    delegate(staking, { delegator: voter, validator: `pool-${at % POOLS}`, tokens })
    const options = [{ option: OPTIONS[at % OPTIONS.length]!, weight: WHOLE }]
    vote(governance, { id: CROWDED, voter, options })
    if (at < SMALL_VOTERS) vote(governance, { id: SMALL, voter, options })
  }
  endStakingBlock(staking, 0)
  return { staking, governance }
}

/** Two blocks, then one for each step. The tallies follow the rules of x/gov. */
const createCrowdedVotes = (
  voters: number,
  steps: readonly (CrowdedStep | undefined)[],
): MemoryChain => {
  const world = createWorld(voters)
  const chain = createMemoryChain()
  for (const step of [undefined, undefined, ...steps]) {
    const height = chain.tip + 1
    const sketch = step?.(world, height) ?? {}
    const changesValidators = endStakingBlock(world.staking, height).length > 0
    const open = listOpenRounds(world)
    const state = toChainState(world, { open, params, timeAt, pageSize: 100 })
    chain.append({ ...sketch, changesValidators }, state)
  }
  return chain
}

const VOTERS = 650
const MAX_STAKE = 300

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

const chain = createCrowdedVotes(VOTERS, [...moves, ...Array.from({ length: 20 }, () => undefined)])
const AT_TIP = { env: { START_HEIGHT: '2' }, config: { maxBatchHeights: 1 }, isAtTip: true }

const follow = (log: EventLog) => ingestToTip(chain, log, AT_TIP)

const known = (events: readonly GovernanceEvent[]) => {
  const { ballots, unread, basis } = restoreVote(events, CROWDED)
  return { ballots, pools: basis?.pools, unread: unread.size }
}

let events: readonly GovernanceEvent[]
beforeAll(async () => {
  events = await follow(openMemoryLog())
})

it('a vote with many voters has all ballots at once, and the stake of each over several heights', () => {
  const [first, ...later] = liveReadings(events).filter(({ data }) => data.proposalId === CROWDED)
  expect(first?.data.ballots.filter(({ options }) => options)).toHaveLength(VOTERS)
  expect(first?.data.queued).toBe(VOTERS - MAX_STAKE / 2)
  const counts = later.map(({ data }) => data.ballots.filter((each) => each.delegations).length)
  expect(Math.max(...counts)).toBeLessThanOrEqual(MAX_STAKE)
  expect(known(events)).toMatchObject({ ballots: { size: VOTERS }, unread: 0 })
})

it('a vote with many voters has the tally of the node at each reading, once every voter is read', async () => {
  // At first the number of the node: not all stake is known.
  expect(await compareLiveTallies(events, createChainAt(chain))).toMatchObject({
    differences: [],
    unknown: 0,
    compared: 5,
    reported: 1,
  })
})

it('a vote with many pools has those of all chunks of its reading', () => {
  const [one, two] = ['a', 'b'].map((name, chunk) =>
    reading('7', {
      allPools: true,
      chunks: 2,
      chunk,
      params: values(),
      pools: [pool(name)],
    }),
  )
  const heights = [
    createHeightEvents(1, [submitted('7')]),
    createHeightEvents(2, [votingStarted('7'), one!, two!]),
  ]
  expect(restoreVote(heights.flat(), '7').basis?.pools.size).toBe(2)
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

it.each([false, true])(
  'a kill before all are read loses nothing: after the write is %j',
  async (isWritten) => {
    const storage = createMemoryLogStorage()
    await follow(killedAt(openMemoryLog(storage), 4, isWritten)).catch(() => undefined)
    const resumed = await follow(openMemoryLog(storage))
    expect(known(resumed)).toEqual(known(events))
    expect((await compareLiveTallies(resumed, createChainAt(chain))).differences).toEqual([])
  },
)
