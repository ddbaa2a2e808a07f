// The limits of what an endpoint may send, by method. A larger response is a fault of the endpoint: it is refused before it is parsed.

const KIB = 2 ** 10
const MIB = 2 ** 20

/** A header notice has about 2 KiB. */
export const MAX_NOTICE_BYTES = 64 * KIB

const SMALL_BYTES = 64 * KIB

const LARGEST_BYTES: ReadonlyMap<string, number> = new Map([
  // At most 20 headers of about 1 KiB each.
  ['blockchain', 256 * KIB],
  // CometBFT allows 10,000 validators; a signature has about 260 bytes.
  ['commit', 4 * MIB],
  // A page has at most 100 validators of about 300 bytes each. Some nodes ignore the limit of the page.
  ['validators', 4 * MIB],
  // A block of CometBFT has at most 100 MiB, which base64 makes a third larger.
  ['block', 160 * MIB],
  // Read in parts: the text is never complete in memory.
  ['block_results', 512 * MIB],
  // Read in parts, as `block_results`. A page has at most 100 transactions with their events.
  ['tx_search', 256 * MIB],
  // A proposal may have the size of a block; pages of lists are shorter.
  ['abci_query', 160 * MIB],
])

export const maxResponseBytes = (method: string): number => LARGEST_BYTES.get(method) ?? SMALL_BYTES

/** Of the responses to one batch together: a larger one is asked for in smaller batches. */
export const MAX_BATCH_BYTES = 32 * MIB

/** A shorter text is parsed at once and without a count: even `{},{},…` becomes less than 32 MiB. */
export const LARGE_BYTES = MIB

/** Limit of the values that are parsed at once. One of three bytes, such as `{},`, takes some 64 bytes then. */
export const MAX_VALUES = 1_000_000
