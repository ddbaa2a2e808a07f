// Defines explainers as data: the types of a message, a title, a sentence, and a list of details.
// Explainers are pure and never throw, whatever a message contains.
import type { JsonObject } from '../../ingest/contract/json.ts'
import type { ParameterChange } from '../../projections/contract/proposal-json.ts'
import type { UnitLookup } from './amounts.ts'
import type { Detail, Explained } from './details.ts'
import { getText } from './members.ts'

export type ExplainContext = {
  findUnit: UnitLookup
  /** The parameters that this message changes; null if they are not known. */
  changes: readonly Omit<ParameterChange, 'message'>[] | null
  changesReason: string | null
  /** Explains a nested message. */
  explainNested: (message: unknown) => Explained & { type: string }
}

/** Undefined if the message lacks the members of its type. */
export type Explainer = (message: JsonObject, at: ExplainContext) => Explained | undefined

export type TypedExplainer = { types: readonly string[]; explain: Explainer }

/** A text from a message. Undefined if it has none. */
export type Part = (message: unknown, at: ExplainContext) => string | undefined

/** Any number of details. */
export type ToDetails = (
  message: unknown,
  at: ExplainContext,
) => Detail | readonly Detail[] | undefined

type Definition = {
  /** Messages and legacy contents with the same members. */
  types: readonly string[]
  title: string
  /** The members, besides those of the summary, without which a message has the generic explanation. */
  required?: readonly string[]
  /** Without one of its parts, a message has the generic explanation. */
  summary: Part
  /** In order. */
  details: readonly ToDetails[]
}

export const defineExplainer = ({
  types,
  title,
  required = [],
  summary,
  details,
}: Definition): TypedExplainer => ({
  types,
  explain: (message, at) => {
    const sentence = summary(message, at)
    const lacks = required.some((name) => getText(message, name) === undefined)
    if (sentence === undefined || lacks) return undefined
    return {
      title,
      summary: sentence,
      details: details.flatMap((toDetails) => toDetails(message, at) ?? []),
    }
  },
})
