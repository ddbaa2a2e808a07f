// A page for people: where it is, how a request for it is read, and what it says.
import type { RequestParser } from '../resources/operation.ts'
import type { RawQuery } from '../resources/parameters.ts'
import type { Paginated } from '../view/blocks.tsx'
import type { Document } from '../view/page.tsx'
import type { PageContext } from '../view/paths.ts'

export type Page<Data> = {
  /** The name in metrics. */
  name: string
  /** With `:name` for each parameter. */
  path: string
  parseRequest: RequestParser<Data>['parseRequest']
  /** Pure, because its renderings are cached. */
  write(data: Data, at: PageContext): Document
  /** True for data that cannot change any more: it misses nothing while the service is behind. */
  isSettled?(data: Data): boolean
}

/** HTML forms also send empty fields. */
export const omitEmptyFields = (query: RawQuery): RawQuery =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))

/** The parser of a page with a form. */
export const parseForm =
  <Data>({ parseRequest }: RequestParser<Data>): RequestParser<Data>['parseRequest'] =>
  ({ params, query }) =>
    parseRequest({ params, query: omitEmptyFields(query) })

type ListData = Paginated & { asOf: NonNullable<Document['asOf']> }

/** The document of one page of a list. */
export const listDocument = (
  { page, links, asOf }: ListData,
  { baseUrl }: Pick<PageContext, 'baseUrl'>,
  text: Omit<Document, 'json' | 'asOf' | 'page'>,
): Document => ({ ...text, page, asOf, json: links.self.slice(baseUrl.length) })
