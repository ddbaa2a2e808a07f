// Which media types each list speaks: the one source for answers and for documents.

export const JSON_TYPE = 'application/json'
export const NDJSON_TYPE = 'application/x-ndjson'
export const CSV_TYPE = 'text/csv'

export type ListType = typeof JSON_TYPE | typeof NDJSON_TYPE | typeof CSV_TYPE

/** In the order in which whoever has no preference gets them. */
const ALL: readonly ListType[] = [JSON_TYPE, NDJSON_TYPE, CSV_TYPE]

/** By operation. Whatever is not here answers JSON, whatever is accepted. */
export const LIST_FORMATS = {
  listProposals: ALL,
  listProposalVotes: ALL,
  listProposalBallots: ALL,
  listProposalEvents: ALL,
  // A voter with many delegations is no flat row.
  listProposalEvidence: [JSON_TYPE, NDJSON_TYPE],
  listPools: ALL,
  listPoolVotes: ALL,
  listVoterVotes: ALL,
} as const satisfies Record<string, readonly ListType[]>

export type ListOperation = keyof typeof LIST_FORMATS

/** What the envelope says stands in header fields where there is no envelope. Null and absent facts have none. */
export const FACT_FIELDS = {
  chainId: 'rollcall-chain-id',
  height: 'rollcall-as-of-height',
  time: 'rollcall-as-of-time',
  totalItems: 'rollcall-total-items',
  nextCursor: 'rollcall-next-cursor',
} as const
