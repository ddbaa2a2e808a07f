// Components of the OpenAPI description: the schemas of responses, found from the answers of the operations. Pure.
// The title of a schema is the name of its component, to which every use refers. So generators of clients make one type of it.
import type { TSchema } from 'typebox'
import { isJsonObject, type JsonObject } from '../../../ingest/contract/json.ts'
import { OPERATIONS } from '../../resources/operations.ts'
import { ProblemBody } from '../../schemas/problem.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }

type Reference = { $ref: string }

const toReference = (name: string): Reference => ({ $ref: `#/components/schemas/${name}` })

/** The name of its component. A text, a number or a boolean has none: its title is the name of a kind of value. */
const findName = ({ title, type, enum: values, anyOf }: JsonSchema): string | undefined => {
  const isSimple = type !== 'object' && values === undefined && anyOf === undefined
  return typeof title === 'string' && !isSimple ? title : undefined
}

/** The reference to a schema with a name. */
export const refTo = (schema: TSchema): Reference => {
  const name = findName(schema as JsonSchema)
  if (name === undefined) throw new Error('the schema of a body has no title')
  return toReference(name)
}

const omitConstant = ({ const: _, ...schema }: JsonObject): JsonObject => schema

const isConstant = (branch: JsonObject): boolean => 'const' in branch

/** Constants become an `enum` of texts. Null becomes one of the types of a text, a number or a boolean, but not of a component or a list. */
const simplifySchema = (schema: JsonObject): JsonObject => {
  const { anyOf, ...rest } = schema
  // Generators take a constant for a text, and then refuse `true`.
  if (schema['type'] === 'boolean') return omitConstant(schema)
  if (Array.isArray(schema['enum'])) return { type: 'string', ...schema }
  if (!Array.isArray(anyOf)) return schema
  const branches = anyOf.filter(isJsonObject)
  if (branches.every(isConstant)) {
    return { type: 'string', enum: branches.map((branch) => branch['const']), ...rest }
  }
  const [first, second] = branches
  const isSimple = typeof first?.['type'] === 'string' && !/^(?:object|array)$/.test(first['type'])
  if (!isSimple || second?.['type'] !== 'null' || branches.length > 2) return schema
  return { ...first, ...rest, type: [first['type'], 'null'] }
}

type Components = Map<string, { json: string; schema: JsonSchema }>

const mapValues = (values: object, convert: (value: JsonSchema) => unknown): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, convert(value)]))

/** Adds the components that the schema refers to. */
const toSchema = (schema: JsonSchema, components: Components): JsonObject => {
  const convert = (value: JsonSchema) => toSchema(value, components)
  const converters: Readonly<Record<string, (value: object) => unknown>> = {
    properties: (value) => mapValues(value, convert),
    items: (value) => convert(value as JsonSchema),
    anyOf: (value) => (value as JsonSchema[]).map(convert),
  }
  const { $id: _, title: __, ...members } = schema
  const converted = simplifySchema(
    Object.fromEntries(
      Object.entries(members).map(([key, value]) => [
        key,
        converters[key]?.(value as object) ?? value,
      ]),
    ),
  )
  const name = findName(schema)
  if (name !== undefined) return addComponent(name, nameValues(name, converted), components)
  const names = Object.keys((schema['properties'] as object | undefined) ?? {})
  if (names.length > 0) throw new Error(`the object of ${names.join(', ')} has no title`)
  return converted
}

/** A client for Go has one namespace for the values of all enumerations, so they begin with the name of their own. */
const nameValues = (name: string, schema: JsonObject): JsonObject => {
  const { enum: values } = schema
  if (!Array.isArray(values)) return schema
  const words = name.replace(/\B(?=[A-Z])/g, '_')
  return { ...schema, 'x-enum-varnames': values.map((value) => `${words}_${value}`.toUpperCase()) }
}

const addComponent = (name: string, schema: JsonObject, components: Components): Reference => {
  const json = JSON.stringify({ ...schema, description: '' })
  const known = components.get(name)
  if (known && known.json !== json) throw new Error(`two different schemas have the title ${name}`)
  if (!known) components.set(name, { json, schema })
  return toReference(name)
}

/** In the order of their names. */
export const schemaComponents = (): Readonly<Record<string, JsonSchema>> => {
  const components: Components = new Map()
  const answers = OPERATIONS.map(({ answer }) => answer).filter((answer) => answer !== null)
  for (const schema of [...answers, ProblemBody]) toSchema(schema as JsonSchema, components)
  return Object.fromEntries(
    [...components]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { schema }]) => [name, schema]),
  )
}
