// Tests that governors vote with the stake of owners who chose them, as on AtomOne: at every reading, and at the close.
import { TallyResult } from 'cosmjs-types/cosmos/gov/v1/gov'
import { expect, it } from 'vitest'
import { groupByHeight } from '../../../support/chain/live-tallies.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { finalReadings, index, liveReadings } from '../../../support/chain/vote-run.ts'
import { revise, submit } from '../../../support/chain/votes.ts'
import { foldHeights } from '../../../support/fold/fold-heights.ts'
import { account } from '../../../support/simulator/addresses.ts'
import type { BlockSketch, EventSketch, TxSketch } from '../../../support/simulator/blocks.ts'
import { delegateTx, endEvent, submitTx, voteTx } from '../../../support/simulator/gov-events.ts'
import { divide, multiply, ONE, parseAtto } from '../../../support/simulator/keepers/decimal.ts'
import {
  answerGovernors,
  governorAddress,
  governorsOf,
  setGovernors,
  sumShares,
} from '../../../support/simulator/queries/governors.ts'
import type { ChainState } from '../../../support/simulator/state/chain-state.ts'

const bondedPool = ({ pools }: ChainState, name: string) => {
  const pool = pools.get(name)
  if (pool?.status !== 3) return undefined
  return { tokens: pool.tokens, shares: (pool.shares ?? pool.tokens) * ONE }
}

/** In atto, of shares in atto. */
const priceShares = (state: ChainState, name: string, shares: bigint): bigint => {
  const pool = bondedPool(state, name)
  return pool ? divide(shares * pool.tokens, pool.shares) : 0n
}

const hasOwnStake = (state: ChainState, governor: string): boolean => {
  let sum = 0n
  for (const [pool, shares] of state.delegations.get(governor) ?? []) {
    sum += priceShares(state, pool, shares * ONE) / ONE
  }
  return sum >= governorsOf(state).minSelfDelegation
}

/** Yes and no in atto, as the `Tally` of AtomOne version 4 counts them: without code of the product. */
const countVotes = (state: ChainState, proposalId: string): { yes: bigint; no: bigint } => {
  const { governors, chosen } = governorsOf(state)
  const sums = { yes: 0n, no: 0n }
  const names = new Map([...state.delegations.keys()].map((name) => [account(name), name]))
  const deducted = new Map<string, bigint>()
  const voting = new Map<string, readonly { option: number; weight: string }[]>()
  const add = (options: readonly { option: number; weight: string }[], power: bigint) => {
    for (const { option, weight } of options) {
      const part = multiply(power, parseAtto(weight))
      if (option === 1) sums.yes += part
      if (option === 3) sums.no += part
    }
  }
  for (const { voter, options } of state.votes.get(proposalId) ?? []) {
    const name = names.get(voter) ?? ''
    const governor = chosen.get(name)
    if (governor === name) voting.set(governor, options)
    for (const [pool, whole] of state.delegations.get(name) ?? []) {
      if (!bondedPool(state, pool)) continue
      const key = `${governor} ${pool}`
      deducted.set(key, (deducted.get(key) ?? 0n) + whole * ONE)
      add(options, priceShares(state, pool, whole * ONE))
    }
  }
  for (const [governor, options] of voting) {
    if (governors.get(governor) !== 'active' || !hasOwnStake(state, governor)) continue
    let power = 0n
    for (const [pool, whole] of sumShares(state, governor)) {
      power += priceShares(state, pool, whole * ONE - (deducted.get(`${governor} ${pool}`) ?? 0n))
    }
    add(options, power)
  }
  return sums
}

const splitTx = (voter: string, yes: string, no: string): TxSketch => ({
  events: [
    [
      'proposal_vote',
      {
        voter: account(voter),
        option: JSON.stringify([
          { option: 1, weight: yes },
          { option: 3, weight: no },
        ]),
        proposal_id: '1',
        msg_index: '0',
      },
    ],
  ],
})
const tx = (...events: EventSketch[]): BlockSketch => ({ txs: [{ events }] })

const begin = (state: ChainState): void => {
  state.pools.set('one', { tokens: 571n, shares: 600n, status: 3, jailed: false })
  state.pools.set('two', { tokens: 293n, shares: 307n, status: 3, jailed: false })
  const stake: Record<string, Record<string, bigint>> = {
    alice: { one: 50n, two: 20n, three: 5n },
    bob: { one: 60n },
    carl: { two: 40n },
    dora: { one: 30n, three: 11n },
    gina: { one: 10n, two: 7n },
    hugo: { two: 3n },
  }
  state.delegations = new Map(
    Object.entries(stake).map(([name, pools]) => [name, new Map(Object.entries(pools))]),
  )
  setGovernors(state, {
    governors: new Map([
      ['gina', 'active'],
      ['hugo', 'active'],
    ]),
    chosen: new Map([
      ['alice', 'gina'],
      ['bob', 'gina'],
      ['carl', 'hugo'],
      ['gina', 'gina'],
      ['hugo', 'hugo'],
    ]),
    minSelfDelegation: 5n,
  })
}

