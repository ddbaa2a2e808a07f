// The contract of the store that the projections write and every reader asks: on one ClickHouse, on replicas, and for its tables
// in memory.
import { beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { ORDINAL, toIndex, toPosition } from '../../ingest/contract/envelope.ts'
import { readCheckpoint } from '../../projections/contract/checkpoints.ts'
import { toDatabaseName } from '../../projections/contract/database.ts'
import { readGenerations } from '../../projections/contract/generations.ts'
import { checkpoints } from '../../projections/contract/tables/positions.ts'
import { ensureActiveGeneration, writeStates } from '../../projections/generations.ts'
import { checkpointRow, readClosedProposals } from '../../projections/runner/checkpoint.ts'
import { tallyRow } from '../support/store/read-model-seed.ts'
import type { TallyRow } from '../support/store/stored-rows.ts'

/** A store whose control database `control` and generation 1 are migrated and empty. */
export type StoreRig = {
  store: Store
  control: string
  /** The rows of a table of generation 1 as readers see them. */
  final(table: string): Promise<readonly object[]>
}

const HEIGHT = 70
const positionAt = (height: number, ordinal: number): string =>
  toPosition({ height, index: toIndex(ordinal, 0) }).toString()

/** What the projections and the API rely on, through the functions that they call. */
export const describeTables = (name: string, createRig: () => Promise<StoreRig>): void => {
  describe(`${name} keeps the contract of the tables`, () => {
    let rig: StoreRig
    let database: string
    beforeAll(async () => {
      rig = await createRig()
      database = toDatabaseName(1, rig.control)
    })

    it('activates the first generation once, and shows the latest state of each', async () => {
      const { store, control } = rig
      expect(await readGenerations(store, control)).toEqual([])
      const list = (nowMs: number) => ({ store, control, nowMs })
      expect(await ensureActiveGeneration(list(1_000))).toBe(1)
      expect(await ensureActiveGeneration(list(2_000))).toBe(1)
      await writeStates(list(3_000), [{ generation: 2, state: 'building' }])
      const [, from] = await readGenerations(store, control)
      if (!from) throw new Error('the second generation is not listed')
      await writeStates(list(4_000), [{ generation: 2, state: 'failed', reason: 'no space', from }])
      expect(await readGenerations(store, control)).toMatchObject([
        { generation: 1, state: 'active', changedAtMs: 1_000, reason: '' },
        { generation: 2, state: 'failed', changedAtMs: 4_000, reason: 'no space' },
      ])
    })

    it('shows of each key the row with the highest version once, in any order of the inserts', async () => {
      const { store, final } = rig
      const rows = [
        tallyRow(1, 5, { yes: '5' }),
        tallyRow(1, 7, { yes: '7' }),
        tallyRow(1, 6, { yes: '6' }),
        tallyRow(2, 6, { yes: '8' }),
        tallyRow(2, 6, { yes: '8' }),
      ]
      for (const row of rows) await store.insert(`${database}.tallies`, [row])
      const shown = (await final('tallies')) as TallyRow[]
      expect(shown.map((row) => `${row.proposal_id}: ${row.yes}`).sort()).toEqual(['1: 7', '2: 8'])
    })

    it('has no checkpoint at first, and then the furthest one', async () => {
      const { store } = rig
      expect(await readCheckpoint(store, database)).toBeUndefined()
      for (const nextOffset of [8n, 20n, 9n]) {
        const at = {
          nextOffset,
          refoldOffset: 1n,
          chainId: 'test-1',
          height: Number(nextOffset),
          time: '2026-11-21T08:00:00.123456789Z',
          tip: 30,
          limitations: [],
          history: null,
        }
        const lag = { logEnd: 40n, oldestWaitingSinceMs: undefined }
        const row = checkpointRow(at, lag, 5_000)
        await store.insert(`${database}.checkpoints`, [checkpoints.encode(row)])
      }
      expect(await readCheckpoint(store, database)).toMatchObject({
        nextOffset: 20n,
        height: 20,
        time: '2026-11-21T08:00:00.123456789Z',
        logEnd: 40n,
        lagEvents: 20n,
        waitingSinceMs: null,
      })
    })

    it('names the proposals that were closed and complete at a checkpoint', async () => {
      const { store } = rig
      const watermark = (id: number, position: string, changes: object = {}) => ({
        proposal_id: String(id),
        position,
        final: true,
        awaits: false,
        ...changes,
      })
      await store.insert(`${database}.watermarks`, [
        watermark(1, positionAt(HEIGHT, ORDINAL.firstAbciEvent)),
        watermark(2, positionAt(HEIGHT + 1, ORDINAL.firstAbciEvent)),
        watermark(3, positionAt(HEIGHT, ORDINAL.firstAbciEvent), { final: false }),
        watermark(4, positionAt(HEIGHT, ORDINAL.firstAbciEvent), { awaits: true }),
        watermark(5, positionAt(HEIGHT - 1, ORDINAL.before)),
        watermark(6, positionAt(HEIGHT + 9, ORDINAL.history)),
      ])
      const at = { height: HEIGHT } as Parameters<typeof readClosedProposals>[2]
      const closed = await readClosedProposals(store, database, at)
      expect(
        closed.sort((one, other) => Number(one.proposalId) - Number(other.proposalId)),
      ).toEqual([
        { proposalId: '1', isEarlier: false },
        { proposalId: '5', isEarlier: true },
        { proposalId: '6', isEarlier: true },
      ])
    })
  })
}

const pool = (address: string, version: bigint) => ({
  operator_address: address,
  account_address: 'a',
  account_key: 'a',
  moniker: 'with "quotes", \\ and ☃',
  tokens: 2n ** 200n,
  delegator_shares: '123456789012345678901234567890.123456789012345678',
  status: 'bonded',
  jailed: false,
  counted: true,
  version,
})

/** What the client of a ClickHouse accepts, refuses and returns. */
export const describeStore = (name: string, createRig: () => Promise<StoreRig>): void => {
  describe(`${name} keeps the contract of the store`, () => {
    let rig: StoreRig
    let database: string
    beforeAll(async () => {
      rig = await createRig()
      database = toDatabaseName(1, rig.control)
    })

    it('keeps every digit of large integers and decimals in both directions', async () => {
      const { store } = rig
      await store.insert(`${database}.pools`, [pool('p', 2n ** 63n)])
      const [row] = await store.select(
        `SELECT * FROM ${database}.pools WHERE operator_address = 'p'`,
      )
      expect(row).toEqual({
        ...pool('p', 0n),
        tokens: (2n ** 200n).toString(),
        version: (2n ** 63n).toString(),
      })
    })

    it('accepts timestamps in the format of the chain, with nanoseconds', async () => {
      const { store } = rig
      const time = '2026-11-21T08:00:00.123456789Z'
      const fact = {
        position: 1n,
        proposal_id: '1',
        type: 't',
        id: 'i',
        height: 1,
        time,
        event: '',
      }
      await store.insert(`${database}.events`, [fact])
      const [row] = await store.select<{ time: string }>(`SELECT time FROM ${database}.events`)
      expect(row?.time).toBe('2026-11-21 08:00:00.123456789')
    })

    it('inserts many rows in one call', async () => {
      const { store } = rig
      const rows = Array.from({ length: 30_000 }, (_, at) => pool(`pool-${at}`, 1n))
      await store.insert(`${database}.pools`, rows)
      const counted = await store.select(
        `SELECT uniqExact(operator_address) AS n FROM ${database}.pools WHERE operator_address LIKE 'pool-%'`,
      )
      expect(counted).toEqual([{ n: '30000' }])
    })

    it.each([
      ['an unknown field', { surprise: 1 }],
      ['a NULL in a column that is not nullable', { moniker: null }],
      ['a number that is too large', { tokens: 'many' }],
    ])('refuses a batch with %s in one row, and inserts none of it', async (_, wrong) => {
      const { store } = rig
      const rows = [pool('good', 1n), { ...pool('bad', 1n), ...wrong }]
      await expect(store.insert(`${database}.pools`, rows)).rejects.toMatchObject({
        code: 'STORE_REFUSED',
        retryable: false,
      })
      expect(
        await store.select(
          `SELECT * FROM ${database}.pools WHERE operator_address IN ('good', 'bad')`,
        ),
      ).toEqual([])
    })

    it('fills placeholders and never treats a value as SQL', async () => {
      const { store } = rig
      const rows = await store.select('SELECT {text:String} AS text, {id:UInt64} AS id', {
        text: "'; DROP TABLE x; -- \t\\",
        id: 2n ** 64n - 1n,
      })
      expect(rows).toEqual([{ text: "'; DROP TABLE x; -- \t\\", id: '18446744073709551615' }])
    })

    it('returns all bytes of a large response, or an error', async () => {
      const { store } = rig
      const bytes = (rows: number) =>
        store.selectBytes(
          `SELECT throwIf(number = 200000) ? '' : repeat('x', 99), '\\n'
           FROM numbers({rows:UInt64}) FORMAT RawBLOB`,
          { rows },
        )
      expect(await bytes(0)).toEqual(Buffer.alloc(0))
      expect(await bytes(2)).toEqual(Buffer.from(`${'x'.repeat(99)}\n`.repeat(2)))
      expect(await bytes(200_000)).toHaveLength(20_000_000)
      await expect(bytes(200_001)).rejects.toMatchObject({ code: 'STORE_REFUSED' })
    })

    it('stops a query at its deadline or when its caller aborts', async () => {
      const { store } = rig
      const slow = 'SELECT sleepEachRow(0.1) FROM numbers(100) SETTINGS max_block_size = 1'
      await expect(store.select(slow, {}, { timeoutMs: 50 })).rejects.toMatchObject({
        code: 'DEADLINE_EXCEEDED',
        retryable: true,
      })
      const controller = new AbortController()
      const pending = store.select(slow, {}, { signal: controller.signal })
      controller.abort()
      await expect(pending).rejects.toMatchObject({ code: 'ABORTED' })
    })
  })
}
