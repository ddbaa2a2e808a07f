// Tests of the recorded real chain from node to tables: every tally matches, and its rows add up to it.
import { describe, expect, it } from 'vitest'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { projectDemoChain } from '../support/api/demo-store.ts'
import type { TallyRow } from '../support/store/stored-rows.ts'
import { useTestStore } from '../support/store/test-store.ts'

const ATTO = 10n ** 18n

const testStore = useTestStore((store) => projectDemoChain(store))

const select = <Row>(sql: string): Promise<Row[]> =>
  testStore.store.select<Row>(sql.replaceAll('{db}', toDatabaseName(1)))

const talliedRounds = () =>
  select<TallyRow & { status: string; last_round: number }>(
    `SELECT t.*, p.status AS status, p.round AS last_round
     FROM (SELECT * FROM {db}.tallies FINAL) AS t
     JOIN (SELECT * FROM {db}.proposals FINAL) AS p USING (proposal_id)
     WHERE t.final AND (p.status != 'canceled' OR t.round < p.round)
     ORDER BY proposal_id, t.round`,
  )

describe('the tallies of the recorded chain', () => {
  it('all equal the tallies of the chain, round by round', {
    tags: 'projections:tally-matches-chain',
  }, async () => {
    const rounds = await talliedRounds()
    expect(rounds.length).toBeGreaterThanOrEqual(12)
    const others = rounds.filter((round) => round.matches_chain !== 'yes')
    expect(
      others.map((round) => [round.proposal_id, round.round, round.matches_chain_reason]),
    ).toEqual([])
  })

  it('are the sums of their pools, truncated once per option', {
    tags: 'api:powers-are-exact',
  }, async () => {
    const rounds = await talliedRounds()
    const sums = await select<
      Record<'proposal_id' | 'yes' | 'abstain' | 'no' | 'veto', string> & { round: number }
    >(
      `SELECT proposal_id, round, sum(yes_atto) AS yes, sum(abstain_atto) AS abstain,
         sum(no_atto) AS no, sum(no_with_veto_atto) AS veto
       FROM {db}.pool_votes FINAL GROUP BY proposal_id, round`,
    )
    const roundsWithPools = rounds.filter(({ pool_rows: rows }) => rows > 0)
    expect(roundsWithPools.length).toBeGreaterThan(10)
    for (const round of roundsWithPools) {
      const sum = sums.find(
        (each) => each.proposal_id === round.proposal_id && each.round === round.round,
      )
      const cut = (atto: string | undefined) => (BigInt(atto ?? -1) / ATTO).toString()
      expect([cut(sum?.yes), cut(sum?.abstain), cut(sum?.no), cut(sum?.veto)]).toEqual([
        round.chain_yes,
        round.chain_abstain,
        round.chain_no,
        round.chain_no_with_veto,
      ])
    }
  })

  it('give each ballot the power that the pools of the tally gave it', async () => {
    const rows = await select<{ ballots: string; pools: string }>(
      `SELECT b.power AS ballots, p.power AS pools
       FROM (
         SELECT proposal_id, round, d.1 AS pool, sum(d.3) AS power
         FROM {db}.ballots FINAL ARRAY JOIN delegations AS d
         WHERE counted AND voting_power_atto IS NOT NULL
           AND (voter, d.1) NOT IN (SELECT account_address, operator_address FROM {db}.pools FINAL)
         GROUP BY proposal_id, round, pool
       ) AS b
       JOIN (
         SELECT proposal_id, round, operator_address AS pool, delegator_power_atto AS power
         FROM {db}.pool_votes FINAL
       ) AS p USING (proposal_id, round, pool)`,
    )
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter(({ ballots, pools }) => ballots !== pools)).toEqual([])
  })
})

describe('the tables of materialized views', () => {
  it.each([
    ['votes_by_pool', 'pool_votes'],
    ['ballots_by_voter', 'ballots'],
  ])('include %s with exactly the rows of %s', async (copy, original) => {
    const order = 'proposal_id, round, rank'
    const rows = await select(`SELECT * FROM {db}.${copy} FINAL ORDER BY ${order}`)
    expect(rows.length).toBeGreaterThan(50)
    expect(rows).toEqual(await select(`SELECT * FROM {db}.${original} FINAL ORDER BY ${order}`))
  })
})
