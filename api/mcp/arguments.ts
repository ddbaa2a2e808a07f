// Validates the arguments of a tool and converts them to a request of the read API. Each error says what is expected. Pure.
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { isJsonObject } from '../../ingest/contract/json.ts'
import {
  getParameter,
  invalidParameters,
  PARAMETERS,
  type ParameterName,
  parseProposalId,
} from '../resources/parameters.ts'
import type { ParameterError } from '../schemas/problem.ts'
import { TOOLS, type Tool } from './tools.ts'

export type PageRequest = {
  params: Record<string, string>
  query: Record<string, string>
  /** The maximum number of rows. */
  limit?: number
}

type SchemaWithDescription = TSchema & { description?: string }

const describeArgument = ({ inputSchema, operation }: Tool, name: string): string => {
  if (Object.hasOwn(PARAMETERS, name)) {
    return getParameter(name as ParameterName, operation.parameters).description
  }
  const { description = '' }: SchemaWithDescription = inputSchema.properties[name] ?? {}
  return `${description.charAt(0).toLowerCase()}${description.slice(1)}`
}

/** Completes "must be …". Adds "a string" if the value has another type. */
const describeExpected = (tool: Tool, name: string, value: unknown): string => {
  const schema = tool.inputSchema.properties[name]
  const isText = (schema as { type?: unknown }).type === 'string'
  const what = isText && typeof value !== 'string' ? 'a string: ' : ''
  return `${what}${describeArgument(tool, name)}`
}

const checks = new Map<TSchema, Validator>()
for (const { inputSchema } of TOOLS) {
  for (const schema of Object.values(inputSchema.properties)) checks.set(schema, Compile(schema))
}

const findMistakes = (tool: Tool, given: Readonly<Record<string, unknown>>): ParameterError[] => {
  const { properties, required = [] } = tool.inputSchema
  const names = Object.keys(properties)
  const expected =
    names.length === 0 ? 'it has no arguments' : `its arguments are ${names.join(', ')}`
  const unknown = Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => ({
      parameter: name.slice(0, 64),
      detail: `is not an argument of ${tool.name}; ${expected}`,
    }))
  const missing = required
    .filter((name) => !Object.hasOwn(given, name))
    .map((name) => ({ parameter: name, detail: 'is required' }))
  const wrong = Object.entries(properties)
    .filter(
      ([name, schema]) => Object.hasOwn(given, name) && !checks.get(schema)?.Check(given[name]),
    )
    .map(([name]) => ({
      parameter: name,
      detail: `must be ${describeExpected(tool, name, given[name])}`,
    }))
  return [...unknown, ...missing, ...wrong]
}

type Given = Readonly<Record<string, unknown>>
type ArgumentSchema = { type?: unknown; default?: unknown }

/** An integer beyond 2^53 has lost digits, so it stays a number and is refused. */
const normalizeValue = (value: unknown, { type }: ArgumentSchema): unknown => {
  if (type === 'string') return Number.isSafeInteger(value) ? `${value}` : value
  if (typeof value !== 'string') return value
  if (type === 'array') return value.split(',')
  return type === 'integer' && /^-?[0-9]{1,15}$/.test(value) ? Number(value) : value
}

/** Clients send an omitted argument as null, as an empty text or list, or as its declared default. */
const isEmpty = (value: unknown, { default: usual }: ArgumentSchema): boolean =>
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (usual !== undefined && value === usual)

/** Clients send digits as a number, a number as text, and a list as a text with commas. */
const normalizeArguments = ({ inputSchema }: Tool, given: Given): Record<string, unknown> => {
  const { properties } = inputSchema
  const required: readonly string[] = inputSchema.required ?? []
  const normalized = Object.entries(given).flatMap(([name, value]): [string, unknown][] => {
    if (!Object.hasOwn(properties, name)) return [[name, value]]
    const schema = properties[name] as ArgumentSchema
    if (isEmpty(value, schema) && !required.includes(name)) return []
    const known = normalizeValue(value, schema)
    return isEmpty(known, schema) && !required.includes(name) ? [] : [[name, known]]
  })
  return Object.fromEntries(normalized)
}

/** Without leading zeros. */
const toCanonicalId = (raw: string): string => {
  const read = parseProposalId(raw)
  return read.kind === 'unknown' ? raw : read.id
}

/** Throws `ApiProblem`. */
export const parseArguments = (tool: Tool, given: unknown = {}): PageRequest => {
  if (!isJsonObject(given)) {
    throw invalidParameters([{ parameter: 'arguments', detail: 'must be an object' }])
  }
  const normalized = normalizeArguments(tool, given)
  const mistakes = findMistakes(tool, normalized)
  if (mistakes.length > 0) throw invalidParameters(mistakes)
  const request: PageRequest = { params: {}, query: {} }
  for (const [name, value] of Object.entries(normalized)) {
    if (name === 'limit') {
      request.limit = Number(value)
      continue
    }
    const target = tool.path.includes(`{${name}}`) ? request.params : request.query
    target[name] = name === 'proposalId' ? toCanonicalId(`${value}`) : `${value}`
  }
  return request
}
