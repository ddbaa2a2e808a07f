// Renders the fields of a schema as Markdown tables: shape, meaning and the field with the reason for null.
import { readdirSync } from 'node:fs'
import { EventEnvelope } from '../../ingest/contract/envelope.ts'
import { GovernanceEvent } from '../../ingest/contract/events.ts'

/** The members of a JSON Schema that this page uses. */
export type Schema = {
  type?: string
  title?: string
  description?: string
  'x-reason'?: string
  const?: string | number | boolean
  enum?: (string | number)[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean
  items?: Schema
  anyOf?: Schema[]
  pattern?: string
}

export type Field = { path: string; schema: Schema; isOptional: boolean }

/** The schema and all schemas in it. */
const walk = (schema: Schema): Schema[] => {
  const { properties = {}, items, anyOf = [] } = schema
  const parts = [...Object.values(properties), ...(items ? [items] : []), ...anyOf]
  return [schema, ...parts.flatMap(walk)]
}

const namesInEvents = new Set(
  [EventEnvelope, ...GovernanceEvent.anyOf]
    .flatMap(({ properties }) => Object.values(properties as Record<string, Schema>).flatMap(walk))
    .map(({ title }) => title),
)

const isNamed = (value: unknown): value is Schema & { title: string } =>
  typeof value === 'object' && value !== null && 'title' in value

const CONTRACT = new URL('../../ingest/contract/', import.meta.url)

/** All values that the contract exports: a member of an event can describe the shape in other words. */
const exported: unknown[] = (
  await Promise.all(
    readdirSync(CONTRACT)
      .filter((file) => file.endsWith('.ts'))
      .sort()
      .map((file): Promise<object> => import(new URL(file, CONTRACT).href)),
  )
).flatMap((module) => Object.values(module))

/** Every named shape of a member of an event, by name. */
export const namedShapes: ReadonlyMap<string, Schema> = new Map(
  exported
    .filter(isNamed)
    .filter(({ title }) => namesInEvents.has(title))
    .map((shape): [string, Schema] => [shape.title, shape])
    .sort(([left], [right]) => (left < right ? -1 : 1)),
)

const isNull = ({ type }: Schema): boolean => type === 'null'
export const isNullable = ({ anyOf = [] }: Schema): boolean => anyOf.some(isNull)

const describeOptions = ({ anyOf, enum: values = [] }: Schema): string =>
  (
    anyOf?.map((each) => shapeName(each)) ?? values.map((value) => `\`${JSON.stringify(value)}\``)
  ).join(' or ')

const shapeName = (schema: Schema): string => {
  const { type = 'any JSON', title, items, const: only } = schema
  if (title !== undefined) {
    if (!namedShapes.has(title)) throw new Error(`there is no named shape ${title}`)
    return `[${title}](#${title.toLowerCase()})`
  }
  if (only !== undefined) return `\`${JSON.stringify(only)}\``
  if (schema.anyOf ?? schema.enum) return describeOptions(schema)
  if (items) return `list of ${shapeName(items)}`
  return type
}

/** Objects without a name are described in place. */
const getUnnamedObject = (schema: Schema): Schema | undefined =>
  schema.title === undefined && schema.properties ? schema : undefined

/** Every field; the fields of nested objects without a name follow their parent field. */
export const listFields = ({ properties = {}, required = [] }: Schema, prefix = ''): Field[] =>
  Object.entries(properties).flatMap(([name, schema]): Field[] => {
    const path = `${prefix}${name}`
    const entry = schema.items && getUnnamedObject(schema.items)
    const nested = entry ? listFields(entry, `${path}[].`) : []
    return [{ path, schema, isOptional: !required.includes(name) }, ...nested]
  })

const describeMeaning = ({ description, 'x-reason': reason, items }: Schema): string => {
  const text = description ?? items?.description ?? ''
  return reason === undefined ? text : `${text} Reason: \`${reason}\`.`
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

export const fieldTable = (fields: readonly Field[]): string =>
  [
    '| field | shape | meaning |',
    '|---|---|---|',
    ...fields.map(({ path, schema, isOptional }) => {
      const shape = `${shapeName(schema)}${isOptional ? ', optional' : ''}`
      return `| \`${path}\` | ${cell(shape)} | ${cell(describeMeaning(schema))} |`
    }),
  ].join('\n')

/** A heading for every named shape, so that tables can link to it. */
export const shapeSections = (): string =>
  [...namedShapes]
    .map(([title, schema]) => {
      const { type, pattern, description = '', properties } = schema
      const rule = pattern === undefined ? '' : ` Pattern: \`${pattern}\`.`
      const base = properties ? '' : ` JSON: ${type ?? describeOptions(schema)}.`
      const table = properties ? `\n\n${fieldTable(listFields(schema))}` : ''
      return `### ${title}\n\n${description}${base}${rule}${table}`
    })
    .join('\n\n')
