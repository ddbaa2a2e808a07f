// What the description of the read API says of it as a whole. Pure.
import { NULL_MEANS } from '../../schemas/common.ts'

/** Of the API, not of the product: it changes with what callers can rely on. */
export const API_VERSION = '1.0.0'

export const TITLE = 'Rollcall read API'

export const DESCRIPTION = `Read access to a chain's governance: proposals, the votes on them pool by pool (a pool is a validator with the stake delegated to it) and voter by voter, the events behind them, and the evidence of every tally. It never votes and never moves funds.

**Amounts** are decimal strings in the chain's base unit. ${NULL_MEANS}. Every answer says as of which height it is (\`asOf\`).

**Pages** are numbered from 0; a page past the end has no items. Every list can be followed by \`cursor\` as well: nothing is missed or told twice while proposals and votes arrive.

**Caching**: strong entity tags; send \`If-None-Match\` and get 304 while nothing changed. HEAD works wherever GET does. Other methods answer 405 with \`Allow\`.

**Errors** are problem documents (RFC 9457); their \`type\` is a page that explains the \`code\`, which never changes.

**Quota**: \`RateLimit\` and \`RateLimit-Policy\` on every answer; after a 429 wait \`Retry-After\` seconds.

**Versions**: additive change only. What is to go is announced with \`Deprecation\` and \`Sunset\` (RFC 9745, RFC 8594); nothing is at present.`

export const TAGS = [
  { name: 'Proposals', description: 'Proposals and all that stands behind one' },
  { name: 'Pools and voters', description: 'One pool or one voter over all proposals' },
  {
    name: 'Proofs',
    description: 'What proves the state of a proposal without trust in this service or its nodes',
  },
  { name: 'Service', description: 'How fresh the answers are, and what changes' },
] as const
