// Runs the first lines of the page for analysts with real programs: DuckDB and pandas from PyPI, and ClickHouse.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApiRig } from '../support/api/api-rig.ts'
import { runToEnd } from '../support/process/command.ts'
import { pythonWith } from '../support/process/python.ts'
import { type AnalystRig, startAnalystRig } from '../support/store/analyst-rig.ts'

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const page = readFileSync(toPath('../../projections/ANALYSTS.md'), 'utf8')
const TABLES = ['proposals', 'votes', 'ballots', 'deposits', 'tallies', 'pools']

let rig: AnalystRig
let api: Awaited<ReturnType<typeof createApiRig>>
let url: string
let python: string
beforeAll(async () => {
  python = await pythonWith({
    name: 'analysts',
    requirements: toPath('requirements.txt'),
    includes: [toPath('../../projections/examples/requirements.txt')],
  })
  rig = await startAnalystRig()
  api = await createApiRig(rig.store)
  url = await api.app.listen({ port: 0, host: '127.0.0.1' })
}, 900_000)
afterAll(async () => {
  await api?.close()
  await rig?.stop()
})

/** The lines of a block of the page, with the address of the service under test. */
const readLines = (language: string): string[] => {
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\`$`, 'm').exec(page)?.[1] ?? ''
  return block.replaceAll('https://rollcall.example.org', url).split('\n')
}

it('three lines of DuckDB, of pandas and of ClickHouse work, and so do the views for DuckDB', async () => {
  const blocks = ['sql in DuckDB', 'python with pandas', 'sql in ClickHouse'].map(readLines)
  const [duckdb = [], pandas = [], clickhouse = []] = blocks
  expect(blocks.map(({ length }) => length)).toEqual([3, 3, 3])
  const asked = { url, duckdb, pandas: pandas.join('\n'), tables: TABLES }
  const script = [toPath('read-urls.py'), JSON.stringify(asked)]
  const { stdout, stderr } = await runToEnd(python, script)
  expect(stdout, stderr).not.toBe('')
  const { lines, sums, views, pandas: counted, types } = JSON.parse(stdout)
  for (const rows of [...lines, counted]) expect(rows.length).toBeGreaterThan(3)
  for (const name of TABLES) expect(views[name], name).toBeGreaterThan(10)
  expect(types).toMatchObject({ voting_power: 'DECIMAL(38,18)', time: 'TIMESTAMP WITH TIME ZONE' })
  expect(sums.length).toBeGreaterThan(10)
  for (const [id, title, yes, ballots, power] of sums) {
    const [row] = await rig.analyst.select<{ power: string; ballots: string }>(
      `SELECT toString(sum(voting_power)) AS power, count() AS ballots FROM rollcall.v_ballots
       WHERE proposal_id = ${id} AND round = (SELECT max(round) FROM rollcall.v_proposals WHERE proposal_id = ${id})`,
    )
    const answer = (await api.ask(`/api/proposals/${id}`)).json()
    expect([answer.title, answer.tally.yes], id).toEqual([title, yes])
    expect([row?.power, Number(row?.ballots)], id).toEqual([power.replace(/\.?0+$/, ''), ballots])
  }
  for (const line of clickhouse) {
    expect((await rig.store.select(line.replace(/;$/, ''))).length, line).toBeGreaterThan(0)
  }
})
