// Reads which proposals stopped because a table refused a row of them: their own row has the reason.
import type { Store } from '../../infra/base/clickhouse/client.ts'
import { proposals } from './tables/proposals.ts'

/** In the reason of every stopped proposal. */
export const STOPPED = 'Rollcall stopped this proposal at height'

/** Condition of the rows of stopped proposals in `proposals`. */
export const IS_STOPPED = `position(ifNull(history_reason, ''), '${STOPPED}') > 0`

/** By their ids, with the reasons. */
export async function readStopped(
  { select }: Pick<Store, 'select'>,
  database: string,
): Promise<Map<string, string>> {
  const rows = await select<{ proposal_id: string; history_reason: string }>(
    `SELECT proposal_id, history_reason FROM ${database}.${proposals.name} FINAL
     WHERE ${IS_STOPPED} ORDER BY proposal_id`,
  )
  return new Map(rows.map((row) => [row.proposal_id, row.history_reason]))
}
