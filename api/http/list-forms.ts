// Chooses the format of a list by `Accept`: JSON, NDJSON or CSV.
import { CSV_TYPE, JSON_TYPE, type ListType, NDJSON_TYPE } from '../formats/media-types.ts'
import {
  formatCsvRows,
  formatJson,
  formatNdjson,
  getRowTypes,
  type RowFormat,
} from '../formats/rows.ts'
import { ApiProblem } from '../problem.ts'
import type { ListBody } from '../resources/list.ts'
import { createNegotiation } from './negotiate.ts'
import { type Form, JSON_NAME } from './responder.ts'

/** Media types that browsers and some clients send. They get JSON. */
const TAKEN_FOR_JSON = ['text/html', 'application/xhtml+xml', 'application/problem+json'] as const
type Offer = ListType | (typeof TAKEN_FOR_JSON)[number]

const isList = (offer: Offer): offer is ListType =>
  !(TAKEN_FOR_JSON as readonly string[]).includes(offer)

/** Returns undefined if the client accepts none of the types. */
const createListNegotiation = (types: readonly ListType[]) => {
  const negotiate = createNegotiation<Offer>([...types, ...TAKEN_FOR_JSON])
  return (accept: string | undefined): ListType | undefined => {
    const offer = negotiate(accept)
    if (offer === undefined) return undefined
    return isList(offer) ? offer : JSON_TYPE
  }
}

const negotiateAnyList = createListNegotiation([JSON_TYPE, NDJSON_TYPE, CSV_TYPE])

/** True if every list responds with JSON. */
export const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined ||
  accept === '*/*' ||
  accept === JSON_TYPE ||
  negotiateAnyList(accept) === JSON_TYPE

export const JSON_MEDIA_TYPE = `${JSON_TYPE}; charset=utf-8`

export const createJsonForm = <Body>(
  toText: (body: Body) => string = JSON.stringify,
): Form<Body> => ({
  name: JSON_NAME,
  mediaType: JSON_MEDIA_TYPE,
  render: (body) => ({ text: toText(body), fields: [] }),
})

/** Returns the form for an `Accept` header. Throws `not-acceptable`. */
export const createListForms = <Item>(list: RowFormat<Item>) => {
  // JSON is for clients without a preference.
  const types = [JSON_TYPE, ...getRowTypes(list)] as const
  const negotiate = createListNegotiation(types)
  const forms: Record<ListType, Form<ListBody<Item>>> = {
    [JSON_TYPE]: createJsonForm((body) => formatJson(list, body)),
    [NDJSON_TYPE]: {
      name: NDJSON_TYPE,
      mediaType: NDJSON_TYPE,
      render: (body) => formatNdjson(list, body),
    },
    [CSV_TYPE]: {
      name: CSV_TYPE,
      mediaType: `${CSV_TYPE}; charset=utf-8; header=present`,
      render: (body) => formatCsvRows(list, body),
    },
  }
  return (accept: string | undefined): Form<ListBody<Item>> => {
    const type = negotiate(accept)
    if (type === undefined) {
      throw new ApiProblem('not-acceptable', `This list is available as ${types.join(', ')}.`)
    }
    return forms[type]
  }
}
