// Tests whether a cluster is usable.
import { expect, it } from 'vitest'
import { clusterProblem } from '../../../../../infra/base/clickhouse/check-server.ts'

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
