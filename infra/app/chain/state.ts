// The committed state of a chain as its queries read it: entries of its stores, in their order, at one height; and the recorded state at
// any height, in memory, with all versions of each entry.

/** The families of entries. */
export type Family =
  | 'proposal'
  | 'deposit'
  | 'vote'
  | 'pool'
  | 'delegation'
  | 'single'
  | 'tally'
  | 'answer'

export type Entry = { readonly key: Uint8Array; readonly value: Uint8Array }

export type StateView = {
  get(family: Family, key: Uint8Array): Uint8Array | undefined
  single(name: SingleKey): Uint8Array
  /** Sorted by key. Keys come without the prefix. */
  list(family: Family, prefix?: Uint8Array): readonly Entry[]
  /** By the raw address of the delegator, like the index of the chain. */
  delegationsTo(pool: Uint8Array): readonly Entry[]
  /** The most items on a page of a list; absent: as many as are requested. */
  readonly pageSize?: number | undefined
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

/** The number is in the file and never changes its meaning. */
export const FAMILIES: Readonly<Record<Family, number>> = {
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
export const HEADER_BYTES = 4 + 1 + 2 + 4
export const GONE = 0xffffffff

/** Throws if the list is truncated or has an unknown family. */
function* decodeChanges(bytes: Buffer): Generator<StateChange> {
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

type Version = { height: number; value: Uint8Array | null }
type Slot = { key: Buffer; versions: Version[] }

export type StateHistory = {
  at(height: number): StateView
  /** Whether there is a value at any height. */
  has(family: Family, key: Uint8Array): boolean
}

function valueAt(slot: Slot, height: number): Uint8Array | null {
  let low = 0
  let high = slot.versions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (slot.versions[middle]!.height <= height) low = middle + 1
    else high = middle
  }
  return slot.versions[low - 1]?.value ?? null
}

/** First index with a key that is not below `key`. */
function lowerBound(slots: readonly Slot[], key: Uint8Array): number {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (Buffer.compare(slots[middle]!.key, key) < 0) low = middle + 1
    else high = middle
  }
  return low
}

type Table = { byKey: Map<string, Slot>; sorted: Slot[] }

function readTables(bytes: Buffer): Map<Family, Table> {
  const tables = new Map<Family, Table>()
  for (const { family, key, height, value } of decodeChanges(bytes)) {
    let table = tables.get(family)
    if (!table) {
      table = { byKey: new Map(), sorted: [] }
      tables.set(family, table)
    }
    const name = Buffer.from(key).toString('latin1')
    let slot = table.byKey.get(name)
    if (!slot) {
      slot = { key: Buffer.from(key), versions: [] }
      table.byKey.set(name, slot)
      table.sorted.push(slot)
    }
    slot.versions.push({ height, value })
  }
  for (const table of tables.values()) table.sorted.sort((a, b) => Buffer.compare(a.key, b.key))
  return tables
}

/** The same delegations again, sorted by pool and then delegator. */
function indexByPool(delegations: Table | undefined): Slot[] {
  const slots = (delegations?.sorted ?? []).map(({ key, versions }) => {
    const delegator = key.subarray(1, 1 + key[0]!)
    const pool = key.subarray(1 + delegator.length)
    return { key: Buffer.concat([pool, delegator]), versions }
  })
  return slots.sort((a, b) => Buffer.compare(a.key, b.key))
}

function rangeAt(slots: readonly Slot[], prefix: Uint8Array, height: number): Entry[] {
  const entries: Entry[] = []
  for (let index = lowerBound(slots, prefix); index < slots.length; index++) {
    const slot = slots[index]!
    if (Buffer.compare(slot.key.subarray(0, prefix.length), prefix) !== 0) break
    const value = valueAt(slot, height)
    if (value) entries.push({ key: slot.key.subarray(prefix.length), value })
  }
  return entries
}

export function openStateHistory(bytes: Buffer): StateHistory {
  const tables = readTables(bytes)
  const byPool = indexByPool(tables.get('delegation'))
  const find = (family: Family, key: Uint8Array) =>
    tables.get(family)?.byKey.get(Buffer.from(key).toString('latin1'))
  const at = (height: number): StateView => {
    const get: StateView['get'] = (family, key) => {
      const slot = find(family, key)
      return slot ? (valueAt(slot, height) ?? undefined) : undefined
    }
    return {
      get,
      single: (name) => get('single', singleKey(name)) ?? new Uint8Array(),
      list: (family, prefix = new Uint8Array()) =>
        rangeAt(tables.get(family)?.sorted ?? [], prefix, height),
      delegationsTo: (pool) => rangeAt(byPool, lengthPrefixed(pool), height),
    }
  }
  return { at, has: (family, key) => find(family, key) !== undefined }
}
