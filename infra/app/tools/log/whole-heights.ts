// Groups records into whole heights: each ends with its marker and follows the previous one without a gap.

import { decodeEvent, markerIn } from '../../../../ingest/contract/codec.ts'
import { readChainId } from '../../../../ingest/contract/envelope.ts'
import type { GovernanceEvent, Marker } from '../../../../ingest/contract/events.ts'
import type { LogEntry } from '../../../base/log/event-log.ts'
import type { ExportPart } from './read-export.ts'

export type WholeHeight = {
  entries: readonly LogEntry[]
  bytes: number
  marker: Marker
}

type Part = Extract<ExportPart, { kind: 'record' }>

const MARKER: GovernanceEvent['type'] = 'rollcall.block.indexed.v1'

/** The marker of an entry; undefined for any other entry, and for an undecodable marker. */
const readMarker = ({ entry, event }: Part): Marker | undefined => {
  if (event?.['type'] !== MARKER) return undefined
  return markerIn(decodeEvent(entry.value))
}

export type HeightCollector = {
  /** The height that this record completes. */
  add(part: Part): WholeHeight | undefined
  /** Records without a marker. */
  left(): number
}

export const createHeightCollector = (): HeightCollector => {
  let entries: LogEntry[] = []
  let bytes = 0
  return {
    add: (part) => {
      entries.push(part.entry)
      bytes += part.entry.value.byteLength
      const marker = readMarker(part)
      if (!marker) return undefined
      const whole = { entries, bytes, marker }
      entries = []
      bytes = 0
      return whole
    },
    left: () => entries.length,
  }
}

/** Why one marker cannot follow another; undefined if it can. */
export const findLinkProblem = (previous: Marker, next: Marker): string | undefined => {
  if (readChainId(next) !== readChainId(previous)) {
    return `height ${next.height} is of chain ${readChainId(next)}, not of ${readChainId(previous)}`
  }
  const { from, previousHash } = next.data
  if (from > previous.height + 1) {
    return `heights ${previous.height + 1} to ${from - 1} are missing`
  }
  if (from <= previous.height) {
    return `the marker at ${next.height} covers heights from ${from}, but ${previous.height} is already covered`
  }
  if (previousHash === previous.data.hash) return undefined
  return `block ${from} follows ${previousHash || 'no block'}, but block ${previous.height} is ${previous.data.hash}`
}
