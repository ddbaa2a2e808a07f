// Checks the end of the log, from which ingest continues.

import { readChainId } from '../../../ingest/contract/envelope.ts'
import { decodeMarker } from '../../../ingest/heights/log-tail.ts'
import type { EventLog } from '../../base/log/event-log.ts'
import { type IndexedBlock, toIndexedBlock } from '../indexed-block.ts'
import { createAreaFindings, type Finding } from './finding.ts'

export type LogEnd = IndexedBlock & { offset: bigint }

const { ok, warning } = createAreaFindings('event log')

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
  const marker = decodeMarker(last)
  const { height, time, data } = marker
  const behind = data.tip - height
  const message = `${name} ends at height ${height} of ${readChainId(marker)} (${time}), ${behind} behind the tip at that time`
  return {
    finding: ok(message),
    end: { ...toIndexedBlock(marker), offset: last.offset + 1n },
  }
}
