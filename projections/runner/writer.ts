// Writes rows into the tables of one generation, and waits as long as the store is unavailable. A row that its table does not take is
// left out and reported, with its key and the reason. Any other refusal of the store is a defect, and thrown.
import { isRefusedRow, type Store } from '../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { retry } from '../../infra/base/runtime/retry.ts'
import type { Table } from '../contract/table/define-table.ts'
import { selectFrom } from '../contract/table/select-from.ts'
import { type CheckpointRow, checkpoints } from '../contract/tables/positions.ts'
import type { ProposalRow } from '../contract/tables/proposals.ts'
import { TABLES } from '../contract/tables.ts'
import type { ProjectionMetrics } from '../projection-metrics.ts'

export type RefusedRow = {
  table: string
  /** The values of its key, such as `7/1`. */
  key: string
  /** Undefined if it belongs to no proposal. */
  proposalId: string | undefined
  /** Of its event; 0 if it has none. */
  position: bigint
  /** In the words of the store, or the value that its column cannot hold. */
  reason: string
}

export type WriterOptions = {
  store: Store
  database: string
  logger: Logger
  clock: Clock
  signal: AbortSignal
  retryMaxMs: number
  metrics: Pick<ProjectionMetrics, 'refusedRow' | 'storeRetry'>
}

type Row = Readonly<Record<string, unknown>>

const MAX_SHOWN = 60
const LOGGED_AT_MOST = 20

const show = (value: unknown): string => {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each))
  return text !== undefined && text.length > MAX_SHOWN
    ? `${text.slice(0, MAX_SHOWN)}…`
    : (text ?? 'nothing')
}

const toRefused = (table: Table, row: Row, reason: string): RefusedRow => {
  const { proposalId, version, position = version } = row
  const isKnown = table.columns.some(({ name, fits }) => name === 'proposalId' && fits(proposalId))
  const key = table.columns.filter(({ stored }) => table.key.includes(stored))
  return {
    table: table.name,
    key: key.map(({ name }) => String(row[name])).join('/'),
    proposalId: isKnown && proposalId !== '0' ? String(proposalId) : undefined,
    position: typeof position === 'bigint' ? position : 0n,
    reason,
  }
}

/** The store itself would not refuse it: it stores 2^256 as 0. */
const describeUnfit = ({ columns }: Table, row: Row): string => {
  const column = columns.find(({ name, fits }) => !fits(row[name]))
  return column
    ? `${column.stored} is ${show(row[column.name])}, which is not a ${column.sql}`
    : 'it does not fit its table'
}

export class Writer {
  readonly #options: WriterOptions

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** The rows whose values fit their columns, and the others. */
  check<R extends object>(table: Table, rows: readonly R[]): { rows: R[]; refused: RefusedRow[] } {
    const fitting = rows.filter((row) => table.fits(row))
    if (fitting.length === rows.length) return { rows: fitting, refused: [] }
    const unfit = rows.filter((row) => !table.fits(row)) as readonly Row[]
    const refused = unfit.map((row) => toRefused(table, row, describeUnfit(table, row)))
    this.#report(refused)
    return { rows: fitting, refused }
  }

  /** Writes checked rows. Returns those that the store refuses, which it finds by bisection. */
  async insert(table: Table, rows: readonly object[]): Promise<RefusedRow[]> {
    if (rows.length === 0) return []
    try {
      await this.#retry(table.name, rows.map(table.encode))
      return []
    } catch (error) {
      if (!isRefusedRow(error)) throw error
      const [only] = rows
      if (rows.length > 1 || !only) {
        const middle = Math.ceil(rows.length / 2)
        const refused = await this.insert(table, rows.slice(0, middle))
        return [...refused, ...(await this.insert(table, rows.slice(middle)))]
      }
      const words = (error as Error).message.split('\n')[0] ?? ''
      const refused = [toRefused(table, only as Row, words)]
      this.#report(refused)
      return refused
    }
  }

  /** After all other rows of a commit. */
  async writeCheckpoint(row: CheckpointRow): Promise<void> {
    await this.#retry(checkpoints.name, [checkpoints.encode(row)])
  }

  /** One attempt, for a heartbeat. */
  beat(row: CheckpointRow): Promise<void> {
    const { store, database } = this.#options
    return store.insert(`${database}.${checkpoints.name}`, [checkpoints.encode(row)])
  }

  /** The stored rows of these proposals. */
  readProposals(ids: readonly string[]): Promise<ProposalRow[]> {
    const { store, database, signal, clock, retryMaxMs } = this.#options
    const source = `${database}.${TABLES.proposals.name} FINAL WHERE proposal_id IN {ids:Array(UInt64)}`
    const select = () => selectFrom(store, TABLES.proposals.all, source, { ids: ids.map(BigInt) })
    return retry(select, { ...policies.writeRows(retryMaxMs), signal, clock })
  }

  #retry(table: string, rows: readonly object[]): Promise<void> {
    const { store, database, clock, signal, logger, metrics, retryMaxMs } = this.#options
    return retry(() => store.insert(`${database}.${table}`, rows), {
      ...policies.writeRows(retryMaxMs),
      signal,
      clock,
      onRetry({ attempt, delayMs, error }) {
        metrics.storeRetry()
        logger.warn({ table, attempt, delayMs, reason: error.message }, 'waited for ClickHouse')
      },
    })
  }

  #report(refused: readonly RefusedRow[]): void {
    const { logger, metrics } = this.#options
    for (const [at, { table, key, proposalId, reason }] of refused.entries()) {
      metrics.refusedRow(table)
      if (at >= LOGGED_AT_MOST) continue
      logger.error({ table, key, proposalId, reason }, 'left out a row that was refused')
    }
    const more = refused.length - LOGGED_AT_MOST
    if (more > 0) logger.error({ more }, 'left out more rows that were refused')
  }
}
