// Title, version, description and tags of the OpenAPI document. Pure.
import { NULL_MEANS } from '../../schemas/common.ts'

/** The version of the API contract, not of the product. */
export const API_VERSION = '1.0.0'

export const TITLE = 'Rollcall read API'

export const DESCRIPTION = `Read access to the governance of a chain: proposals, deposits, votes per pool and per voter, events, and the evidence of every tally. A pool is a validator with the stake delegated to it. The API cannot vote or move funds.

**Amounts** are decimal strings in the chain's base unit. ${NULL_MEANS}

**Height**: every response has \`asOf\`, the height for which it is valid.

**Pages** are numbered from 0. A page after the last one has no items. With \`cursor\`, a client reads each item exactly once, also while new items arrive. A cursor stays valid for 15 minutes after a rebuild of the tables.

**Formats**: a list is JSON, or rows with \`format=csv\` or \`format=ndjson\`. \`Accept\` with \`text/csv\` or \`application/x-ndjson\` does the same. Rows are the items of the same page. Header fields replace the other members, and \`Link\` has the next page. CSV follows RFC 4180 and has a header line; \`null\` is an empty cell.

**Caching**: responses have strong entity tags. Send \`If-None-Match\` and get 304 while nothing has changed. HEAD works wherever GET works. Other methods get 405 with \`Allow\`.

**Errors** are problem details (RFC 9457). \`type\` is the URL of a page that explains \`code\`. A \`code\` never changes.

**Quota**: every response has \`RateLimit\` and \`RateLimit-Policy\`. After a 429 wait \`Retry-After\` seconds.

**Versions**: changes are additive only. A removal is announced with \`Deprecation\` and \`Sunset\` (RFC 9745, RFC 8594). No removal is announced at present.`

export const TAGS = [
  { name: 'Proposals', description: 'Proposals with their deposits, votes, events and evidence' },
  { name: 'Pools and voters', description: 'The voting records of pools and voters' },
  {
    name: 'Proofs',
    description:
      'Proofs of the state of a proposal that require no trust in this service or its nodes',
  },
  { name: 'Service', description: 'Health of the service and the stream of changes' },
] as const
