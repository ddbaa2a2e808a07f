// Query and path parameters: each with its schema and what would be right, all mistakes told together.
import { type TString, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { ApiProblem, tokenNotInHeader } from '../problem.ts'
import type { ParameterError } from '../schemas/problem.ts'
import { PROPOSAL_STATUSES } from '../schemas/proposal.ts'

export type Query = Readonly<Record<string, string | string[] | undefined>>

/** `schema` accepts the raw text; `description` completes "must be …". */
type Parameter = { schema: TString; description: string; accepts: (raw: string) => boolean }

/** The largest that every store and every client counts to. */
export const MAX_PAGE = 2 ** 31 - 1

const anyText = (_raw: string): boolean => true

const parameter = (pattern: string, description: string, isInRange = anyText): Parameter => {
  const schema = Type.String({ pattern, description })
  const check = Compile(schema)
  return { schema, description, accepts: (raw) => check.Check(raw) && isInRange(raw) }
}

export const PARAMETERS = {
  page: parameter(
    '^[0-9]+$',
    `an integer from 0 to ${MAX_PAGE}; pages start at 0`,
    (raw) => Number(raw) <= MAX_PAGE,
  ),
  round: parameter(
    '^[1-9][0-9]*$',
    'an integer of at least 1; an expedited vote that fell back has 2',
  ),
  cursor: parameter(
    '^[A-Za-z0-9_-]{1,400}$',
    'page.nextCursor of an earlier page or, where its page has none, the cursor in its links.next, unchanged',
  ),
  status: parameter(
    `^(${PROPOSAL_STATUSES.join('|')})(,(${PROPOSAL_STATUSES.join('|')}))*$`,
    `one or more of ${PROPOSAL_STATUSES.join(', ')}, separated by commas`,
  ),
  proposalId: parameter('^[0-9]{1,20}$', '1 to 20 digits, e.g. 937'),
  proposer: parameter('^[a-z0-9]{1,128}$', 'an account address, e.g. cosmos1…'),
  q: parameter(
    '^[^\\u0000]{1,200}$',
    'a text of 1 to 200 characters, looked for in title and summary',
  ),
} as const
export type ParameterName = keyof typeof PARAMETERS

export type QueryOf<Name extends ParameterName> = Partial<Record<Name, string>>

const mistakeOf = (name: string, raw: Query[string], allowed: readonly string[]): string | null => {
  if (!allowed.includes(name)) {
    const those = allowed.length === 0 ? 'none' : allowed.join(', ')
    return `is not a parameter here; there are ${those}`
  }
  if (Array.isArray(raw)) return 'must be given once'
  const { description, accepts } = PARAMETERS[name as ParameterName]
  return accepts(raw ?? '') ? null : `must be ${description}`
}

/** The parameters that are there. Throws `invalid-parameter` with every mistake. */
export const readQuery = <Name extends ParameterName>(
  query: Query,
  allowed: readonly Name[],
): QueryOf<Name> => {
  if ('access_token' in query) {
    throw tokenNotInHeader()
  }
  const errors: ParameterError[] = []
  for (const [name, raw] of Object.entries(query)) {
    const detail = mistakeOf(name, raw, allowed)
    if (detail !== null) errors.push({ parameter: name, detail })
  }
  if ('page' in query && 'cursor' in query) {
    errors.push({ parameter: 'cursor', detail: 'cannot be combined with page' })
  }
  if (errors.length > 0) throw invalidParameters(errors)
  return query as QueryOf<Name>
}

export const invalidParameters = (errors: readonly ParameterError[]): ApiProblem => {
  const [first] = errors
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return new ApiProblem('invalid-parameter', `${first?.parameter} ${first?.detail}${more}`, {
    errors,
  })
}

/** Of what `readQuery` took. */
export const pageNumber = (raw: string | undefined): number => Number(raw ?? '0')

const MAX_UINT64 = 2n ** 64n - 1n

/** Canonical where the id has no leading zeros; unknown where no chain can have such an id. */
export const readProposalId = (
  raw: string,
): { kind: 'id'; id: string } | { kind: 'other-spelling'; id: string } | { kind: 'unknown' } => {
  if (!/^[0-9]+$/.test(raw)) {
    throw invalidParameters([{ parameter: 'proposalId', detail: 'must be digits only, e.g. 937' }])
  }
  const id = raw.replace(/^0+(?=[0-9])/, '')
  if (id.length > 20 || BigInt(id) > MAX_UINT64) return { kind: 'unknown' }
  return id === raw ? { kind: 'id', id } : { kind: 'other-spelling', id }
}
