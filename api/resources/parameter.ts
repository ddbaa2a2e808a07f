// How a query parameter is declared: its validation, its conversion and its words in documents and tools.
import { type TSchema, type TString, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { AddressPrefixes } from '../read/queries/addresses.ts'

/** Whose address a parameter is: the operator of a pool has a prefix of its own. */
export type AddressRole = keyof AddressPrefixes

/** The keywords of a parameter as an argument of a tool. Its pattern is left out if the API explains it better in an error. */
export type ArgumentKeywords = { pattern?: string; maxLength?: number; description: string }

export type Parameter<Value> = {
  /** The schema of the text. */
  schema: TString
  /** Completes "must be …". */
  description: string
  /** For documents, if it is more than which values are accepted. */
  meaning?: string
  accepts: (raw: string) => boolean
  /** Converts an accepted text. */
  parse: (raw: string) => Value
  /** True for a list: its values are repeated (`a=1&a=2`), or separated by commas. */
  isList?: boolean
  /** The schema of the value, if it is not a string. */
  value?: TSchema
  example?: unknown
  /** As an argument of a tool; by default with its description. */
  argument?: ArgumentKeywords
  /** Whose address it is. */
  role?: AddressRole
}

export const asText = (raw: string): string => raw

export const createParameter = <Value>(
  pattern: string,
  description: string,
  rest: Omit<Parameter<Value>, 'schema' | 'description' | 'accepts'> & {
    isInRange?: (raw: string) => boolean
  },
): Parameter<Value> => {
  const { isInRange = () => true, ...others } = rest
  const schema = Type.String({ pattern, description })
  const check = Compile(schema)
  return { ...others, schema, description, accepts: (raw) => check.Check(raw) && isInRange(raw) }
}

/** A sentence without its end, for documents. */
export const describeParameter = ({ description, meaning }: Parameter<unknown>): string =>
  meaning ?? `${description.charAt(0).toUpperCase()}${description.slice(1)}`
