// Tests of the cluster schema with the parser, settings and tables of the real engine.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refuseUnfitCluster } from '../../infra/base/clickhouse/check-server.ts'
import {
  CLUSTER_QUERY_SETTINGS,
  fillClusterVariables,
} from '../../infra/base/clickhouse/cluster.ts'
import { startTestClickHouse, type TestClickHouse } from '../support/store/clickhouse.ts'
import { readSchemaStatements } from '../support/store/schema-statements.ts'

let clickhouse: TestClickHouse
beforeAll(async () => {
  clickhouse = await startTestClickHouse()
})
afterAll(() => clickhouse.stop())

const format = async (sql: string): Promise<string> => {
  const [row] = await clickhouse.store.select<{ formatted: string }>(
    'SELECT formatQuery({sql:String}) AS formatted',
    { sql },
  )
  return row?.formatted ?? ''
}

describe('the schema of a cluster', () => {
  it('has only statements that ClickHouse can parse, with the cluster name in the right position', async () => {
    for (const statement of await readSchemaStatements()) {
      const formatted = await format(fillClusterVariables(statement, 'gov'))
      expect(formatted).toMatch(/ON CLUSTER gov\b/)
      const withoutCluster = formatted
        .replace(' ON CLUSTER gov', '')
        .replace(/Replicated(\w*MergeTree)\('[^']*', '\{replica\}'(?:, )?(.*)\)/, '$1($2)')
        .replace(/MergeTree\(\)/, 'MergeTree')
      expect(withoutCluster).toBe(await format(fillClusterVariables(statement)))
    }
  })

  it('uses only settings that the engine has', async () => {
    const names = Object.keys(CLUSTER_QUERY_SETTINGS)
    const rows = await clickhouse.store.select<{ name: string }>(
      'SELECT name FROM system.settings WHERE has({names:Array(String)}, name)',
      { names },
    )
    expect(rows.map(({ name }) => name).sort()).toEqual(names.sort())
  })

  it('refuses an unknown cluster before it creates any table', async () => {
    await expect(refuseUnfitCluster(clickhouse.store, 'nowhere')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('the store has no cluster nowhere'),
    })
  })
})
