// The committed state of a chain at one height, as its queries read it: entries of its stores, in their order.

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
