// Writes one commit of governance rows in a safe order for readers: rows, then watermarks, then the checkpoint. A refused row stops its
// own proposal: nothing more of it is written, and its row in `proposals` has the reason. A rebuild by a version that can store the
// row starts it again.
import { toHeight } from '../../ingest/contract/envelope.ts'
import { STOPPED } from '../contract/stopped-proposals.ts'
import type { CheckpointRow } from '../contract/tables/positions.ts'
import type { ProposalRow } from '../contract/tables/proposals.ts'
import { GOVERNANCE_TABLES, type GovernanceRows, type GovernanceTable } from '../contract/tables.ts'
import type { FoldedRows } from '../fold/rows/rows.ts'
import type { RefusedRow, Writer } from './writer.ts'

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
