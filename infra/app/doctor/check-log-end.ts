// Checks the end of the log, from which ingest continues.

import { chainIdOf } from '../../../ingest/contract/envelope.ts'
import { markerOf } from '../../../ingest/log-tail.ts'
import type { EventLog } from '../../log/event-log.ts'
import { type Finding, findingsOf } from './finding.ts'

export type LogEnd = { chainId: string; height: number; offset: bigint }

const { ok, warning } = findingsOf('event log')

/** Throws `LOG_DAMAGED` if the log does not end with a marker. */
export const checkLogEnd = async (
  log: EventLog,
  name: string,
): Promise<{ finding: Finding; end: LogEnd | undefined }> => {
  const last = await log.last()
  if (!last) {
    const finding = warning(`${name} is empty`, 'start ingest, or import an exported log')
    return { finding, end: undefined }
  }
  const marker = markerOf(last)
  const { height, time, data } = marker
  const behind = data.tip - height
  const message = `${name} ends at height ${height} of ${chainIdOf(marker)} (${time}), ${behind} behind the chain then`
  return {
    finding: ok(message),
    end: { chainId: chainIdOf(marker), height, offset: last.offset + 1n },
  }
}
