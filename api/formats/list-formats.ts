// A list in the form that `Accept` asks for: its JSON as it is, its items as lines of JSON, or flat rows of CSV.
import type { FastifyRequest } from 'fastify'
import type { Representation } from '../pages/representations.ts'
import { ApiProblem } from '../problem.ts'
import { createNegotiation } from '../request/negotiate.ts'
import { headOf, rowOf } from './columns.ts'
import { csvOf } from './csv.ts'
import { type ListFacts, readList } from './list-text.ts'
import {
  CSV_TYPE,
  FACT_FIELDS,
  JSON_TYPE,
  LIST_FORMATS,
  type ListOperation,
  type ListType,
  NDJSON_TYPE,
} from './media-types.ts'

/** What browsers and careful clients ask for: JSON is what there is for them. */
const TAKEN_FOR_JSON = ['text/html', 'application/xhtml+xml', 'application/problem+json'] as const
type Offer = ListType | (typeof TAKEN_FOR_JSON)[number]

const isList = (offer: Offer): offer is ListType =>
  !(TAKEN_FOR_JSON as readonly string[]).includes(offer)

/** Undefined where the client takes nothing of what there is. */
const negotiationOf = (types: readonly ListType[]) => {
  const negotiate = createNegotiation<Offer>([...types, ...TAKEN_FOR_JSON])
  return (accept: string | undefined): ListType | undefined => {
    const offer = negotiate(accept)
    if (offer === undefined) return undefined
    return isList(offer) ? offer : JSON_TYPE
  }
}

const anyList = negotiationOf([JSON_TYPE, NDJSON_TYPE, CSV_TYPE])

/** True where every list answers its JSON. */
export const takesJson = (accept: string | undefined): boolean =>
  accept === undefined || anyList(accept) === JSON_TYPE

/** A field takes what is visible in ASCII; a chain's id is not ours. */
const fieldValue = (value: string | number): string => `${value}`.replace(/[^!-~]/g, '_')

const fieldsOf = ({ page, links, asOf }: ListFacts): string[] => {
  const facts = { ...asOf, totalItems: page.totalItems, nextCursor: page.nextCursor ?? null }
  const named = Object.entries(FACT_FIELDS).flatMap(([fact, field]) => {
    const value = facts[fact as keyof typeof facts]
    return value === null ? [] : [field, fieldValue(value)]
  })
  const relations = [
    [links.next, 'rel="next"'],
    [links.prev ?? null, 'rel="prev"'],
    [links.self, `rel="alternate"; type="${JSON_TYPE}"`],
  ] as const
  const link = relations
    .filter(([url]) => url !== null)
    .map(([url, parameters]) => `<${url}>; ${parameters}`)
  return [...named, 'link', link.join(', ')]
}

const linesOf = (operation: ListOperation): Representation => ({
  name: `${operation} ${NDJSON_TYPE}`,
  mediaType: NDJSON_TYPE,
  render: (json) => {
    const { items, facts } = readList(json)
    return { text: items.map((item) => `${item}\n`).join(''), fields: fieldsOf(facts) }
  },
})

const rowsOf = (operation: ListOperation): Representation => ({
  name: `${operation} ${CSV_TYPE}`,
  mediaType: `${CSV_TYPE}; charset=utf-8; header=present`,
  render: (json) => {
    const { items, facts } = readList(json)
    const rows = items.map((item) => rowOf(operation, item))
    return { text: csvOf(headOf(operation), rows), fields: fieldsOf(facts) }
  },
})

/** What a request for a list is answered in; undefined for its JSON. Throws `not-acceptable`. */
export const createListForm = (operation: ListOperation) => {
  const types = LIST_FORMATS[operation]
  const negotiate = negotiationOf(types)
  const forms = {
    [JSON_TYPE]: undefined,
    [NDJSON_TYPE]: linesOf(operation),
    [CSV_TYPE]: rowsOf(operation),
  }
  return ({ headers }: FastifyRequest): Representation | undefined => {
    const type = negotiate(headers.accept)
    if (type === undefined) {
      throw new ApiProblem('not-acceptable', `This list is there as ${types.join(', ')}.`)
    }
    return forms[type]
  }
}
