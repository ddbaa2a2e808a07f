// The accounts that events of modules name, in any attribute. Pure.
import type { AbciEvent } from '../comet/block.ts'
import { canonicalAddress, isAddressLike } from '../contract/address.ts'

/** An attribute of a typed event is JSON. */
const SEPARATORS = /[^A-Za-z0-9@]+/

/** A superset: also addresses of other kinds. */
export const namedAccounts = (events: readonly AbciEvent[]): string[] =>
  events.flatMap(({ attributes }) =>
    attributes.flatMap(({ value }) =>
      value.split(SEPARATORS).map(canonicalAddress).filter(isAddressLike),
    ),
  )
