// The name of a cluster is put into SQL: nothing but a plain name may get there.
import { describe, expect, it } from 'vitest'
import { clusterProblem } from '../../../../infra/clickhouse/cluster-check.ts'
import {
  CLUSTER_QUERY_SETTINGS,
  clusterSetting,
} from '../../../../infra/clickhouse/cluster-settings.ts'
import { readConfig } from '../../../../infra/runtime/config.ts'

const read = (raw: string) =>
  readConfig({ cluster: clusterSetting }, { CLICKHOUSE_CLUSTER: raw }).cluster

describe('the name of a cluster', () => {
  it('is taken where it is a plain name, and is none where it is not set', () => {
    expect(read('governance_1')).toBe('governance_1')
    expect(read('')).toBeUndefined()
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

  it('one that is not there is told with those that are', () => {
    expect(clusterProblem({ cluster: 'other', members, macros })).toBe(
      'the store knows no cluster other; it knows: gov, wide',
    )
  })

  it('one whose rows would be spread over shards is refused', () => {
    expect(clusterProblem({ cluster: 'wide', members, macros })).toMatch('has 2 shards')
  })

  it('one without the macros of the paths is refused', () => {
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
