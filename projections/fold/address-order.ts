// Orders addresses by their bytes. This differs from the order of their text, because the alphabet of bech32 is shuffled.
import { compareText } from '../../ingest/contract/address.ts'

const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const CHECKSUM_LENGTH = 6
const VALUE_OF = new Map([...ALPHABET].map((letter, value) => [letter, String.fromCharCode(value)]))

/**
 * A sort key with the order of the address' bytes. Five bits per character keep the byte order; the checksum
 * is ignored. Other texts than bech32 sort by their own text.
 */
export const addressSortKey = (address: string): string => {
  const separator = address.lastIndexOf('1')
  const data = address.slice(separator + 1, -CHECKSUM_LENGTH)
  if (separator < 1 || data === '') return address
  let key = ''
  for (const letter of data) {
    const value = VALUE_OF.get(letter)
    if (value === undefined) return address
    key += value
  }
  return key
}

/** A sorted copy, in the order of the addresses' bytes. */
export const sortedByAddress = <T>(items: Iterable<T>, addressOf: (item: T) => string): T[] =>
  [...items]
    .map((item) => ({ item, key: addressSortKey(addressOf(item)), address: addressOf(item) }))
    .sort(
      (one, other) => compareText(one.key, other.key) || compareText(one.address, other.address),
    )
    .map(({ item }) => item)
