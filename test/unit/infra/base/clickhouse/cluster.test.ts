// Tests of a cluster: its name, which is part of SQL, the variables of its statements, and whether it is usable.
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { clusterProblem } from '../../../../../infra/base/clickhouse/check-server.ts'
import {
  CLUSTER_QUERY_SETTINGS,
  clusterSetting,
  fillClusterVariables,
} from '../../../../../infra/base/clickhouse/cluster.ts'
import { readConfig } from '../../../../../infra/base/runtime/config.ts'

const read = (raw: string | undefined) =>
  readConfig(Type.Object({ cluster: clusterSetting }), { CLICKHOUSE_CLUSTER: raw }).cluster

describe('the name of a cluster', () => {
  it('is accepted if it is a plain name, and is undefined if it is not set', () => {
    expect(read('governance_1')).toBe('governance_1')
    expect(read(undefined)).toBeUndefined()
  })

  it.each(["a' SYNC; DROP DATABASE b; --", '1st', 'a-b', 'a b', '{cluster}', 'x'.repeat(64)])(
    'is refused: %s',
    (raw) => {
      expect(() => read(raw)).toThrow('CLICKHOUSE_CLUSTER')
    },
  )
})

describe('a cluster that Rollcall can use', () => {
  const members = [
    { cluster: 'gov', shard: 1 },
    { cluster: 'gov', shard: 1 },
    { cluster: 'wide', shard: 1 },
    { cluster: 'wide', shard: 2 },
  ]
  const macros = ['replica', 'shard', 'installation']

  it('has one shard, and macros for its replicas', () => {
    expect(clusterProblem({ cluster: 'gov', members, macros })).toBeUndefined()
  })

  it('an unknown one is reported with the existing ones', () => {
    expect(clusterProblem({ cluster: 'other', members, macros })).toBe(
      'the store has no cluster other; its clusters: gov, wide',
    )
  })

  it('a cluster that distributes rows over shards is refused', () => {
    expect(clusterProblem({ cluster: 'wide', members, macros })).toMatch('has 2 shards')
  })

  it('a cluster without the macros of the paths is refused', () => {
    expect(clusterProblem({ cluster: 'gov', members, macros: ['shard'] })).toMatch(
      'no macro replica',
    )
  })

  it('a read sees every acknowledged insert only if inserts are not parallel', () => {
    const { insert_quorum_parallel: parallel, select_sequential_consistency: consistent } =
      CLUSTER_QUERY_SETTINGS
    expect([parallel, consistent]).toEqual([0, '1'])
  })
})

const PATH = "'/clickhouse/tables/gov/{shard}/{database}/{table}', '{replica}'"

describe('the variables of a statement', () => {
  it.each([
    [
      'CREATE TABLE a.b{on_cluster} (x UInt8) ENGINE = {engine} ORDER BY x',
      'CREATE TABLE a.b (x UInt8) ENGINE = ReplacingMergeTree ORDER BY x',
      `CREATE TABLE a.b ON CLUSTER 'gov' (x UInt8) ENGINE = ReplicatedReplacingMergeTree(${PATH}) ORDER BY x`,
    ],
    [
      'CREATE TABLE a.b{on_cluster} AS a.c ENGINE = {engine}(x) ORDER BY x',
      'CREATE TABLE a.b AS a.c ENGINE = ReplacingMergeTree(x) ORDER BY x',
      `CREATE TABLE a.b ON CLUSTER 'gov' AS a.c ENGINE = ReplicatedReplacingMergeTree(${PATH}, x) ORDER BY x`,
    ],
    [
      'DROP DATABASE a{on_cluster} SYNC',
      'DROP DATABASE a SYNC',
      "DROP DATABASE a ON CLUSTER 'gov' SYNC",
    ],
    ['OPTIMIZE TABLE a.b', 'OPTIMIZE TABLE a.b', 'OPTIMIZE TABLE a.b'],
  ])('are filled for one server and for a cluster: %s', (sql, single, replicated) => {
    expect(fillClusterVariables(sql)).toBe(single)
    expect(fillClusterVariables(sql, 'gov')).toBe(replicated)
  })
})
