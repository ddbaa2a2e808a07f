// Tests of a cluster: its name, which is part of SQL, and whether it is usable.
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { clusterProblem } from '../../../../../infra/base/clickhouse/check-server.ts'
import { clusterSetting } from '../../../../../infra/base/clickhouse/cluster.ts'
import { readConfig } from '../../../../../infra/base/runtime/config.ts'

const read = (raw: string | undefined) =>
  readConfig(Type.Object({ cluster: clusterSetting }), { CLICKHOUSE_CLUSTER: raw }).cluster

describe('the name of a cluster', () => {
  it.each(["a' SYNC; DROP DATABASE b; --", '1st', 'a-b', 'a b', '{cluster}', 'x'.repeat(64)])(
    'is refused: %s',
    (raw) => {
      expect(() => read(raw)).toThrow('CLICKHOUSE_CLUSTER')
    },
  )
})

describe('a cluster that Rollcall can use', () => {
  it('has one shard, and macros for its replicas', () => {
    const members = [
      { cluster: 'gov', shard: 1 },
      { cluster: 'gov', shard: 1 },
      { cluster: 'wide', shard: 1 },
      { cluster: 'wide', shard: 2 },
    ]
    const macros = ['replica', 'shard', 'installation']
    expect(clusterProblem({ cluster: 'gov', members, macros })).toBeUndefined()
    expect(clusterProblem({ cluster: 'wide', members, macros })).toMatch('has 2 shards')
    expect(clusterProblem({ cluster: 'gov', members, macros: ['shard'] })).toMatch(
      'no macro replica',
    )
  })
})
