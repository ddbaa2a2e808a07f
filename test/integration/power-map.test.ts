// Tests of voting power by validator from a real ClickHouse: the largest ones, and the sum of the others.
import { describe, expect, it } from 'vitest'
import { readPoolPowers } from '../../api/read/queries/non-voting-pools.ts'
import { MAX_VALIDATORS, type SplitPower } from '../../api/read/queries/power-map.ts'
import type { Snapshot } from '../../api/read/snapshot.ts'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { toPosition } from '../../ingest/contract/envelope.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { TABLES } from '../../projections/contract/tables.ts'
import { insertRows } from '../support/api/lists-story.ts'
import { poolVoteRow, seedRows, tallyRow } from '../support/store/read-model-seed.ts'
import type { PoolRow } from '../support/store/stored-rows.ts'
import { useTestStore } from '../support/store/test-store.ts'

const HEIGHT = 100
const VOTERS = MAX_VALIDATORS + 20
const ATTO = 10n ** 18n
const OPEN = 1
const CLOSED = 2
const UNPRICED = 3
const version = toPosition({ height: HEIGHT, index: 1 }).toString()

/** The validator at `rank` has 1,000 + rank from its own vote, and 10 from delegators who voted no. */
const createVotes = (id: number) =>
  Array.from({ length: VOTERS }, (_, rank) => {
    const own = BigInt(1_000 + rank) * ATTO
    const delegators = 10n * ATTO
    return poolVoteRow(id, rank, {
      height: HEIGHT,
      voting_power_atto: `${own}`,
      delegator_power_atto: `${delegators}`,
      yes_atto: `${own}`,
      no_atto: `${delegators}`,
      no_with_veto_atto: '0',
      abstain_atto: '0',
      delegator_yes_atto: '0',
      delegator_no_atto: `${delegators}`,
      delegator_no_with_veto_atto: '0',
      delegator_abstain_atto: '0',
    })
  })

const pool = (name: string, tokens: number, status = 'bonded'): PoolRow => ({
  operator_address: name,
  account_address: `account-${name}`,
  account_key: `account-${name}`,
  moniker: `Pool ${name}`,
  tokens: `${tokens}`,
  delegator_shares: `${tokens}`,
  status,
  jailed: false,
  counted: true,
  version,
})

const seedVotes = async (store: Store): Promise<void> => {
  await seedRows(store, {
    height: HEIGHT,
    poolVotes: [
      ...createVotes(OPEN),
      ...createVotes(CLOSED),
      poolVoteRow(UNPRICED, 0, {
        height: HEIGHT,
        voting_power_atto: null,
        delegator_power_atto: null,
        yes_atto: null,
      }),
    ],
  })
  const pools = [pool('testvaloper1silent', 50_000), pool('testvaloper1gone', 9, 'unbonded')]
  await insertRows(store, TABLES.pools.name, [...pools, pool('testvaloper10', 1_010)])
  const missed = { proposal_id: `${CLOSED}`, round: 1, version }
  await insertRows(store, TABLES.missedVotes.name, [
    { ...missed, operator_address: 'testvaloper1missed', moniker: 'Missed', bonded_tokens: '7000' },
  ])
}

const testStore = useTestStore(seedVotes)

const read = async (id: number, final: boolean) => {
  const snapshot: Snapshot = {
    generation: 1,
    database: toDatabaseName(1),
    chainId: 'test-1',
    height: HEIGHT,
    timeMs: 0,
    tip: HEIGHT,
    limitations: [],
    history: null,
    lagEvents: 0,
    waitingSinceMs: null,
    writtenAtMs: 0,
    changedAt: 0n,
    watermarks: new Map([
      [
        `${id}`,
        {
          position: toPosition({ height: HEIGHT + 1, index: 0 }),
          timeMs: 0,
          final: false,
          awaits: false,
        },
      ],
    ]),
  }
  const tally = TABLES.tallies.decode(tallyRow(id, HEIGHT, { final, pool_rows: VOTERS }))
  const { powerMap } = await readPoolPowers(
    { store: testStore.store, snapshot },
    { proposalId: `${id}`, round: 1, tally },
  )
  return powerMap
}

const sumPower = ({ own, delegators, nonVoting }: SplitPower): bigint =>
  [...Object.values(own), ...Object.values(delegators), nonVoting].reduce(
    (sum, power) => sum + BigInt(power),
    0n,
  )

describe('the voting power by validator', () => {
  it('has the largest validators and all others as one sum, without any loss', async () => {
    const { validators, rest, unknown } = await read(OPEN, false)
    expect([validators.length, rest?.count, unknown]).toEqual([MAX_VALIDATORS, 21, 0])
    expect(validators[0]).toMatchObject({ moniker: 'Pool testvaloper1silent', nonVoting: '50000' })
    expect(validators[1]).toMatchObject({
      operatorAddress: `testvaloper1${VOTERS - 1}`,
      own: { yes: `${1_000 + VOTERS - 1}`, no: '0' },
      delegators: { yes: '0', no: '10' },
      nonVoting: '0',
    })
    const powers = validators.map((each) => sumPower(each))
    expect(powers).toEqual(powers.toSorted((one, other) => Number(other - one)))
    const votes = Array.from({ length: VOTERS }, (_, rank) => BigInt(1_010 + rank))
    const whole = votes.reduce((sum, power) => sum + power, 50_000n)
    const shown = powers.reduce((sum, power) => sum + power, 0n)
    expect(shown + (rest ? sumPower(rest) : 0n)).toBe(whole)
  })

  it('includes, for a closed vote, the non-voting validators of the tally', async () => {
    const { validators, rest } = await read(CLOSED, true)
    expect(validators[0]).toMatchObject({ moniker: 'Missed', nonVoting: '7000' })
    expect(rest?.count).toBe(21)
    expect(validators.some(({ operatorAddress }) => operatorAddress.endsWith('silent'))).toBe(false)
  })

  it('counts validators with unknown power, and excludes them from all sums', async () => {
    const { validators, rest, unknown } = await read(UNPRICED, true)
    expect({ validators, rest, unknown }).toEqual({ validators: [], rest: null, unknown: 1 })
  })
})
