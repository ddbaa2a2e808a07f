// Tests of the analyst documentation: its queries run on the demo chain, and analysts have limited access.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createStore } from '../../infra/base/clickhouse/client.ts'
import { createTables, pointViews } from '../../projections/read-model/prepare.ts'
import { readGovernanceQueries } from '../support/source/deploy-files.ts'
import { type AnalystRig, startAnalystRig } from '../support/store/analyst-rig.ts'

const page = readFileSync(new URL('../../projections/ANALYSTS.md', import.meta.url), 'utf8')

const QUESTION =
  /^## ([^\n]+)\n(?:(?!^## )[\s\S])*?^```sql\n([\s\S]*?)\n```\nColumns: ([^\n]+(?:\n[^\n]+)*)$/gm

const questions = [...page.matchAll(QUESTION)].map(([, question = '', sql = '', columns = '']) => ({
  question,
  sql,
  columns: [...columns.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
}))

const forAdministrators = (/^```sql for an administrator\n([\s\S]*?)\n```$/m.exec(page)?.[1] ?? '')
  .split(/;\s*/)
  .filter((statement) => statement !== '')

let rig: AnalystRig
beforeAll(async () => {
  rig = await startAnalystRig()
})
afterAll(() => rig?.stop())

const refused = { code: 'STORE_REFUSED' }

/** Each column of a question's answer has a value in some row. */
const expectKnownColumns = (rows: readonly Record<string, unknown>[], columns: string[]): void => {
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) expect(Object.keys(row)).toEqual(columns)
  const unknown = columns.filter((column) => rows.every((row) => row[column] === null))
  expect(unknown).toEqual([])
}

