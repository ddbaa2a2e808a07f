// Tests of the name of a cluster, which becomes a part of SQL, and whether a cluster is usable.
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { clusterProblem } from '../../../../../infra/base/clickhouse/check-server.ts'
import {
  CLUSTER_QUERY_SETTINGS,
  clusterSetting,
} from '../../../../../infra/base/clickhouse/cluster.ts'
import { readConfig } from '../../../../../infra/base/runtime/config.ts'

it('a cluster that Rollcall can use has one shard, and macros for its replicas', () => {
  const members = [
    { cluster: 'gov', shard: 1 },
    { cluster: 'gov', shard: 1 },
    { cluster: 'wide', shard: 1 },
    { cluster: 'wide', shard: 2 },
  ]
  const macros = ['replica', 'shard', 'installation']
  expect(clusterProblem({ cluster: 'gov', members, macros })).toBeUndefined()
  expect(clusterProblem({ cluster: 'wide', members, macros })).toMatch('has 2 shards')
  expect(clusterProblem({ cluster: 'gov', members, macros: [] })).toMatch('no macro replica')
})

it('a read of any replica sees every acknowledged insert', () => {
  expect(CLUSTER_QUERY_SETTINGS).toMatchObject({
    insert_quorum: 'auto',
    insert_quorum_parallel: 0,
    select_sequential_consistency: '1',
  })
})

it.each(["a' SYNC; DROP DATABASE b; --", '1st', 'a-b', 'a b', '{cluster}', 'x'.repeat(64)])(
  'a name that is no plain one is refused: %s',
  (raw) => {
    const read = () =>
      readConfig(Type.Object({ cluster: clusterSetting }), { CLICKHOUSE_CLUSTER: raw })
    expect(read).toThrow('CLICKHOUSE_CLUSTER')
  },
)
