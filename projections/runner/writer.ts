// Writes rows into the tables of one generation, and waits as long as the store is unavailable. A commit has an order that is safe for
// readers: rows, then watermarks, then the checkpoint. A row that its table does not take is left out and reported, with its key and the
// reason, and stops its own proposal: nothing more of it is written, and its row in `proposals` has the reason. A rebuild by a version that
// can store the row starts it again. Any other refusal of the store is a defect, and thrown.
import { isRefusedRow, type Store } from '../../infra/base/clickhouse/client.ts'
import type { Clock } from '../../infra/base/runtime/clock.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { policies } from '../../infra/base/runtime/policies.ts'
import { retry } from '../../infra/base/runtime/retry.ts'
import { toHeight } from '../../ingest/contract/envelope.ts'
import { STOPPED } from '../contract/stopped-proposals.ts'
import type { Table } from '../contract/table/define-table.ts'
import { selectFrom } from '../contract/table/select-from.ts'
import { type CheckpointRow, checkpoints } from '../contract/tables/positions.ts'
import type { ProposalRow } from '../contract/tables/proposals.ts'
import {
  GOVERNANCE_TABLES,
  type GovernanceRows,
  type GovernanceTable,
  TABLES,
} from '../contract/tables.ts'
import type { FoldedRows } from '../fold/rows/rows.ts'
import type { ProjectionMetrics } from '../projection-metrics.ts'

type RefusedRow = {
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

const NAMES = Object.keys(GOVERNANCE_TABLES) as GovernanceTable[]
const FIRST = NAMES.filter((name) => name !== 'watermarks')

type Checked = Partial<Record<GovernanceTable, readonly object[]>>

const describeStop = ({ table, key, position, reason }: RefusedRow): string =>
  `${STOPPED} ${toHeight(position)}: the row ${key} of ${table} was refused: ${reason}`

const max = (one: bigint, other: bigint): bigint => (one < other ? other : one)

/** The row of a proposal from its stop on. */
const toStoppedRow = (row: ProposalRow, refused: RefusedRow): ProposalRow => ({
  ...row,
  history: row.history === 'complete' ? 'partial' : row.history,
  historyReason: [row.historyReason, describeStop(refused)].filter(Boolean).join('; '),
  version: max(row.version, refused.position),
})

export class GovernanceWriter {
  readonly #writer: Writer
  readonly #stopped: Map<string, string>

  /** `stopped`: before this start. */
  constructor(writer: Writer, stopped: ReadonlyMap<string, string>) {
    this.#writer = writer
    this.#stopped = new Map(stopped)
  }

  /** With their reasons. */
  get stopped(): ReadonlyMap<string, string> {
    return this.#stopped
  }

  /** `checkpointRow` is called after all other writes. */
  async commit(rows: FoldedRows, checkpointRow: () => Promise<CheckpointRow>): Promise<void> {
    const earlier = new Set(this.#stopped.keys())
    const checks = NAMES.map((name) =>
      this.#writer.check<object>(GOVERNANCE_TABLES[name], rows[name]),
    )
    const unfit = checks.flatMap(({ refused }) => refused)
    // Before anything of this commit is written: what is stored of them stays of one height.
    const { isStored, proposals } = await this.#stop(unfit, rows.proposals)
    const left = new Set([...earlier, ...isStored])
    const checked: Checked = Object.fromEntries(
      NAMES.map((name, order) => {
        // A reader notices by the watermark that the proposal stopped.
        const stopped = name === 'watermarks' ? earlier : left
        return [name, this.#withoutStopped(name, checks[order]?.rows ?? [], stopped)]
      }),
    )
    const writes = FIRST.map((name) => this.#insert(name, checked[name]))
    // A failed commit ends only after all of its writes, so that none of them comes later.
    const written = await Promise.all(writes).finally(() => Promise.allSettled(writes))
    const further = await this.#stop(written.flat(), rows.proposals)
    await this.#insert('proposals', [...proposals, ...further.proposals])
    await this.#insert('watermarks', checked.watermarks)
    await this.#writer.writeCheckpoint(await checkpointRow())
  }

  #insert(name: GovernanceTable, rows: readonly object[] = []): Promise<RefusedRow[]> {
    return this.#writer.insert(GOVERNANCE_TABLES[name], rows)
  }

  /** Events are the archive of the log, also of a stopped proposal. */
  #withoutStopped(
    name: GovernanceTable,
    rows: readonly object[],
    stopped: ReadonlySet<string>,
  ): readonly object[] {
    if (stopped.size === 0 || name === 'events') return rows
    return rows.filter((row) => !('proposalId' in row && stopped.has(String(row.proposalId))))
  }

  /** The rows of the proposals that stop with these refusals: as stored or, if they are new, those of this commit. */
  async #stop(
    refused: readonly RefusedRow[],
    own: GovernanceRows['proposals'],
  ): Promise<{ isStored: readonly string[]; proposals: ProposalRow[] }> {
    const first = new Map<string, RefusedRow>()
    for (const row of refused) {
      const { proposalId } = row
      if (proposalId === undefined || this.#stopped.has(proposalId)) continue
      if (!first.has(proposalId)) first.set(proposalId, row)
    }
    if (first.size === 0) return { isStored: [], proposals: [] }
    const stored = await this.#writer.readProposals([...first.keys()])
    const isStored = stored.map(({ proposalId }) => proposalId)
    const fresh = own.filter(
      (row) =>
        first.has(row.proposalId) &&
        !isStored.includes(row.proposalId) &&
        GOVERNANCE_TABLES.proposals.fits(row),
    )
    const proposals = [...stored, ...fresh].flatMap((row) => {
      const cause = first.get(row.proposalId)
      return cause ? [toStoppedRow(row, cause)] : []
    })
    for (const [id, cause] of first) {
      const row = proposals.find(({ proposalId }) => proposalId === id)
      this.#stopped.set(id, row?.historyReason ?? describeStop(cause))
    }
    return { isStored, proposals }
  }
}
