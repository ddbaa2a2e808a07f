// Finds the records of a range of heights: whole heights only, including the heights without events of their markers.

import { decodeEvent, markerIn } from '../../../../ingest/contract/codec.ts'
import { readChainId } from '../../../../ingest/contract/envelope.ts'
import type { EventLog } from '../../../base/log/event-log.ts'
import { recordsBetween } from '../../../base/log/records-between.ts'
import { AppError } from '../../../base/runtime/errors.ts'

export type HeightRange = { from: number | undefined; to: number | undefined }

export type LogRange = {
  fromOffset: bigint
  /** The first offset after the range. */
  untilOffset: bigint
  chainId: string
  /** The first height that its first marker covers, and the height of its last record. */
  from: number
  to: number
}

const notInLog = (message: string): AppError =>
  new AppError('NOT_IN_LOG', message, { expose: true })

/** The last height with a record before `untilOffset`, between `low` and `high`. */
const lastHeightBefore = async (
  log: EventLog,
  untilOffset: bigint,
  { low, high }: { low: number; high: number },
): Promise<number> => {
  let [known, above] = [low, high]
  while (above - known > 1) {
    const middle = Math.floor((known + above) / 2)
    if ((await log.offsetOfHeight(middle)) < untilOffset) known = middle
    else above = middle
  }
  return known
}

type Beginning = { chainId: string | undefined; from: number | undefined }

/** The first height of the first marker in the range, and the chain of the first event with a valid envelope. */
const findBeginning = async (
  log: EventLog,
  walk: { from: bigint; until: bigint; signal: AbortSignal },
): Promise<Beginning> => {
  let chainId: string | undefined
  for await (const records of recordsBetween(log, walk)) {
    for (const { value } of records) {
      const decoded = decodeEvent(value)
      const envelope = decoded.ok ? decoded.event : decoded.envelope
      chainId ??= envelope && readChainId(envelope)
      const marker = markerIn(decoded)
      if (marker) return { chainId, from: marker.data.from }
    }
  }
  return { chainId, from: undefined }
}

/** Throws `NOT_IN_LOG` if there is no such height. Later appends are not included. */
export const findRange = async (
  log: EventLog,
  { from, to }: HeightRange,
  signal: AbortSignal,
): Promise<LogRange> => {
  const last = await log.last()
  if (!last) throw notInLog('the log is empty')
  const rangeText = `from ${from ?? 'its first height'} to ${to ?? 'its last'}`
  const fromOffset = await log.offsetOfHeight(from ?? 0)
  const isOpen = to === undefined || to >= last.height
  const untilOffset = isOpen ? last.offset + 1n : await log.offsetOfHeight(to + 1)
  const [first] = await log.read(fromOffset, { maxRecords: 1, maxBytes: 0 })
  if (!first || first.offset >= untilOffset) {
    throw notInLog(`the log has no marked height ${rangeText}: it ends at ${last.height}`)
  }
  const lastHeight = isOpen
    ? last.height
    : await lastHeightBefore(log, untilOffset, { low: first.height, high: to + 1 })
  const walk = { from: fromOffset, until: untilOffset, signal }
  const beginning = await findBeginning(log, walk)
  if (beginning.chainId === undefined) {
    throw new AppError('LOG_DAMAGED', `no record ${rangeText} can be read`, { expose: true })
  }
  return {
    fromOffset,
    untilOffset,
    chainId: beginning.chainId,
    from: beginning.from ?? first.height,
    to: lastHeight,
  }
}
