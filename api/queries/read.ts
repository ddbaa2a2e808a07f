// What every query of the read API is given, and how long it may take.
import type { Store } from '../../infra/clickhouse/client.ts'
import type { Served } from '../served/served.ts'

export type Reading = { store: Store; served: Served }

export const READ_OPTIONS = {
  timeoutMs: 5_000,
  settings: {
    // Pages are short ranges of the primary key: more threads only cost.
    max_threads: 1,
    output_format_parallel_formatting: 0,
    output_format_json_escape_forward_slashes: 0,
  },
} as const

/** True where no row follows an event later than what may be served of its proposal. */
export const isSettled = (
  rows: readonly { proposal_id: string; version: string }[],
  { watermarks }: Served,
): boolean =>
  rows.every(({ proposal_id: id, version }) => {
    const watermark = watermarks.get(id)
    return watermark !== undefined && BigInt(version) <= watermark.position
  })

const OPEN = ['deposit_period', 'voting_period']

/** True where the row says closed and the watermark does not: a close is served whole or not at all. */
export const isClosing = (
  { proposal_id: id, status }: { proposal_id: string; status: string },
  { watermarks }: Served,
): boolean => !OPEN.includes(status) && watermarks.get(id)?.final !== true
