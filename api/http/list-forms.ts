// Chooses the format of a list by the parameter `format` or by `Accept`: JSON, NDJSON or CSV.

import { createNegotiation } from '../../infra/base/http/negotiate.ts'
import {
  CSV_TYPE,
  formatCsvRows,
  formatJson,
  formatNdjson,
  getRowTypes,
  JSON_MEDIA_TYPE,
  JSON_TYPE,
  type ListType,
  NDJSON_TYPE,
} from '../formats/rows.ts'
import { ApiProblem } from '../read/problems.ts'
import type { ListBody } from '../resources/list.ts'
import type { ListFormat } from '../resources/parameters.ts'
import type { Columns } from '../schemas/columns.ts'
import { addFormat } from '../view/paths.ts'
import { type AnswerForm, JSON_NAME } from './responder.ts'

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

export const createJsonForm = <Body>(
  toText: (body: Body) => string = JSON.stringify,
): AnswerForm<Body> => ({
  name: JSON_NAME,
  mediaType: JSON_MEDIA_TYPE,
  render: (body) => ({ text: toText(body), fields: [] }),
})

const FORMAT_TYPES: Readonly<Record<ListFormat, ListType>> = {
  json: JSON_TYPE,
  ndjson: NDJSON_TYPE,
  csv: CSV_TYPE,
}

/** The links to other pages have the format too. `self` stays the URL of the JSON. */
const withFormat = <Item>(body: ListBody<Item>, format: ListFormat): ListBody<Item> => {
  const links = Object.entries(body.links).map(([relation, url]) => [
    relation,
    url === null || relation === 'self' ? url : addFormat(url, format),
  ])
  return { ...body, links: Object.fromEntries(links) }
}

/** A name for a browser, from the path and the page number: `proposals-7-votes-page-1.csv`. */
const createFileName = ({ links }: ListBody<unknown>, format: ListFormat): string => {
  const [path = '', query] = links.self.replace(/^.*?\/api\//, '').split('?')
  const page = Number(new URLSearchParams(query).get('page'))
  const name = page > 0 ? `${path}-page-${page}` : path
  return `${name.replace(/[^\w.-]+/g, '-')}.${format}`
}

/** The form that a request names by `format`. */
const nameForm = <Item>(
  form: AnswerForm<ListBody<Item>>,
  format: ListFormat,
): AnswerForm<ListBody<Item>> => ({
  ...form,
  name: `format=${format}`,
  render: (body) => {
    const { text, fields } = form.render(withFormat(body, format))
    if (format === 'json') return { text, fields }
    const disposition = `attachment; filename="${createFileName(body, format)}"`
    return { text, fields: [...fields, 'content-disposition', disposition] }
  },
})

/** What a request says about the format. A named format takes precedence over `Accept`. */
type FormatRequest = { accept: string | undefined; format: ListFormat | undefined }

/** Returns the form for a request. Throws `not-acceptable`. */
export const createListForms = <Item>(list: { columns: Columns<Item> | null }) => {
  // JSON is for clients without a preference.
  const types = [JSON_TYPE, ...getRowTypes(list)] as const
  const negotiate = createListNegotiation(types)
  const forms: Record<ListType, AnswerForm<ListBody<Item>>> = {
    [JSON_TYPE]: createJsonForm(formatJson),
    [NDJSON_TYPE]: {
      name: NDJSON_TYPE,
      mediaType: NDJSON_TYPE,
      render: formatNdjson,
    },
    [CSV_TYPE]: {
      name: CSV_TYPE,
      mediaType: `${CSV_TYPE}; charset=utf-8; header=present`,
      render: (body) => formatCsvRows(list, body),
    },
  }
  const named: Record<ListFormat, AnswerForm<ListBody<Item>>> = {
    json: nameForm(forms[FORMAT_TYPES.json], 'json'),
    ndjson: nameForm(forms[FORMAT_TYPES.ndjson], 'ndjson'),
    csv: nameForm(forms[FORMAT_TYPES.csv], 'csv'),
  }
  return ({ accept, format }: FormatRequest): AnswerForm<ListBody<Item>> => {
    if (format !== undefined) return named[format]
    const type = negotiate(accept)
    if (type === undefined) {
      throw new ApiProblem('not-acceptable', `This list is available as ${types.join(', ')}.`)
    }
    return forms[type]
  }
}
