// A schema as rows of a table: what each member is called, what it is, what it means. Pure.
import { type Html, type HtmlValue, html } from '../../../infra/html/html.ts'
import type { JsonSchema } from '../openapi/types.ts'
import { inline, parted } from './html.ts'

type Row = readonly [name: HtmlValue, type: HtmlValue, meaning: HtmlValue]

const REFERENCE = '#/components/schemas/'

const nameIn = ({ $ref }: JsonSchema): string | undefined =>
  typeof $ref === 'string' ? $ref.slice(REFERENCE.length) : undefined

const listOf = (value: unknown): readonly JsonSchema[] =>
  Array.isArray(value) ? (value as JsonSchema[]) : []

const linkTo = (name: string): Html => html`<a href="#schema-${name}">${name}</a>`

const shownValue = (value: unknown): Html => html`<code>${JSON.stringify(value)}</code>`

export const typeOf = (schema: JsonSchema): HtmlValue => {
  const name = nameIn(schema)
  if (name !== undefined) return linkTo(name)
  const branches = listOf(schema['anyOf'])
  if (branches.length > 0) return parted(branches.map(typeOf), ' or ')
  if (Array.isArray(schema['enum'])) return parted(schema['enum'].map(shownValue), ' ')
  const { type, const: constant, items } = schema
  if (constant !== undefined) return shownValue(constant)
  if (type === 'array') return ['list of ', typeOf((items ?? {}) as JsonSchema)]
  if (Array.isArray(type)) return type.join(' or ')
  return typeof type === 'string' ? type : 'anything'
}

/** What lies inside a member: of an object, of the items of a list, of the one thing that it is when it is not null. */
const inside = (schema: JsonSchema): JsonSchema => {
  const items = schema['items'] as JsonSchema | undefined
  if (items) return inside(items)
  const branches = listOf(schema['anyOf']).filter((branch) => branch['type'] !== 'null')
  const [only] = branches
  return branches.length === 1 && only ? inside(only) : schema
}

const rowsOf = (schema: JsonSchema, prefix: string): Row[] => {
  const parts = listOf(schema['allOf'])
  if (parts.length > 0) return parts.flatMap((part) => rowsOf(part, prefix))
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  return Object.entries(properties).flatMap(([name, member]): Row[] => {
    const path = `${prefix}${name}`
    const content = inside(member)
    const meaning = (member['description'] ?? content['description'] ?? '') as string
    const row: Row = [html`<code>${path}</code>`, typeOf(member), inline(meaning)]
    return [row, ...(nameIn(content) === undefined ? rowsOf(content, `${path}.`) : [])]
  })
}

export const schemaRows = (schema: JsonSchema): readonly Row[] => rowsOf(schema, '')
