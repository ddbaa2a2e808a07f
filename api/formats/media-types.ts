// The media types of lists, and the header fields that say what an envelope says where there is none.

export const JSON_TYPE = 'application/json'
export const NDJSON_TYPE = 'application/x-ndjson'
export const CSV_TYPE = 'text/csv'

export type ListType = typeof JSON_TYPE | typeof NDJSON_TYPE | typeof CSV_TYPE

/** What the envelope says stands in header fields where there is no envelope. Null and absent facts have none. */
export const FACT_FIELDS = {
  chainId: 'rollcall-chain-id',
  height: 'rollcall-as-of-height',
  time: 'rollcall-as-of-time',
  totalItems: 'rollcall-total-items',
  nextCursor: 'rollcall-next-cursor',
} as const