describe('the documentation for analysts', () => {
  it.each(questions)('has a working query: $question', async ({ sql, columns }) => {
    expectKnownColumns(await rig.analyst.select(sql), columns)
  })

  it('has at least ten questions, no other query, and SQL for administrators that ClickHouse can parse', async () => {
    expect(questions.length).toBeGreaterThanOrEqual(10)
    expect(page.match(/^```sql$/gm)).toHaveLength(questions.length)
    expect(forAdministrators).toHaveLength(4)
    for (const statement of forAdministrators) {
      // The embedded engine has its users in its configuration: it refuses to store this one.
      await expect(rig.store.command(statement), statement).rejects.toMatchObject({
        message: expect.stringMatching(/no writeable access storage|no user `analyst`|read.?only/i),
      })
    }
  })
})

it.each(readGovernanceQueries())(
  'the dashboard of governance has data in the panel "$title"',
  async ({ sql }) => {
    const settings = { max_execution_time: 60 }
    const rows = await rig.analyst.select<Record<string, unknown>>(sql, {}, { settings })
    expectKnownColumns(rows, Object.keys(rows[0] ?? {}))
  },
)

describe('the views', () => {
  it('have a comment on each view and each column', async () => {
    const views = await rig.store.select<{ name: string; comment: string }>(
      "SELECT name, comment FROM system.tables WHERE database = 'rollcall' AND startsWith(name, 'v_')",
    )
    expect(views.length).toBeGreaterThanOrEqual(10)
    const columns = await rig.store.select<{ name: string; comment: string }>(
      "SELECT concat(table, '.', name) AS name, comment FROM system.columns WHERE database = 'rollcall' AND startsWith(table, 'v_')",
    )
    expect(columns.length).toBeGreaterThan(100)
    expect([...views, ...columns].filter(({ comment }) => comment.length < 5)).toEqual([])
  })

  it.each([
    ['v_proposals', 'proposals', 'proposal_id'],
    ['v_proposal_messages', 'proposals', 'proposal_id, message'],
    ['v_tallies', 'tallies', 'proposal_id, round'],
    ['v_pool_votes', 'pool_votes', 'proposal_id, round, operator_address'],
    ['v_ballots', 'ballots', 'proposal_id, round, voter'],
    ['v_overrides', 'ballots', 'proposal_id, round, delegator, operator_address'],
    ['v_deposits', 'events', 'position, denom'],
    ['v_pools', 'pools', 'operator_address'],
    ['v_pool_states', 'pool_states', 'operator_address, position'],
    ['v_events', 'events', 'proposal_id, position'],
  ])(
    '%s has one row per key, although the same rows were written twice',
    async (view, table, key) => {
      await rig.store.command(`INSERT INTO rollcall_1.${table} SELECT * FROM rollcall_1.${table}`)
      const [row] = await rig.analyst.select<{ rows: string; keys: string; stored: string }>(
        `SELECT count() AS rows, uniqExact(${key}) AS keys FROM rollcall.${view}`,
      )
      expect(Number(row?.rows)).toBeGreaterThan(0)
      expect(row?.rows).toBe(row?.keys)
    },
  )

  it('have powers of delegators that add up exactly to v_pool_votes', async () => {
    const rows = await rig.analyst.select<{ apart: number; power: number }>(
      `SELECT abs(toFloat64(d.power) - toFloat64(v.delegator_power)) AS apart, toFloat64(v.delegator_power) AS power
       FROM (
         SELECT proposal_id, round, operator_address, sum(power) AS power FROM rollcall.v_delegator_votes
         WHERE NOT is_operator GROUP BY proposal_id, round, operator_address
       ) AS d
       INNER JOIN rollcall.v_pool_votes AS v
         ON d.proposal_id = v.proposal_id AND d.round = v.round AND d.operator_address = v.operator_address
       INNER JOIN rollcall.v_proposals AS p ON p.proposal_id = v.proposal_id
       WHERE p.status IN ('passed', 'rejected', 'failed')`,
    )
    expect(rows.length).toBeGreaterThan(100)
    expect(rows.filter(({ apart, power }) => apart > 1 + power / 1e9)).toEqual([])
  })

  it('have deposits that add up to the total on the chain for each proposal', async () => {
    const rows = await rig.analyst.select<{ deposited: string[]; total: string[] }>(
      `SELECT d.deposited AS deposited, arrayMap(coin -> concat(coin.amount, coin.denom), p.total_deposit) AS total
       FROM (
         SELECT proposal_id, groupArray(concat(toString(sum), denom)) AS deposited
         FROM (SELECT proposal_id, denom, sum(amount) AS sum FROM rollcall.v_deposits GROUP BY proposal_id, denom)
         GROUP BY proposal_id
       ) AS d
       INNER JOIN rollcall.v_proposals AS p ON p.proposal_id = d.proposal_id`,
    )
    expect(rows.length).toBeGreaterThan(15)
    for (const { deposited, total } of rows) expect(deposited).toEqual(total)
  })

  it('subtract the overridden power from the vote of the pool, to the last digit', async () => {
    const rows = await rig.analyst.select<{ lost: string; expected: string }>(
      `SELECT toString(o.lost) AS lost, toString(v.delegator_power) AS expected
       FROM (
         SELECT proposal_id, round, operator_address, sum(power) AS lost
         FROM rollcall.v_overrides GROUP BY proposal_id, round, operator_address
       ) AS o
       INNER JOIN rollcall.v_pool_votes AS v
         ON v.proposal_id = o.proposal_id AND v.round = o.round AND v.operator_address = o.operator_address
       INNER JOIN rollcall.v_tallies AS t ON t.proposal_id = v.proposal_id AND t.round = v.round
       WHERE t.matches_chain = 'yes'`,
    )
    expect(rows.length).toBeGreaterThan(50)
    for (const { lost, expected } of rows) expect(lost).toBe(expected)
  })

  it('have amounts in types of file formats; one with too many digits fails, and is a text in a deposit', async () => {
    const types = await rig.store.select(
      `SELECT table, name FROM system.columns
       WHERE database = 'rollcall' AND startsWith(table, 'v_') AND match(type, 'U?Int(128|256)')`,
    )
    expect(types).toEqual([])
    const insert = (tokens: string) =>
      rig.store.command(
        `INSERT INTO rollcall_1.pools (operator_address, tokens, version) VALUES ('too rich', ${tokens}, 1)`,
      )
    const tokens = "SELECT toString(tokens) AS tokens FROM rollcall.v_pools WHERE status = ''"
    await insert(`'${'9'.repeat(76)}'`)
    expect(await rig.analyst.select(tokens)).toEqual([{ tokens: '9'.repeat(76) }])
    await rig.store.command('TRUNCATE TABLE rollcall_1.pools')
    await insert(`'${2n ** 256n - 1n}'`)
    await expect(rig.analyst.select(tokens)).rejects.toThrow(/Too many digits/)
    await rig.store.command('TRUNCATE TABLE rollcall_1.pools')
    const amount = `${2n ** 256n - 1n}`
    const event = JSON.stringify({ data: { amount: [{ denom: 'ufoo', amount }] } })
    await rig.store.insert('rollcall_1.events', [
      { position: '1', proposal_id: '1', type: 'rollcall.proposal.deposited.v1', event },
    ])
    const deposits = "SELECT amount, amount_text FROM rollcall.v_deposits WHERE denom = 'ufoo'"
    expect(await rig.analyst.select(deposits)).toEqual([{ amount: null, amount_text: amount }])
  })

  it('are redirected to another generation', async () => {
    await createTables(rig.store, { control: 'rollcall', generation: 2 })
    await pointViews(rig.store, { control: 'rollcall', generation: 2 })
    expect(await rig.analyst.select('SELECT * FROM rollcall.v_proposals')).toEqual([])
    await pointViews(rig.store, { control: 'rollcall', generation: 1 })
    expect((await rig.analyst.select('SELECT * FROM rollcall.v_proposals')).length).toBeGreaterThan(
      10,
    )
  })
})

describe('an analyst', () => {
  it.each([
    'DROP VIEW rollcall.v_pools',
    'DROP DATABASE rollcall_1',
    'CREATE VIEW rollcall.v_mine AS SELECT 1',
    'CREATE TABLE rollcall.v_mine (a UInt8) ENGINE = Memory',
    'CREATE TEMPORARY TABLE mine (a UInt8)',
    'INSERT INTO rollcall_1.pools (operator_address) VALUES (1)',
    'TRUNCATE TABLE rollcall_1.pools',
    'ALTER TABLE rollcall_1.pools DELETE WHERE 1',
    'SELECT * FROM rollcall_1.pools',
    'SELECT * FROM rollcall.generations',
    'SELECT * FROM system.users',
    'SELECT * FROM system.processes',
    'SELECT * FROM system.server_settings',
    'KILL QUERY WHERE 1',
    'SYSTEM RELOAD CONFIG',
    "SELECT * FROM url('http://127.0.0.1/', 'LineAsString', 'line String')",
    "SELECT * FROM remote('127.0.0.1', rollcall_1.pools)",
    "SELECT * FROM file('/etc/passwd', 'LineAsString', 'line String')",
    'SELECT * FROM `/etc/passwd`',
  ])('cannot run: %s', { tags: 'projections:analysts-read-views' }, async (sql) => {
    await expect(rig.analyst.command(sql)).rejects.toMatchObject(refused)
  })

  it('sees only the views', { tags: 'projections:analysts-read-views' }, async () => {
    const rows = await rig.analyst.select<{ database: string; name: string }>(
      "SELECT database, name FROM system.tables WHERE database NOT IN ('system', 'INFORMATION_SCHEMA', 'information_schema')",
    )
    expect(rows.length).toBeGreaterThanOrEqual(10)
    expect(rows.filter((row) => row.database !== 'rollcall' || !row.name.startsWith('v_'))).toEqual(
      [],
    )
  })

  it.each([
    { readonly: 0 },
    { max_execution_time: 0 },
    { max_execution_time: 61 },
    { max_memory_usage: 0 },
    { max_memory_usage_for_user: 0 },
    { max_result_rows: 0 },
    { max_threads: 64 },
    { max_concurrent_queries_for_user: 0 },
  ])('cannot raise a limit: %o', { tags: 'projections:analysts-read-views' }, async (settings) => {
    await expect(rig.analyst.select('SELECT 1', {}, { settings })).rejects.toMatchObject(refused)
  })

  it('can ask for the time that Grafana asks for with every query, and lower a limit', async () => {
    const sql = "SELECT toString(getSetting('max_execution_time')) AS seconds"
    for (const seconds of [60, 5]) {
      const settings = { max_execution_time: seconds }
      const rows = await rig.analyst.select(sql, {}, { settings })
      expect(rows).toEqual([{ seconds: `${seconds}` }])
    }
    expect(await rig.analyst.select(sql)).toEqual([{ seconds: '30' }])
  })

  it('is limited in rows, memory and time, and then by a quota', {
    tags: 'projections:analysts-read-views',
  }, async () => {
    const { hasty } = rig
    await expect(hasty.select('SELECT * FROM rollcall.v_ballots')).rejects.toThrow(/max rows/)
    await expect(
      hasty.select('SELECT length(groupArray(number)) FROM numbers(100000000)'),
    ).rejects.toThrow(/memory limit/i)
    await expect(
      hasty.select('SELECT sum(sipHash64(number)) FROM numbers(1000000000000)'),
    ).rejects.toThrow(/timeout|elapsed/i)
    const few = async () => {
      for (let count = 0; count < 8; count++)
        await hasty.select('SELECT height FROM rollcall.v_checkpoint')
    }
    await expect(few()).rejects.toThrow(/quota/i)
  })

  // The function `file` needs no grant, so the embedded engine replaces it.
  it.runIf(process.platform === 'linux')(
    'cannot read a file with the function `file`',
    async () => {
      const file = join(rig.directory, 'secret.txt')
      writeFileSync(file, 'a secret')
      const anonymous = createStore({ url: rig.url, username: 'default', password: '' })
      for (const path of [file, `/proc/self/root${file}`, `/proc/${process.pid}/environ`]) {
        for (const user of [rig.analyst, anonymous]) {
          await expect(user.select(`SELECT file('${path}')`), path).rejects.toMatchObject(refused)
        }
      }
      await anonymous.close()
    },
  )
})
