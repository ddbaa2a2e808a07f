// Turns each row that a table cannot store into a dead letter, and marks the history of its proposals as partial. The mark is in
// the rows of the proposals, so that a restart finds it.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { toHeight } from '../../ingest/contract/envelope.ts'
import { selectFrom } from '../contract/table/select-from.ts'
import type { DeadLetterRow } from '../contract/tables/dead-letters.ts'
import type { ProposalRow } from '../contract/tables/proposals.ts'
import { TABLES } from '../contract/tables.ts'
import { deadLetterRow } from '../fold/rows/dead-letters.ts'
import type { RecordFinder } from './find-record.ts'
import type { RowFault } from './row-checks.ts'

/** Prefix of every reason, used to find them again. */
const PREFIX = 'not all of it could be stored'
const SEPARATOR = '; '
const LOGGED_AT_MOST = 20
const OPEN = ['deposit_period', 'voting_period']

export type RefusedRows = {
  /** The rows, with the known gaps of their proposals. */
  amend(rows: readonly ProposalRow[]): ProposalRow[]
  /**
   * Dead letters for faults, and the rows of the affected proposals. `own` are the proposals' rows of the
   * same commit.
   */
  recordFaults(
    faults: readonly RowFault[],
    own: readonly ProposalRow[],
  ): Promise<{ letters: DeadLetterRow[]; proposals: ProposalRow[] }>
}

export type RefusedRowsOptions = {
  select: Store['select']
  database: string
  findRecord: RecordFinder
  logger: Logger
  count: { inc(labels: { table: string }): void }
}

const formatReason = ({ reason }: RowFault): string => `${PREFIX}: ${reason}`

const withReasons = (row: ProposalRow, reasons: ReadonlySet<string>): ProposalRow => {
  const recorded = row.historyReason === null ? [] : row.historyReason.split(SEPARATOR)
  const missing = [...reasons].filter((reason) => !recorded.includes(reason))
  if (missing.length === 0) return row
  const history = row.history === 'complete' ? 'partial' : row.history
  return { ...row, history, historyReason: [...recorded, ...missing].join(SEPARATOR) }
}

const report = (
  faults: readonly RowFault[],
  { logger, count }: Pick<RefusedRowsOptions, 'logger' | 'count'>,
): void => {
  for (const [at, { table, proposalId, position, reason, detail }] of faults.entries()) {
    count.inc({ table })
    if (at >= LOGGED_AT_MOST) continue
    const height = toHeight(position)
    logger.error(
      { table, proposalId, height, reason, detail },
      'could not store a row without changes',
    )
  }
  const more = faults.length - LOGGED_AT_MOST
  if (more > 0) logger.error({ more }, 'could not store more rows without changes')
}

/** One letter for all faults in the rows of one position. */
const createLetters = async (
  faults: readonly RowFault[],
  findRecord: RecordFinder,
): Promise<DeadLetterRow[]> => {
  const byPosition = new Map<bigint, RowFault[]>()
  for (const fault of faults) {
    byPosition.set(fault.position, [...(byPosition.get(fault.position) ?? []), fault])
  }
  const letters: DeadLetterRow[] = []
  for (const [position, its] of byPosition) {
    const record = await findRecord(position)
    const details = new Set(its.map(({ reason, detail }) => `${reason}: ${detail}`))
    letters.push(
      deadLetterRow({
        offset: record?.offset,
        height: record?.height ?? toHeight(position),
        proposalId: its[0]?.proposalId ?? '0',
        reason: [...details].slice(0, LOGGED_AT_MOST).join(SEPARATOR),
        value: record?.value ?? new Uint8Array(),
        position,
      }),
    )
  }
  return letters
}

const readOpenRows = (select: Store['select'], database: string): Promise<ProposalRow[]> =>
  selectFrom(
    { select },
    TABLES.proposals.all,
    `${database}.${TABLES.proposals.name} FINAL WHERE status IN {open:Array(String)}`,
    { open: OPEN },
  )

const readRows = (
  { select, database }: Pick<RefusedRowsOptions, 'select' | 'database'>,
  ids: readonly string[],
): Promise<ProposalRow[]> =>
  selectFrom(
    { select },
    TABLES.proposals.all,
    `${database}.${TABLES.proposals.name} FINAL WHERE proposal_id IN {ids:Array(UInt64)}`,
    { ids },
  )

/** The refused rows of open proposals before this start, from their reasons. */
export const readRefusals = async (
  select: Store['select'],
  database: string,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const rows = await readOpenRows(select, database)
  const parseReasons = ({ historyReason: text }: ProposalRow) =>
    (text ?? '').split(SEPARATOR).filter((reason) => reason.startsWith(PREFIX))
  return new Map(rows.map((row) => [row.proposalId, parseReasons(row)]))
}

export const createRefusedRows = (
  options: RefusedRowsOptions,
  known: ReadonlyMap<string, readonly string[]>,
): RefusedRows => {
  const { select, database, findRecord } = options
  const reasons = new Map([...known].map(([id, its]) => [id, new Set(its)]))
  const note = (proposalId: string, reason: string): void => {
    const its = reasons.get(proposalId) ?? new Set()
    reasons.set(proposalId, its.add(reason))
  }
  const amendOne = (row: ProposalRow): ProposalRow => {
    const its = reasons.get(row.proposalId)
    return its && its.size > 0 ? withReasons(row, its) : row
  }
  /** The named proposals, and all open ones if a row belongs to the whole chain. */
  const findAffected = async (
    faults: readonly RowFault[],
    own: readonly ProposalRow[],
  ): Promise<ProposalRow[]> => {
    const latest = new Map(own.map((row) => [row.proposalId, row]))
    const add = (rows: readonly ProposalRow[]) => {
      for (const row of rows) if (!latest.has(row.proposalId)) latest.set(row.proposalId, row)
    }
    const named = new Set(faults.map(({ proposalId }) => proposalId))
    const isVague = named.delete('0')
    const others = [...named].filter((id) => !latest.has(id))
    if (others.length > 0) add(await readRows({ select, database }, others))
    const ofCommit = [...latest.values()].filter((row) => named.has(row.proposalId))
    if (!isVague) return ofCommit
    add(await readOpenRows(select, database))
    const isOpen = ({ status }: ProposalRow) => OPEN.includes(status)
    return [...latest.values()].filter((row) => named.has(row.proposalId) || isOpen(row))
  }
  return {
    amend: (rows) => (reasons.size === 0 ? [...rows] : rows.map(amendOne)),
    recordFaults: async (faults, own) => {
      report(faults, { logger: options.logger, count: options.count })
      const rows = await findAffected(faults, own)
      for (const fault of faults) {
        const ids =
          fault.proposalId === '0' ? rows.map((row) => row.proposalId) : [fault.proposalId]
        for (const id of ids) note(id, formatReason(fault))
      }
      return { letters: await createLetters(faults, findRecord), proposals: rows.map(amendOne) }
    },
  }
}
