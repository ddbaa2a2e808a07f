// Tests of CLICKHOUSE_URL: one server, or every replica of a cluster.
import { describe, expect, it } from 'vitest'
import { readStoreAccess } from '../../../../../infra/base/clickhouse/settings.ts'

const BOTH = 'http://one:8123,https://two:8443'

describe('CLICKHOUSE_URL', () => {
  it('names one server', () => {
    expect(readStoreAccess({ CLICKHOUSE_URL: 'http://one:8123' })?.url).toBe('http://one:8123')
  })

  it('names every replica of a cluster, with or without spaces', () => {
    const env = { CLICKHOUSE_URL: BOTH.replace(',', ' , '), CLICKHOUSE_CLUSTER: 'gov' }
    expect(readStoreAccess(env)).toMatchObject({ url: BOTH, cluster: 'gov' })
  })

  it('with several servers needs CLICKHOUSE_CLUSTER, because servers that are not replicas have different rows', () => {
    expect(() => readStoreAccess({ CLICKHOUSE_URL: BOTH })).toThrow('set CLICKHOUSE_CLUSTER')
  })

  it.each([`${BOTH},`, 'http://one:8123,ftp://two', 'http://one,http://user:secret@two'])(
    'is refused if one of several is not an HTTP URL without credentials: %s',
    (url) => {
      const env = { CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: 'gov' }
      expect(() => readStoreAccess(env)).toThrow('CLICKHOUSE_URL')
    },
  )
})
