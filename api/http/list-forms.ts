// Chooses the format of a list by the parameter `format` or by `Accept`: JSON, NDJSON or CSV.

import { createNegotiation } from '../../infra/base/http/negotiate.ts'
import { FORMATS, JSON_MEDIA_TYPE } from '../formats/rows.ts'
import { ApiProblem } from '../read/problems.ts'
import type { ListBody } from '../resources/list.ts'
import { LIST_FORMATS, type ListFormat, NESTED_FORMATS } from '../resources/parameters.ts'
import type { Columns } from '../schemas/columns.ts'
import { addFormat } from '../view/paths.ts'
import { type AnswerForm, JSON_NAME } from './responder.ts'

/** Media types that browsers and some clients send. They get JSON. */
const TAKEN_FOR_JSON = ['text/html', 'application/xhtml+xml', 'application/problem+json'] as const

/** Returns undefined if the client accepts none of the types. */
const createFormatNegotiation = (formats: readonly ListFormat[]) => {
  const types = formats.map((format) => FORMATS[format].type)
  const negotiate = createNegotiation<string>([...types, ...TAKEN_FOR_JSON])
  return (accept: string | undefined): ListFormat | undefined => {
    const type = negotiate(accept)
    if (type === undefined) return undefined
    return formats.find((format) => FORMATS[format].type === type) ?? 'json'
  }
}

const negotiateAnyList = createFormatNegotiation(LIST_FORMATS)

/** True if every list responds with JSON. */
export const acceptsJson = (accept: string | undefined): boolean =>
  accept === undefined ||
  accept === '*/*' ||
  accept === FORMATS.json.type ||
  negotiateAnyList(accept) === 'json'

export const createJsonForm = <Body>(): AnswerForm<Body> => ({
  name: JSON_NAME,
  mediaType: JSON_MEDIA_TYPE,
  render: (body) => ({ text: JSON.stringify(body), fields: [] }),
})

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

/** What a request says about the format. A named format takes precedence over `Accept`. */
type FormatRequest = { accept: string | undefined; format: ListFormat | undefined }

/** Returns the form for a request. Throws `not-acceptable`. */
export const createListForms = <Item>({ columns }: { columns: Columns<Item> | null }) => {
  // JSON is for clients without a preference.
  const formats = columns === null ? NESTED_FORMATS : LIST_FORMATS
  const negotiate = createFormatNegotiation(formats)
  const createForm = (format: ListFormat): AnswerForm<ListBody<Item>> => ({
    name: format,
    mediaType: FORMATS[format].mediaType,
    render: (body) => FORMATS[format].write(body, columns ?? {}),
  })
  /** The form that a request names by `format`. */
  const createNamed = (format: ListFormat): AnswerForm<ListBody<Item>> => {
    const form = createForm(format)
    return {
      ...form,
      name: `format=${format}`,
      render: (body) => {
        const { text, fields } = form.render(withFormat(body, format))
        if (format === 'json') return { text, fields }
        const disposition = `attachment; filename="${createFileName(body, format)}"`
        return { text, fields: [...fields, 'content-disposition', disposition] }
      },
    }
  }
  return ({ accept, format }: FormatRequest): AnswerForm<ListBody<Item>> => {
    if (format !== undefined) return createNamed(format)
    const accepted = negotiate(accept)
    if (accepted !== undefined) return createForm(accepted)
    const types = formats.map((each) => FORMATS[each].type).join(', ')
    throw new ApiProblem('not-acceptable', `This list is available as ${types}.`)
  }
}
