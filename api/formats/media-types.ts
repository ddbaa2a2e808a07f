// Media types of lists, and the headers that replace the envelope in CSV and NDJSON.

export const JSON_TYPE = 'application/json'
export const NDJSON_TYPE = 'application/x-ndjson'
export const CSV_TYPE = 'text/csv'

export type ListType = typeof JSON_TYPE | typeof NDJSON_TYPE | typeof CSV_TYPE

/** The header for each member of the envelope. Null and absent members have no header. */
export const FACT_FIELDS = {
  chainId: 'rollcall-chain-id',
  height: 'rollcall-as-of-height',
  time: 'rollcall-as-of-time',
  demo: 'rollcall-demo',
  totalItems: 'rollcall-total-items',
  nextCursor: 'rollcall-next-cursor',
} as const
