// Tests votes whose events and state differ: the state counts, while the vote is open and at its close. What a tally needs is read again
// if its result differs.
import { toBech32 } from '@cosmjs/encoding'
import { describe, expect, it } from 'vitest'
import { addressKey, decodeAddress } from '../../../../ingest/contract/address.ts'
import type { GovernanceEvent } from '../../../../ingest/contract/events.ts'
import { createMemoryChain } from '../../../support/chain/memory-chain.ts'
import { ingested, liveReadings, NONE, restoreVote } from '../../../support/chain/vote-run.ts'
import { castAll, end, quiet, type Step, start } from '../../../support/chain/votes.ts'
import { account, operator } from '../../../support/simulator/addresses.ts'
import type { EventSketch, TxSketch } from '../../../support/simulator/blocks.ts'
import { delegateTx, optionJson, voteTx } from '../../../support/simulator/gov-events.ts'
import type { StateChange } from '../../../support/simulator/simulated-chain.ts'
import { voteBy } from '../../../support/simulator/state/chain-state.ts'

/** The ballots that count while the vote is open. */
const open = (events: readonly GovernanceEvent[]) =>
  [...restoreVote(events).ballots.values()].map(({ voter, options, delegations }) => ({
    voter,
    option: options[0]?.option,
    stake: delegations?.map(({ shares }) => Number(shares)).sort((one, other) => one - other),
  }))

const change =
  (edit: (voters: readonly string[]) => readonly string[]): StateChange =>
  ({ votes }) => {
    const known = votes.get('1') ?? []
    const voters = edit(known.map(({ voter }) => voter))
    const find = (voter: string) => known.find((vote) => vote.voter === voter)
    votes.set(
      '1',
      voters.map((voter) => find(voter) ?? voteBy('1', voter, 3)),
    )
  }

const alice = account('alice')
const bob = account('bob')
const ALICE = { voter: alice, option: 'yes', stake: [5, 20, 50] }
const BOB = { voter: bob, option: 'no', stake: [60] }

const voteOfAlice: Step = [{ txs: [voteTx('1', 'alice')] }]

describe('a vote that only the state has, such as that of a group', {
  tags: 'ingest:state-is-the-record',
}, () => {
  const silent: Step = [{}, change((voters) => [...voters, bob])]

  it('counts at the close', async () => {
    const steps = [[{}], start(), voteOfAlice, silent, end('1', { yes: '75', no: '60' })] as Step[]
    const { readings, counts, warnings, alerts } = await ingested(steps)
    expect(readings[0]?.ballots.map(({ voter }) => voter)).toEqual([alice, bob])
    expect([counts, warnings, alerts]).toEqual([[{ ...NONE, yes: '75', no: '60' }], [], []])
  })

  it('counts while the vote is open, after ten minutes at most', async () => {
    const early = [[{}], start(), voteOfAlice, silent, ...quiet(5)] as Step[]
    const { events, alerts } = await ingested(early)
    expect([open(events), alerts]).toEqual([[ALICE, BOB], []])
    const later = [[{}], start(), voteOfAlice, ...quiet(10), silent, ...quiet(105)] as Step[]
    const { events: followed, alerts: raised } = await ingested(later)
    expect([open(followed), raised]).toEqual([[ALICE, BOB], []])
  })
})

describe('a vote that only an event has, such as that of a call that was reverted', {
  tags: 'ingest:state-is-the-record',
}, () => {
  const reverted: Step = [
    { txs: [voteTx('1', 'alice'), voteTx('1', 'bob', 3)] },
    change(() => [alice]),
  ]

  it('does not count at the close, and its event stays', async () => {
    const steps = [[{}], start(), reverted, end('1', { yes: '75' })] as Step[]
    const { events, readings, counts, warnings, alerts } = await ingested(steps)
    expect(events.filter(({ type }) => type === 'rollcall.vote.cast.v1')).toHaveLength(2)
    expect(readings[0]?.ballots.map(({ voter }) => voter)).toEqual([alice])
    expect([counts, warnings, alerts]).toEqual([[{ ...NONE, yes: '75' }], [], []])
  })

  it('does not count once the state is compared', async () => {
    const { events, alerts } = await ingested([[{}], start(), reverted, ...quiet(5)] as Step[])
    expect([open(events), alerts]).toEqual([[ALICE], []])
    const [full] = liveReadings(events).slice(-1)
    expect(full?.data).toMatchObject({ allBallots: true, agrees: true })
  })
})

it('a ballot of the state that differs from its event counts as the state has it', {
  tags: 'ingest:state-is-the-record',
}, async () => {
  const other: StateChange = ({ votes }) => void votes.set('1', [voteBy('1', 'alice', 3)])
  const steps = [[{}], start(), voteOfAlice, ...quiet(5, other)] as Step[]
  const { events } = await ingested(steps)
  expect(open(events)).toEqual([{ ...ALICE, option: 'no' }])
})

/** The bytes of bob with the prefix of another chain. */
const foreignBob = toBech32('iva', decodeAddress(bob)!.bytes)

