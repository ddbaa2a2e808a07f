// The last block in an event log: it identifies the chain, and the history of the chain.
import { readChainId } from '../../ingest/contract/envelope.ts'
import type { Marker } from '../../ingest/contract/events.ts'
import { decodeMarker } from '../../ingest/heights/log-tail.ts'
import type { LogRecord } from '../base/log/event-log.ts'

export type IndexedBlock = { chainId: string; height: number; hash: string }

export const toIndexedBlock = (marker: Marker): IndexedBlock => ({
  chainId: readChainId(marker),
  height: marker.height,
  hash: marker.data.hash,
})

/** Of the last record of a log. Throws `LOG_DAMAGED` if it is no marker. */
export const decodeIndexedBlock = (last: LogRecord): IndexedBlock =>
  toIndexedBlock(decodeMarker(last))
