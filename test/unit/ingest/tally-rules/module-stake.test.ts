// Tests rules by which stake in other modules votes, against an oracle that counts as the modules of those chains do.
import { BinaryWriter } from 'cosmjs-types/binary'
import { QueryAllBalancesResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query'
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import { TallyResult } from 'cosmjs-types/cosmos/gov/v1/gov'
import { expect, it } from 'vitest'
import { compareLiveTallies, createChainAt } from '../../../support/chain/live-tallies.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { finalReadings, index } from '../../../support/chain/vote-run.ts'
import { revise, submit } from '../../../support/chain/votes.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'
import type { BlockSketch } from '../../../support/simulator/blocks.ts'
import { endEvent, submitTx, voteTx } from '../../../support/simulator/gov-events.ts'
import { divide, ONE } from '../../../support/simulator/keepers/decimal.ts'
import type { StateChange } from '../../../support/simulator/simulated-chain.ts'
import type { ChainState } from '../../../support/simulator/state/chain-state.ts'

type Field = readonly [no: number, value: string | Uint8Array | bigint]

/** Texts and messages by field number, and whole numbers as varints. */
const message = (...fields: Field[]): Uint8Array => {
  const writer = new BinaryWriter()
  for (const [no, value] of fields) {
    if (typeof value === 'bigint') writer.uint32(no << 3).uint64(value)
    else if (typeof value === 'string') writer.uint32((no << 3) | 2).string(value)
    else writer.uint32((no << 3) | 2).bytes(value)
  }
  return writer.finish()
}
const coin = (denom: string, amount: string) => Coin.encode({ denom, amount }).finish()
const EMPTY = () => new Uint8Array()

type Pool = { tokens: bigint; shares: bigint }

/** What alice has beside her delegations, and what it counts as the chain's own code has it. */
type Case = {
  rule: string
  /** `more`: what alice has in addition, since an event that the module has for it. */
  modules: Record<string, (data: Uint8Array, more: bigint) => Uint8Array>
  /** The event of `more`; some name alice, others no account. */
  event: [type: string, attributes: Record<string, string>]
  /** Of the pools that count: shares that are deducted, and power, both in atto. */
  count(pool: Pool, more: bigint): { shares: bigint; power: bigint }
}

const isAlice = (data: Uint8Array) => Buffer.from(data).includes(account('alice'))

const superfluidRecords = (data: Uint8Array, more: bigint) => {
  const toRecord = (amount: bigint): Field => [
    1,
    message(
      [1, account('alice')],
      [2, operator('one')],
      [3, coin('gamm/pool/1', '1000')],
      [4, coin('uosmo', `${amount}`)],
    ),
  ]
  return isAlice(data) ? message(toRecord(7n), toRecord(11n + more)) : EMPTY()
}

const positions = (data: Uint8Array, more: bigint) => {
  const toPosition = (shares: bigint, ...validator: Field[]): Field => [
    1,
    message([1, 1n], [2, account('alice')], ...validator, [6, `${shares}`]),
  ]
  const pagination: Field = [2, EMPTY()]
  if (!isAlice(data)) return message(pagination)
  const inOne: Field = [5, operator('one')]
  return message(
    toPosition(7n * ONE, inOne),
    toPosition((11n + more) * ONE, inOne),
    toPosition(0n),
    pagination,
  )
}

const deposits = (no: number, amount: bigint) => (data: Uint8Array, more: bigint) => {
  const held = coin(`bkava-${operator('one')}`, `${amount + more}`)
  return isAlice(data) ? message([1, message([1, account('alice')], [no, held])]) : EMPTY()
}

const balances = (data: Uint8Array) =>
  QueryAllBalancesResponse.encode(
    QueryAllBalancesResponse.fromPartial({
      balances: isAlice(data)
        ? [
            { denom: `bkava-${operator('one')}`, amount: '5' },
            { denom: 'stake', amount: '900' },
          ]
        : [],
      pagination: {},
    }),
  ).finish()

const priceAll = (pool: { tokens: bigint; shares: bigint }, all: readonly bigint[]) => ({
  shares: all.reduce((sum, shares) => sum + shares, 0n),
  power: all.reduce((sum, shares) => sum + divide(shares * pool.tokens, pool.shares), 0n),
})

const CASES: Case[] = [
  {
    rule: 'superfluid',
    event: ['epoch_start', { epoch_number: '7' }],
    modules: {
      '/osmosis.superfluid.Query/Params': EMPTY,
      '/osmosis.superfluid.Query/SuperfluidDelegationsByDelegator': superfluidRecords,
    },
    count: (pool, more) =>
      priceAll(
        pool,
        [7n, 11n + more].map((tokens) => (pool.shares * tokens) / pool.tokens),
      ),
  },
  {
    rule: 'tiered_stake',
    event: [
      'chainmain.tieredrewards.v1.EventPositionCreated',
      { position: JSON.stringify({ id: '3', owner: account('alice') }) },
    ],
    modules: {
      '/chainmain.tieredrewards.v1.Query/Params': EMPTY,
      '/chainmain.tieredrewards.v1.Query/TierPositionsByOwner': positions,
    },
    count: (pool, more) => priceAll(pool, [7n * ONE, (11n + more) * ONE]),
  },
  {
    rule: 'liquid_stake',
    event: ['coin_received', { receiver: account('alice'), amount: `4bkava-${operator('one')}` }],
    modules: {
      '/kava.liquid.v1beta1.Query/TotalSupply': EMPTY,
      '/cosmos.bank.v1beta1.Query/AllBalances': balances,
      '/kava.savings.v1beta1.Query/Deposits': (data) => deposits(2, 6n)(data, 0n),
      '/kava.earn.v1beta1.Query/Deposits': deposits(3, 7n),
    },
    count: ({ tokens, shares }, more) => ({
      shares: (18n + more) * ONE,
      power: (((18n + more) * tokens * ONE) / shares) * ONE,
    }),
  },
]

const NO_VOTES = TallyResult.fromPartial({
  yesCount: '0',
  abstainCount: '0',
  noCount: '0',
  noWithVetoCount: '0',
})

const moreOf = ({ moduleState }: ChainState): bigint => BigInt(`${moduleState?.get('more') ?? 0}`)

/** alice votes yes, the operator of pool one no: its vote has what is left. In whole units. */
const countVotes = (state: ChainState, { count }: Case) => {
  const { pools, delegations } = state
  const atto = (name: string) => {
    const { tokens, shares = tokens } = pools.get(name)!
    return { tokens, shares: shares * ONE }
  }
  const one = atto('one')
  let yes = 0n
  for (const [name, shares] of delegations.get('alice')!) {
    const pool = atto(name)
    yes += divide(shares * ONE * pool.tokens, pool.shares)
  }
  const inModule = count(one, moreOf(state))
  yes += inModule.power
  const rest = one.shares - delegations.get('alice')!.get('one')! * ONE - inModule.shares
  const no = divide(rest * one.tokens, one.shares)
  return { ...NO_VOTES, yesCount: `${yes / ONE}`, noCount: `${no / ONE}` }
}

const createChain = (each: Case) => {
  const chain = createMemoryChain({
    modules: (path, data, state) => each.modules[path]?.(data, moreOf(state)),
  })
  const add = (sketch: BlockSketch, change: StateChange) =>
    chain.add(sketch, (state, height) => {
      change(state, height)
      const counts = state.votes.has('1') ? countVotes(state, each) : NO_VOTES
      state.liveTallies = new Map([['1', counts]])
    })
  /** Until the next reading of pools. */
  const rest = () => {
    for (let left = 5; left > 0; left--) add({}, () => undefined)
  }
  add({}, (state) => {
    // A pool that was slashed: its rate is no whole number.
    state.pools.set('one', { tokens: 571n, shares: 600n, status: 3, jailed: false })
  })
  add({ txs: [submitTx('1')] }, submit('1'))
  add({ txs: [voteTx('1', 'alice'), voteTx('1', 'one', 3)] }, () => undefined)
  rest()
  // Its next slashing changes what a share is worth, and names no delegator.
  add({ begin: [['slash', { address: 'cosmosvalcons1x', reason: 'double_sign' }]] }, (state) => {
    state.pools.get('one')!.tokens = 563n
  })
  rest()
  add({ begin: [each.event] }, (state) => {
    state.moduleState = new Map([['more', 4n]])
  })
  rest()
  // No reading follows before the end.
  add({ begin: [each.event] }, (state) => {
    state.moduleState = new Map([['more', 6n]])
  })
  add({ end: [endEvent('1', 'proposal_passed')] }, (state, height) => {
    const finalTallyResult = countVotes(state, each)
    revise('1', { status: 3, finalTallyResult })(state, height)
  })
  return chain
}

it.each(CASES)(
  'counts as the chain does, at every reading and at the close: $rule',
  async (each) => {
    const chain = createChain(each)
    const { events, tables, lines } = await index(chain, { isAtTip: true })
    expect(await compareLiveTallies(events, createChainAt(chain))).toMatchObject({
      differences: [],
      unknown: 0,
      compared: 4,
    })
    const [final] = finalReadings(events)
    expect(final?.data).toMatchObject({ rule: each.rule, complete: true })
    expect(tables.final('tallies')[0]).toMatchObject({ matches_chain: 'yes' })
    expect(lines.filter(({ level }) => level === 'error')).toEqual([])
    expect(lines.filter(({ msg }) => msg === 'read a tally again')).toEqual([])
  },
)
