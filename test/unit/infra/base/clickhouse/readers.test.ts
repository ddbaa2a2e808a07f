// Tests that the document for analysts states the real limits.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { limitSettings, READER_LIMITS } from '../../../../../infra/base/clickhouse/readers.ts'

it('the SQL for administrators has the limits of the embedded ClickHouse', () => {
  const url = new URL('../../../../../projections/ANALYSTS.md', import.meta.url)
  const sql = /^```sql for an administrator\n([\s\S]*?)\n```$/m.exec(readFileSync(url, 'utf8'))?.[1]
  for (const { setting, value, max } of limitSettings(READER_LIMITS)) {
    const range = max === undefined ? 'CONST' : `MIN 1 MAX ${max}`
    expect(sql).toContain(`${setting} = ${value} ${range}`)
  }
  const { queriesPerMinute, queriesPerHour, resultRowsPerHour, executionSecondsPerHour } =
    READER_LIMITS
  expect(sql).toContain(`1 minute MAX queries = ${queriesPerMinute},`)
  expect(sql).toContain(
    `1 hour MAX queries = ${queriesPerHour}, result_rows = ${resultRowsPerHour}, execution_time = ${executionSecondsPerHour}`,
  )
})
