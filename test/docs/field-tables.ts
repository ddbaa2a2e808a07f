// Renders the fields of a schema as Markdown tables: shape, meaning and the field with the reason for null.
import { EarlierBlock, StateObservation } from '../../ingest/contract/context-events.ts'
import { Delegation } from '../../ingest/contract/delegation.ts'
import { Omission } from '../../ingest/contract/envelope.ts'
import * as members from '../../ingest/contract/event-members.ts'
import * as facts from '../../ingest/contract/facts.ts'
import { FoundVote, History } from '../../ingest/contract/history-events.ts'
import { Limitation } from '../../ingest/contract/limitations.ts'
import { ConsensusKey, ConsensusValidator, ProofOp } from '../../ingest/contract/proof-events.ts'
import { AdoptedRule } from '../../ingest/contract/tally-events.ts'
import { TallyRule, TallyStrategy } from '../../ingest/contract/tally-rule.ts'
import { StakeChange, VoteState } from '../../ingest/contract/voters.ts'

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

const isNamed = (value: unknown): value is Schema & { title: string } =>
  typeof value === 'object' && value !== null && 'title' in value

const exported: unknown[] = [
  ...Object.values(facts),
  ...Object.values(members),
  Delegation,
  StakeChange,
  VoteState,
  StateObservation,
  EarlierBlock,
  Omission,
  ConsensusKey,
  ConsensusValidator,
  Limitation,
  FoundVote,
  History,
  ProofOp,
  TallyRule,
  AdoptedRule,
  TallyStrategy,
]

/** Every named shape by name. */
export const namedShapes: ReadonlyMap<string, Schema> = new Map(
  exported
    .filter(isNamed)
    .map((shape): [string, Schema] => [shape.title, shape])
    .sort(([left], [right]) => (left < right ? -1 : 1)),
)

const isNull = ({ type }: Schema): boolean => type === 'null'
export const isNullable = ({ anyOf = [] }: Schema): boolean => anyOf.some(isNull)

const shapeName = (schema: Schema): string => {
  const { type = 'any JSON', title, items, anyOf, const: only } = schema
  if (title !== undefined) {
    if (!namedShapes.has(title)) throw new Error(`there is no named shape ${title}`)
    return `[${title}](#${title.toLowerCase()})`
  }
  if (only !== undefined) return `\`${JSON.stringify(only)}\``
  if (anyOf) return anyOf.map((each) => shapeName(each)).join(' or ')
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

const describeOptions = ({ anyOf, enum: values = [] }: Schema): string =>
  (anyOf?.map(shapeName) ?? values.map((value) => `\`${JSON.stringify(value)}\``)).join(' or ')

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
