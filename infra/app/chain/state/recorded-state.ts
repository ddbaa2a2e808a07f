// The recorded state at any height, in memory, with all versions of each entry.
import { decodeChanges } from './state-changes.ts'
import { type Entry, type Family, lengthPrefixed, type StateView, singleKey } from './state-view.ts'

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