const setStatus = (status: 'active' | 'inactive'): [BlockSketch, (state: ChainState) => void] => [
  tx(['governor_change_status', { governor: governorAddress('gina'), status }]),
  (state) => governorsOf(state).governors.set('gina', status),
]

/** What a block has, and what it does to the state; then comes half a minute. */
const STEPS: readonly [BlockSketch, (state: ChainState, height: number) => unknown][] = [
  [{}, begin],
  [{ txs: [submitTx('1')] }, submit('1')],
  [{ txs: [splitTx('gina', '0.333333333333333333', '0.666666666666666667')] }, () => undefined],
  [{ txs: [voteTx('1', 'alice'), voteTx('1', 'one', 3)] }, () => undefined],
  // bob has no ballot: only what gina votes with changes.
  [{ txs: [delegateTx('bob')] }, ({ delegations }) => delegations.get('bob')?.set('one', 77n)],
  // Its own stake is too small.
  [{ txs: [voteTx('1', 'hugo', 3)] }, () => undefined],
  // Its own stake is exactly the minimum.
  [{ txs: [delegateTx('hugo')] }, ({ delegations }) => delegations.get('hugo')?.set('two', 6n)],
  [
    tx([
      'delegate_governor',
      { destination_governor: governorAddress('gina'), delegator: account('dora') },
    ]),
    (state) => governorsOf(state).chosen.set('dora', 'gina'),
  ],
  [
    { begin: [['slash', { address: 'cosmosvalcons1x', reason: 'double_sign' }]] },
    ({ pools }) => pools.set('one', { tokens: 563n, shares: 600n, status: 3, jailed: false }),
  ],
  setStatus('inactive'),
  setStatus('active'),
  [
    tx([
      'redelegate_governor',
      {
        source_governor: governorAddress('hugo'),
        destination_governor: governorAddress('gina'),
        delegator: account('carl'),
      },
    ]),
    (state) => governorsOf(state).chosen.set('carl', 'gina'),
  ],
  [
    tx([
      'undelegate_governor',
      { source_governor: governorAddress('gina'), delegator: account('alice') },
    ]),
    (state) => governorsOf(state).chosen.delete('alice'),
  ],
  // hugo has bonded stake only in this pool: without it hugo votes with no stake of others.
  [
    { changesValidators: true },
    ({ pools }) => pools.set('two', { tokens: 293n, shares: 307n, status: 2, jailed: true }),
  ],
  [
    { changesValidators: true },
    ({ pools }) => pools.set('two', { tokens: 293n, shares: 307n, status: 3, jailed: false }),
  ],
]

const toResult = (state: ChainState): TallyResult => {
  const { yes, no } = countVotes(state, '1')
  const none = { abstainCount: '0', noWithVetoCount: '0' }
  return TallyResult.fromPartial({ ...none, yesCount: `${yes / ONE}`, noCount: `${no / ONE}` })
}

/** With the exact sums of the oracle at each height of the vote. */
const createChain = () => {
  const chain = createMemoryChain({ modules: answerGovernors })
  const counted = new Map<number, { yes: bigint; no: bigint }>()
  const add = ([sketch, change]: (typeof STEPS)[number]) =>
    chain.add(sketch, (state, height) => {
      change(state, height)
      state.liveTallies = new Map([['1', toResult(state)]])
      if (state.proposals.has('1')) counted.set(height, countVotes(state, '1'))
    })
  for (const step of STEPS) {
    add(step)
    for (let left = 4; left > 0; left--) add([{}, () => undefined])
  }
  chain.add({ end: [endEvent('1', 'proposal_passed')] }, (state, height) => {
    revise('1', { status: 3, finalTallyResult: toResult(state) })(state, height)
  })
  return { chain, counted }
}

it('governors vote with the stake that is left to them, at every reading and at the close', async () => {
  const { chain, counted } = createChain()
  const { events, tables, lines } = await index(chain, { isAtTip: true })
  const heights = liveReadings(events).flatMap(({ height, data }) => (data.params ? [height] : []))
  expect(heights.length).toBeGreaterThanOrEqual(STEPS.length - 1)
  const live = new Map(
    heights.map((height) => {
      const until = events.filter((event) => event.height <= height)
      const row = foldHeights(groupByHeight(until)).final('tallies').at(-1)
      return [
        height,
        { yes: BigInt(row?.live_yes_atto ?? -1), no: BigInt(row?.live_no_atto ?? -1) },
      ]
    }),
  )
  expect(live).toEqual(new Map(heights.map((height) => [height, counted.get(height)])))
  const [final] = finalReadings(events)
  expect(final?.data).toMatchObject({ rule: 'governors', complete: true })
  expect(tables.final('tallies')[0]).toMatchObject({ matches_chain: 'yes' })
  expect(lines.filter(({ level }) => level === 'error')).toEqual([])
})
