// Tests of the cache of vote rounds: read in batches, and invalidated when a proposal changes.
import { describe, expect, it } from 'vitest'
import { createByteCache } from '../../../../../api/read/byte-cache.ts'
import { createVoteRoundsQuery } from '../../../../../api/read/queries/proposal-rounds.ts'
import { createQueryCache } from '../../../../../api/read/query-cache.ts'
import type { Snapshot } from '../../../../../api/read/snapshot.ts'
import type { Store } from '../../../../../infra/base/clickhouse/client.ts'

const POSITION = 500n

const snapshotWith = (positions: Record<string, bigint>): Snapshot => {
  const marks = Object.entries(positions).map(
    ([id, position]) => [id, { position, timeMs: 0, final: false }] as const,
  )
  return {
    generation: 1,
    height: 0,
    database: 'rollcall_1',
    watermarks: new Map(marks),
  } as unknown as Snapshot
}

/** Every proposal has one round. Its number of rows is the proposal ID. */
const setup = ({ version = POSITION, missing = [] as string[] } = {}) => {
  const queriedIds: string[][] = []
  const select = async (sql: string, params: Record<string, unknown>) => {
    const ids = (params['ids'] as bigint[]).map(String).filter((id) => !missing.includes(id))
    const shared = { round: 1, version: version.toString() }
    if (sql.includes('.tallies')) {
      const numbers = { voting_power_atto: null, stake_height: null }
      return ids.map((id) => ({ ...shared, ...numbers, proposal_id: id, pool_rows: Number(id) }))
    }
    queriedIds.push((params['ids'] as bigint[]).map(String))
    return ids.map((id) => ({ ...shared, proposal_id: id, status: 'voting_period' }))
  }
  const cache = createQueryCache({ select } as unknown as Store, createByteCache(2 ** 20))
  const reader = {
    read: (snapshot: Snapshot, id: string) => cache.read(createVoteRoundsQuery(id), snapshot),
    get: async (snapshot: Snapshot, id: string) =>
      (await cache.read(createVoteRoundsQuery(id), snapshot)).value,
    find: (snapshot: Snapshot, id: string) => cache.find(createVoteRoundsQuery(id), snapshot),
  }
  return { reader, queriedIds }
}

describe('the rounds of votes', () => {
  it('are read for the requested proposal and the existing proposals around it', async () => {
    const { reader, queriedIds } = setup()
    const snapshot = snapshotWith({ 3: POSITION, 19: POSITION, 20: POSITION })
    expect(await reader.get(snapshot, '3')).toMatchObject({
      current: 1,
      rounds: [{ poolRows: 3 }],
    })
    expect(await reader.get(snapshot, '19')).toMatchObject({ rounds: [{ poolRows: 19 }] })
    expect(queriedIds).toEqual([['3', '19']])
    await reader.get(snapshot, '20')
    expect(queriedIds[1]).toEqual(['20'])
  })

  it('are read again for a proposal that changed, and for no other', async () => {
    const { reader, queriedIds } = setup()
    await reader.get(snapshotWith({ 1: POSITION, 2: POSITION }), '1')
    const later = snapshotWith({ 1: POSITION + 1n, 2: POSITION })
    expect(reader.find(later, '1')).toBeUndefined()
    expect(reader.find(later, '2')).toBeDefined()
    await reader.get(later, '1')
    expect(queriedIds).toEqual([['1', '2'], ['1']])
  })

  it('are read once for concurrent requests', async () => {
    const { reader, queriedIds } = setup()
    const snapshot = snapshotWith({ 1: POSITION })
    await Promise.all([reader.get(snapshot, '1'), reader.get(snapshot, '1')])
    expect(queriedIds).toHaveLength(1)
  })

  it('are not cached while rows are still being written', async () => {
    const { reader, queriedIds } = setup({ version: POSITION + 1n })
    const snapshot = snapshotWith({ 1: POSITION })
    await expect(reader.get(snapshot, '1')).rejects.toMatchObject({ kind: 'inFlight' })
    await expect(reader.get(snapshot, '1')).rejects.toMatchObject({ kind: 'inFlight' })
    expect(queriedIds).toHaveLength(2)
  })

  it('are refused for a proposal without rows or outside the tables, without a query', async () => {
    const { reader, queriedIds } = setup({ missing: ['1'] })
    const snapshot = snapshotWith({ 1: POSITION })
    await expect(reader.get(snapshot, '2')).rejects.toMatchObject({ code: 'proposal-not-found' })
    expect(queriedIds).toEqual([])
    await expect(reader.get(snapshot, '1')).rejects.toMatchObject({ code: 'proposal-not-found' })
  })
})
