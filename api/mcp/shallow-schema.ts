// The output schema of a tool: the members of a result with their types, without what is inside them. Pure.
// A full schema costs an assistant more than a result. `/openapi.json` describes each member.
import { type TObject, type TSchema, Type } from 'typebox'

type Schema = {
  type?: unknown
  anyOf?: readonly TSchema[]
  items?: TSchema
  enum?: readonly unknown[]
  const?: unknown
}

const typeOf = (value: unknown): string => (value === null ? 'null' : typeof value)

/** One for each type of its values; none if any value is valid. */
const listShallow = ({ type, items = {}, anyOf, enum: values, ...rest }: Schema): object[] => {
  if (anyOf) return anyOf.flatMap(listShallow)
  if (values) return values.map((value) => ({ type: typeOf(value) }))
  if (type === 'array') return [{ type, items: toShallowMember(items) }]
  if (typeof type === 'string') return [{ type }]
  return 'const' in rest ? [{ type: typeOf(rest.const) }] : []
}

/** The types alone. A list says the types of its items. */
const toShallowMember = (schema: TSchema): TSchema => {
  const distinct = new Map(listShallow(schema).map((each) => [JSON.stringify(each), each]))
  const [first = {}, ...others] = distinct.values()
  return Type.Unsafe(others.length === 0 ? first : { anyOf: [first, ...others] })
}

export const toShallow = ({ properties, required }: TObject): TObject =>
  Type.Unsafe({
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [name, toShallowMember(schema)]),
    ),
    required,
  }) as unknown as TObject
