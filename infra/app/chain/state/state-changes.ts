// The format of recorded chain state: one flat list of changes with their heights.
import type { Family } from './state-view.ts'

/** The number is in the file and never changes its meaning. */
const FAMILIES: Readonly<Record<Family, number>> = {
  proposal: 1,
  deposit: 2,
  vote: 3,
  pool: 4,
  delegation: 5,
  single: 6,
  tally: 7,
  answer: 8,
}

/** `value` is null if the entry is deleted at this height. */
export type StateChange = {
  height: number
  family: Family
  key: Uint8Array
  value: Uint8Array | null
}

const names = new Map(Object.entries(FAMILIES).map(([name, id]) => [id, name as Family]))
const HEADER_BYTES = 4 + 1 + 2 + 4
const GONE = 0xffffffff

export function encodeChanges(changes: readonly StateChange[]): Buffer {
  const parts: Uint8Array[] = []
  for (const { height, family, key, value } of changes) {
    const header = Buffer.alloc(HEADER_BYTES)
    header.writeUInt32BE(height, 0)
    header.writeUInt8(FAMILIES[family], 4)
    header.writeUInt16BE(key.length, 5)
    header.writeUInt32BE(value === null ? GONE : value.length, 7)
    parts.push(header, key)
    if (value) parts.push(value)
  }
  return Buffer.concat(parts)
}

/** Throws if the list is truncated or has an unknown family. */
export function* decodeChanges(bytes: Buffer): Generator<StateChange> {
  let at = 0
  while (at < bytes.length) {
    const height = bytes.readUInt32BE(at)
    const family = names.get(bytes.readUInt8(at + 4))
    if (!family) throw new RangeError(`unknown family ${bytes.readUInt8(at + 4)} at byte ${at}`)
    const keyEnd = at + HEADER_BYTES + bytes.readUInt16BE(at + 5)
    const length = bytes.readUInt32BE(at + 7)
    const end = length === GONE ? keyEnd : keyEnd + length
    if (end > bytes.length) throw new RangeError(`cut off at byte ${at}`)
    const key = bytes.subarray(at + HEADER_BYTES, keyEnd)
    yield { height, family, key, value: length === GONE ? null : bytes.subarray(keyEnd, end) }
    at = end
  }
}
