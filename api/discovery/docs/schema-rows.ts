// The members of a schema as table rows: name, type and description. Pure.
import { type Html, type HtmlValue, html } from '../../../infra/base/html/html.ts'
import type { JsonSchema } from '../openapi/types.ts'
import { inline, joinHtml } from './html.ts'

type Row = readonly [name: HtmlValue, type: HtmlValue, meaning: HtmlValue]

const REFERENCE = '#/components/schemas/'

const getReferenceName = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.slice(REFERENCE.length) : undefined

const toSchemas = (value: unknown): readonly JsonSchema[] =>
  Array.isArray(value) ? (value as JsonSchema[]) : []

const linkTo = (name: string): Html => html`<a href="#schema-${name}">${name}</a>`

const shownValue = (value: unknown): Html => html`<code>${JSON.stringify(value)}</code>`

export const renderType = (schema: JsonSchema): HtmlValue => {
  const name = getReferenceName(schema)
  if (name !== undefined) return linkTo(name)
  const branches = toSchemas(schema['anyOf'])
  if (branches.length > 0) return joinHtml(branches.map(renderType), ' or ')
  if (Array.isArray(schema['enum'])) return joinHtml(schema['enum'].map(shownValue), ' ')
  const { type, const: constant, items } = schema
  if (constant !== undefined) return shownValue(constant)
  if (type === 'array') return ['array of ', renderType((items ?? {}) as JsonSchema)]
  if (Array.isArray(type)) return type.join(' or ')
  return typeof type === 'string' ? type : 'any'
}

/** The schema inside arrays and nullable unions: it has the nested members. */
const unwrapSchema = (schema: JsonSchema): JsonSchema => {
  const items = schema['items'] as JsonSchema | undefined
  if (items) return unwrapSchema(items)
  const branches = toSchemas(schema['anyOf']).filter((branch) => branch['type'] !== 'null')
  const [only] = branches
  return branches.length === 1 && only ? unwrapSchema(only) : schema
}

const toRows = (schema: JsonSchema, prefix: string): Row[] => {
  const parts = toSchemas(schema['allOf'])
  if (parts.length > 0) return parts.flatMap((part) => toRows(part, prefix))
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  return Object.entries(properties).flatMap(([name, member]): Row[] => {
    const path = `${prefix}${name}`
    const content = unwrapSchema(member)
    const meaning = (member['description'] ?? content['description'] ?? '') as string
    const row: Row = [html`<code>${path}</code>`, renderType(member), inline(meaning)]
    return [row, ...(getReferenceName(content) === undefined ? toRows(content, `${path}.`) : [])]
  })
}

export const schemaRows = (schema: JsonSchema): readonly Row[] => toRows(schema, '')
