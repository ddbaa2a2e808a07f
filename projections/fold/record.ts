// Decodes one record of the log for the fold, with its position on the chain. Pure.
import { type Decoded, decodeEvent, decodeText } from '../../ingest/contract/codec.ts'
import { type EventPosition, eventPosition } from './event-position.ts'
import { isBlockTime } from './timestamps.ts'

/** One decoded record of the log. */
export type FoldRecord = {
  offset: bigint
  height: number
  timeMs: number
  value: Uint8Array
  /** `value` as text; empty if it is not UTF-8. */
  text: string
  decoded: Decoded
  /** Undefined if the envelope is invalid too. */
  at: EventPosition | undefined
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const toText = (value: Uint8Array): string => {
  try {
    return utf8.decode(value)
  } catch {
    return ''
  }
}

/** Every row of an event has its block's time: without a time, it cannot be stored. */
const withRealTime = (decoded: Decoded): Decoded => {
  if (!decoded.ok || isBlockTime(decoded.event.time)) return decoded
  const { event } = decoded
  return { ok: false, reason: `${event.type}: /time is not a time`, envelope: event }
}

export const readRecord = (record: {
  offset: bigint
  height: number
  timeMs: number
  value: Uint8Array
}): FoldRecord => {
  const { offset, height, timeMs, value } = record
  // Decoded once: the archive keeps the text that was parsed.
  const text = toText(value)
  const decoded = withRealTime(text === '' ? decodeEvent(value) : decodeText(text))
  const envelope = decoded.ok ? decoded.event : decoded.envelope
  const at = envelope && eventPosition(envelope)
  return { offset, height, timeMs, value, text, decoded, at }
}
