// Tests of vote records from rows, and of when they can be served.
import { describe, expect, it } from 'vitest'
import { readVotes } from '../../../../../api/read/queries/votes.ts'
import type { Snapshot } from '../../../../../api/read/snapshot.ts'
import type { Store } from '../../../../../infra/base/clickhouse/client.ts'
import { poolVoteRow } from '../../../../support/store/read-model-seed.ts'

const snapshot = {
  height: 0,
  database: 'rollcall_1',
  watermarks: new Map([['7', { position: 900n, timeMs: 0, final: false }]]),
} as unknown as Snapshot

const read = async (...rows: object[]) => {
  const queries: Record<string, unknown>[] = []
  const store = {
    select: async (_sql: string, params: Record<string, unknown>) => {
      queries.push(params)
      return rows.map((row, rank) => ({
        ...poolVoteRow(7, rank, { height: 0 }),
        version: '900',
        ...row,
      }))
    },
  } as unknown as Store
  const range = { proposalId: '7', round: 1, order: 'rank', from: 0, to: 4, total: 4 } as const
  return { records: await readVotes({ store, snapshot }, range), queries }
}

describe('the vote records of a range of ranks', () => {
  it('are not consistent if one row is newer than the watermark of the proposal', async () => {
    await expect(read({}, { version: '901' })).rejects.toMatchObject({ kind: 'inFlight' })
    expect((await read({}, {})).records).toHaveLength(2)
  })

  it('have null for every unknown value', async () => {
    const { records } = await read({
      voted: false,
      voting_power_atto: null,
      delegator_power_atto: null,
      yes_atto: null,
    })
    expect(records[0]).toMatchObject({
      rank: 0,
      vote: null,
      votingPower: null,
      delegators: null,
      tally: null,
    })
  })

  it('need no query if the range is empty', async () => {
    const queries: unknown[] = []
    const store = { select: async () => queries.push('asked') } as unknown as Store
    const range = {
      proposalId: '7',
      round: 1,
      order: 'rank',
      from: 200,
      to: 200,
      total: 200,
    } as const
    expect(await readVotes({ store, snapshot }, range)).toEqual([])
    expect(queries).toEqual([])
  })
})