const castBy = (voter: string): TxSketch => {
  const attributes = { voter, option: optionJson(3), proposal_id: '1' }
  return { events: [['proposal_vote', attributes] satisfies EventSketch] }
}

describe('an account in two spellings', () => {
  const spelled: Step = [
    { txs: [voteTx('1', 'alice'), voteTx('1', 'bob'), castBy(foreignBob)] },
    ({ votes }) => void votes.set('1', [voteBy('1', 'alice'), voteBy('1', 'bob', 3)]),
  ]
  /** A node knows its own prefix only. */
  const createStrictChain = () => {
    const chain = createMemoryChain()
    const { abciQuery } = chain
    chain.abciQuery = async (query) =>
      Buffer.from(query.data).includes('iva1')
        ? { kind: 'refused', code: 18, codespace: 'sdk', log: 'invalid Bech32 prefix' }
        : await abciQuery(query)
    return chain
  }

  it('is one voter, as the state spells it', async () => {
    const steps = [[{}], start(), spelled, ...quiet(5)] as Step[]
    const { events } = await ingested(steps, createStrictChain())
    expect(open(events)).toEqual([ALICE, BOB])
    expect(addressKey(foreignBob)).toBe(addressKey(bob))
  })
})

it('a close has the stake that moved in its block, also if neither the shares of the pool nor the tally show it', async () => {
  const moved = end(
    '1',
    { yes: '135' },
    { txs: [delegateTx('alice'), delegateTx('bob')] },
    (state) => {
      state.delegations.get('alice')!.set('one', 60n)
      state.delegations.set('bob', new Map([['one', 50n]]))
    },
  )
  const cast: Step = [{ txs: [voteTx('1', 'alice'), voteTx('1', 'bob')] }]
  const { readings, counts } = await ingested([[{}], start(), cast, moved])
  const inOne = readings[0]?.ballots.map(
    ({ delegations }) =>
      delegations?.find(({ operatorAddress }) => operatorAddress === operator('one'))?.shares,
  )
  expect(inOne).toEqual(['60.000000000000000000', '50.000000000000000000'])
  expect(counts).toEqual([{ ...NONE, yes: '135' }])
})

describe('reading again', () => {
  it('reads every voter once if the result differs, and then the result matches', async () => {
    // The shares of the pool stay the same.
    const unseen: Step = [
      {},
      ({ delegations }) => {
        delegations.get('alice')!.delete('two')
        delegations.set('stranger', new Map([['two', 20n]]))
      },
    ]
    const { counts, readsAtEnd, warnings, alerts } = await ingested([
      [{}] as Step,
      start(),
      castAll('1'),
      unseen,
      end('1', { yes: '55', no: '60', noWithVeto: '490' }),
    ])
    expect(readsAtEnd).toBe(3)
    expect([warnings.length, alerts]).toEqual([1, []])
    expect(counts).toEqual([{ ...NONE, yes: '55', no: '60', noWithVeto: '490' }])
  })

  it('matches if a proposal lowered the limit of bonded pools earlier in the same end block', async () => {
    const limited: Step = [
      {},
      (state) => {
        state.maxPools = 3
        const one = state.pools.get('one')!
        Object.assign(one, { shares: one.tokens, tokens: one.tokens * 1_000_000n })
        // No more power than that, and a higher address.
        state.pools.get('three')!.tokens = one.tokens + 1n
      },
    ]
    const lower: StateChange = (state) => {
      state.maxPools = 1
      for (const name of ['two', 'three']) state.pools.get(name)!.status = 2
    }
    const final = { yes: '50000000', no: '60000000', noWithVeto: '490000000' }
    const { counts, alerts } = await ingested([
      limited,
      start(),
      castAll('1'),
      end('1', final, {}, lower),
    ])
    expect(alerts).toEqual([])
    expect(counts).toEqual([{ ...NONE, ...final }])
  })

  it('has the bonded total of the tally if pools enter and leave the set at the end of the same block', async () => {
    const waiting: Step = [
      {},
      ({ pools }) => void pools.set('four', { tokens: 7n, status: 1, jailed: false }),
    ]
    const cast: Step = [{ txs: [voteTx('1', 'bob', 3)] }]
    const replace: StateChange = ({ pools }) => {
      pools.get('three')!.status = 2
      pools.get('four')!.status = 3
    }
    const steps = [[{}], start(), waiting, cast, end('1', { no: '60' }, {}, replace)] as Step[]
    const { readings, counts } = await ingested(steps)
    expect(counts).toEqual([{ ...NONE, no: '60' }])
    expect(readings[0]?.bondedTokens).toBe('1000')
  })

  it('raises an alert if the result still differs, and keeps the reading', async () => {
    const { readings, alerts, warnings } = await ingested([
      [{}],
      start(),
      castAll('1'),
      end('1', { yes: '1' }),
    ])
    expect(readings[0]).toMatchObject({ complete: true, ballots: { length: 3 } })
    expect(warnings).toHaveLength(1)
    expect(alerts).toEqual([
      expect.objectContaining({
        msg: 'recomputed tally differs from the chain',
        proposalId: '1',
        reason: expect.stringContaining('yes 75, the chain has 1'),
      }),
    ])
  })
})
