// Runs the notebook for analysts on the files that ClickHouse writes, with common data packages.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runToEnd } from '../support/process/command.ts'
import { pythonWith } from '../support/process/python.ts'
import { type AnalystRig, startAnalystRig } from '../support/store/analyst-rig.ts'

const toPath = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const EXAMPLES = '../../projections/examples'
const NOTEBOOK = toPath(`${EXAMPLES}/governance.ipynb`)
const PASSWORD = 'read only'

type Output = {
  output_type: string
  data?: Readonly<Record<string, string | string[]>>
}
type Cell = {
  id: string
  cell_type: 'markdown' | 'code'
  source: string[]
  execution_count?: number | null
  outputs?: Output[]
}
const readCells = (path: string): Cell[] => JSON.parse(readFileSync(path, 'utf8')).cells
const hasOutput = (cell: Cell | undefined, type: string): boolean =>
  (cell?.outputs ?? []).some(({ data }) => data?.[type] !== undefined)

let rig: AnalystRig
let python: string
beforeAll(async () => {
  python = await pythonWith({
    name: 'analysts',
    requirements: toPath('requirements.txt'),
    includes: [toPath(`${EXAMPLES}/requirements.txt`)],
  })
  rig = await startAnalystRig()
}, 900_000)
afterAll(() => rig?.stop())

describe('the notebook for analysts', () => {
  it('is kept without outputs', () => {
    const code = readCells(NOTEBOOK).filter(({ cell_type: type }) => type === 'code')
    expect(code.map(({ outputs, execution_count: count }) => [outputs, count])).toEqual(
      code.map(() => [[], null]),
    )
  })

  it('answers ten questions and draws three charts on the demo chain', async () => {
    const target = join(rig.directory, 'governance.ipynb')
    const { code, stderr } = await runToEnd(python, [toPath('run-notebook.py'), NOTEBOOK, target], {
      deadlineMs: 240_000,
      env: { ...process.env, ROLLCALL_CLICKHOUSE: rig.url, ANALYST_PASSWORD: PASSWORD },
    })
    expect(code, stderr).toBe(0)
    const cells = readCells(target)
    const cellsAfter = (title: RegExp) =>
      cells.flatMap(({ source }, n) => (title.test(source.join('')) ? [cells[n + 1]] : []))
    const questions = cellsAfter(/^## \d+\. /)
    expect(questions).toHaveLength(10)
    for (const cell of questions) {
      const [shown] = cell?.outputs ?? []
      const text = [shown?.data?.['text/plain'] ?? ''].flat().join('')
      expect(text, cell?.id).not.toMatch(/^(?:$|Empty DataFrame)/)
      expect(hasOutput(cell, 'text/html'), cell?.id).toBe(true)
    }
    const charts = cellsAfter(/^## Chart \d/)
    expect(charts.map((cell) => hasOutput(cell, 'image/png'))).toEqual([true, true, true])
  })
})

describe('the files of the views', () => {
  const exportFile = async (name: string, sql: string): Promise<string> => {
    const path = join(rig.directory, `${name}.parquet`)
    const answer = await fetch(new URL('/?database=rollcall', rig.url), {
      method: 'POST',
      headers: { 'X-ClickHouse-User': 'analyst', 'X-ClickHouse-Key': PASSWORD },
      body: `${sql} FORMAT Parquet`,
    })
    if (!answer.ok) throw new Error(await answer.text())
    writeFileSync(path, Buffer.from(await answer.arrayBuffer()))
    return path
  }
  it('have no column of a view in a type that Parquet writes as bytes', async () => {
    const views = await rig.analyst.select<{ name: string }>(
      "SELECT name FROM system.tables WHERE database = 'rollcall' AND startsWith(name, 'v_')",
    )
    expect(views.length).toBeGreaterThanOrEqual(17)
    const bytes: string[] = []
    for (const { name } of views) {
      const path = await exportFile(name, `SELECT * FROM ${name} LIMIT 1`)
      const script = `import pyarrow.parquet as p; print([f.name for f in p.read_schema('${path}') if 'binary' in str(f.type)])`
      const { stdout, stderr } = await runToEnd(python, ['-c', script])
      expect(stderr).toBe('')
      if (stdout.trim() !== '[]') bytes.push(`${name} ${stdout.trim()}`)
    }
    expect(bytes).toEqual([])
  })
})
