// Tests of the statements with which a returning replica creates its missing tables.
import { describe, expect, it } from 'vitest'
import { clusterDdl } from '../../../../../infra/base/clickhouse/cluster-ddl.ts'
import { repeatableCreation } from '../../../../../infra/base/clickhouse/repeat-creation.ts'

const PARAMETERS = "'/clickhouse/tables/gov/{shard}/a/t', '{replica}'"

describe('a repeated CREATE statement', () => {
  it.each([
    [
      `CREATE TABLE a.t (\`x\` UInt8) ENGINE = ReplicatedReplacingMergeTree(${PARAMETERS}, version) ORDER BY x`,
      'CREATE TABLE IF NOT EXISTS a.t (`x` UInt8) ENGINE = ReplacingMergeTree(version) ORDER BY x',
    ],
    [
      `CREATE TABLE a.t (\`x\` UInt8) ENGINE = ReplicatedMergeTree(${PARAMETERS}) ORDER BY x`,
      'CREATE TABLE IF NOT EXISTS a.t (`x` UInt8) ENGINE = MergeTree() ORDER BY x',
    ],
    [
      'CREATE MATERIALIZED VIEW a.v TO a.t (`x` UInt8) AS SELECT x FROM a.s',
      'CREATE MATERIALIZED VIEW IF NOT EXISTS a.v TO a.t (`x` UInt8) AS SELECT x FROM a.s',
    ],
  ])('does nothing if the table exists, and has the cluster path: %s', (shown, repeated) => {
    expect(repeatableCreation(shown)).toBe(repeated)
    expect(clusterDdl(repeated, 'gov')).toContain(" ON CLUSTER 'gov'")
  })
})
