// Tests of the migrations on a cluster: which statements are rewritten, kept or refused.
import { describe, expect, it } from 'vitest'
import { clusterDdl } from '../../../../../infra/base/clickhouse/cluster-ddl.ts'
import {
  countStatementStarts,
  readSchemaStatements,
} from '../../../../support/store/schema-statements.ts'

const rewrite = (sql: string) => clusterDdl(sql, 'gov')
const PARAMETERS = "'/clickhouse/tables/gov/{shard}/{database}/{table}', '{replica}'"

describe('DDL for a cluster', () => {
  it('every statement of the schema runs on every replica, and every table is replicated', async () => {
    const statements = await readSchemaStatements()
    // Two databases and the table of migrations, which have no migration file.
    expect(statements).toHaveLength(countStatementStarts() + 3)
    for (const statement of statements) {
      const rewritten = rewrite(statement)
      expect(rewritten.match(/ ON CLUSTER 'gov'/g), statement).toHaveLength(1)
      const plain = statement.match(/ENGINE = \w*MergeTree/g)?.length ?? 0
      expect(rewritten.split(PARAMETERS)).toHaveLength(plain + 1)
      expect(rewritten).not.toMatch(/ENGINE = (?:Replacing)?MergeTree/)
      const backAgain = rewritten
        .replace(" ON CLUSTER 'gov'", '')
        .replace(`Replicated`, '')
        .replace(`(${PARAMETERS}, `, '(')
        .replace(`(${PARAMETERS})`, '')
      expect(backAgain).toBe(statement)
    }
  })

  it.each([
    [
      'CREATE DATABASE IF NOT EXISTS rollcall_1 ENGINE = Atomic',
      "CREATE DATABASE IF NOT EXISTS rollcall_1 ON CLUSTER 'gov' ENGINE = Atomic",
    ],
    [
      'CREATE TABLE a.b (x UInt8) ENGINE = MergeTree ORDER BY x',
      `CREATE TABLE a.b ON CLUSTER 'gov' (x UInt8) ENGINE = ReplicatedMergeTree(${PARAMETERS}) ORDER BY x`,
    ],
    [
      'CREATE TABLE a.b (x UInt8) ENGINE = ReplacingMergeTree(x) ORDER BY x',
      `CREATE TABLE a.b ON CLUSTER 'gov' (x UInt8) ENGINE = ReplicatedReplacingMergeTree(${PARAMETERS}, x) ORDER BY x`,
    ],
    [
      'CREATE TABLE a.b (x UInt8) ENGINE = MergeTree() ORDER BY x',
      `CREATE TABLE a.b ON CLUSTER 'gov' (x UInt8) ENGINE = ReplicatedMergeTree(${PARAMETERS}) ORDER BY x`,
    ],
    [
      'CREATE TABLE a.b AS a.c ENGINE = MergeTree ORDER BY x',
      `CREATE TABLE a.b ON CLUSTER 'gov' AS a.c ENGINE = ReplicatedMergeTree(${PARAMETERS}) ORDER BY x`,
    ],
    [
      'CREATE MATERIALIZED VIEW IF NOT EXISTS a.v TO a.b AS SELECT 1',
      "CREATE MATERIALIZED VIEW IF NOT EXISTS a.v ON CLUSTER 'gov' TO a.b AS SELECT 1",
    ],
    [
      '-- Why.\nALTER TABLE a.b\n    ADD COLUMN IF NOT EXISTS c String',
      "-- Why.\nALTER TABLE a.b ON CLUSTER 'gov'\n    ADD COLUMN IF NOT EXISTS c String",
    ],
    ['DROP VIEW IF EXISTS a.v', "DROP VIEW IF EXISTS a.v ON CLUSTER 'gov' SYNC"],
    ['DROP DATABASE a SYNC', "DROP DATABASE a ON CLUSTER 'gov' SYNC"],
    ['TRUNCATE TABLE a.b', "TRUNCATE TABLE a.b ON CLUSTER 'gov'"],
  ])('%s', (sql, expected) => {
    expect(rewrite(sql)).toBe(expected)
  })

  it('words in comments and strings are not changed', () => {
    const sql = "-- ENGINE = MergeTree\nCREATE TABLE a.b (x UInt8 COMMENT 'ENGINE = MergeTree')"
    expect(rewrite(`${sql} ENGINE = Memory`)).toBe(
      `${sql.replace('a.b', "a.b ON CLUSTER 'gov'")} ENGINE = Memory`,
    )
  })

  it.each([
    'SELECT 1',
    'INSERT INTO a.b SELECT * FROM a.c',
    'SYSTEM FLUSH LOGS',
    'OPTIMIZE TABLE a.b',
  ])('a statement that does not change the schema is not rewritten: %s', (sql) => {
    expect(rewrite(sql)).toBe(sql)
  })

  it.each([
    'CREATE FUNCTION f AS x -> x',
    'RENAME TABLE a.b TO a.c',
    'EXCHANGE TABLES a.b AND a.c',
    'CREATE TABLE `a`.`b` (x UInt8) ENGINE = MergeTree ORDER BY x',
    'DETACH TABLE a.b',
  ])('a statement that would run on one replica only is refused: %s', (sql) => {
    expect(() => rewrite(sql)).toThrow(RangeError)
  })

  it('a table that is already replicated is refused', () => {
    const sql = "CREATE TABLE a.b (x UInt8) ENGINE = ReplicatedMergeTree('/p', 'r') ORDER BY x"
    expect(() => rewrite(sql)).toThrow('ReplicatedMergeTree is replicated already')
  })
})
