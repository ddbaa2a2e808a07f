// How the bytes of a vote become its pages: parted where the store parted them, and marked where they are too new.
import { describe, expect, it } from 'vitest'
import { readPoolVotes } from '../../../../api/queries/list-votes.ts'
import type { Served } from '../../../../api/served/served.ts'
import type { Store } from '../../../../infra/clickhouse/client.ts'

const served = {
  height: 0,
  database: 'rollcall_1',
  watermarks: new Map([['7', { position: 900n, timeMs: 0, final: false }]]),
} as unknown as Served

const read = async (answer: string) => {
  const asked: Record<string, unknown>[] = []
  const store = {
    selectBytes: async (_sql: string, params: Record<string, unknown>) => {
      asked.push(params)
      return Buffer.from(answer)
    },
  } as unknown as Store
  const range = { proposalId: '7', round: 1, from: 0, to: 4 }
  const { chunks, isSettled } = await readPoolVotes({ store, served }, range, 2)
  return { chunks: chunks.map(String), isSettled, asked }
}

describe('votes out of bytes', () => {
  it('are chunks with commas inside, whether the last one is full or not', async () => {
    expect((await read('{"a":"é"},{}\n{},')).chunks).toEqual(['{"a":"é"},{}', '{}'])
    expect((await read('{},{}\n{},{}\n')).chunks).toEqual(['{},{}', '{},{}'])
    expect((await read('')).chunks).toEqual([])
  })

  it('are unsettled where a row is newer than what may be served, and still JSON', async () => {
    const { chunks, isSettled, asked } = await read('{},{}\t\n{}\t,')
    expect(isSettled).toBe(false)
    expect(chunks.map((chunk) => JSON.parse(`[${chunk}]`))).toEqual([[{}, {}], [{}]])
    expect(asked).toMatchObject([{ settled: '900' }])
    expect((await read('{},{}\n')).isSettled).toBe(true)
  })
})
