// The order of addresses by their bytes, which is not the order of their text: bech32's alphabet is shuffled.
const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const CHECKSUM_LENGTH = 6
const VALUE_OF = new Map([...ALPHABET].map((letter, value) => [letter, String.fromCharCode(value)]))

/**
 * A key whose text order is the order of the address' bytes. Five bits a character keep the order of
 * the bytes they spell; the checksum says nothing. What is not bech32 sorts by its own text.
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

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** A copy in the order of the addresses' bytes. */
export const sortedByAddress = <T>(items: Iterable<T>, addressOf: (item: T) => string): T[] =>
  [...items]
    .map((item) => ({ item, key: addressSortKey(addressOf(item)), address: addressOf(item) }))
    .sort((one, other) => compare(one.key, other.key) || compare(one.address, other.address))
    .map(({ item }) => item)
