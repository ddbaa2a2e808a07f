// The format of recorded chain state: one flat list of changes with their heights.

/** The recorded families of state; the number is in the file and never changes its meaning. */
const FAMILIES = {
  proposal: 1,
  deposit: 2,
  vote: 3,
  pool: 4,
  delegation: 5,
  single: 6,
  tally: 7,
  answer: 8,
} as const
export type Family = keyof typeof FAMILIES

/** `value` is null if the entry is deleted at this height. */
export type StateChange = {
  height: number
  family: Family
  key: Uint8Array
  value: Uint8Array | null
}

const names = new Map(Object.entries(FAMILIES).map(([name, id]) => [id as number, name as Family]))
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

// Keys are the store keys of the chain without their prefix byte, so that pages continue at the same entries.

export function idKey(id: bigint): Buffer {
  const key = Buffer.alloc(8)
  key.writeBigUInt64BE(id)
  return key
}

export const lengthPrefixed = (address: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([address.length]), address])

/** Votes and deposits: by proposal, then by address. */
export const idAddressKey = (id: bigint, address: Uint8Array): Buffer =>
  Buffer.concat([idKey(id), lengthPrefixed(address)])

/** Delegations: by delegator, then by pool. */
export const delegationKey = (delegator: Uint8Array, pool: Uint8Array): Buffer =>
  Buffer.concat([lengthPrefixed(delegator), lengthPrefixed(pool)])

/** Answers of queries that the other families do not answer. */
export const answerKey = (path: string, data: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${path}\0`), data])

export type SingleKey = 'gov.params' | 'gov.constitution' | 'staking.params' | 'staking.pool'
export const singleKey = (name: SingleKey): Buffer => Buffer.from(name)
