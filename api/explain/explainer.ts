// Defines explainers as data: the types of a message, the members that it needs, a sentence, and details.
// Explainers are pure and never throw, whatever a message contains.
import type { JsonObject } from '../../ingest/contract/json.ts'
import type { ParameterChange, ProposalContext } from '../../projections/contract/proposal-json.ts'
import type { Explanation } from '../schemas/explanation.ts'
import type { Detail } from './details.ts'
import type { ObservationLookup } from './observations.ts'
import type { UnitLookup } from './units.ts'

/** An explanation before it has the index and the type of its message. */
export type Explained = Omit<Explanation, 'message' | 'type'>

export type ExplainContext = {
  findObservation: ObservationLookup
  findUnit: UnitLookup
  earlierBlock: ProposalContext['earlierBlock']
  submission: { height: number; time: string } | null
  /** The parameters that this message changes; null if they are not known. */
  changes: readonly Omit<ParameterChange, 'message'>[] | null
  changesReason: string | null
  /** Explains a nested message. */
  explainNested: (message: unknown) => Explained & { type: string }
}

/** Undefined if the message lacks the members of its type. */
export type Explainer = (message: JsonObject, at: ExplainContext) => Explained | undefined

export type TypedExplainer = { types: readonly string[]; explain: Explainer }

/** Reads a member of a message. Undefined if it is missing or has another type. */
type Reader<Value> = (message: unknown, name: string) => Value | undefined
type Readers = Readonly<Record<string, Reader<unknown>>>

/** A message with the members that its explainer requires. */
type Checked<Required extends Readers> = JsonObject & {
  readonly [Name in keyof Required]: Exclude<ReturnType<Required[Name]>, undefined>
}

const hasRequired = <Required extends Readers>(
  message: JsonObject,
  required: Required,
): message is Checked<Required> =>
  Object.keys(required).every((name) => message[name] !== undefined)

type Definition<Required extends Readers> = {
  /** Messages and legacy contents with the same members. */
  types: readonly string[]
  title: string
  /** A message without one of these members has the generic explanation. */
  required: Required
  summary: (message: Checked<Required>, at: ExplainContext) => string
  /** In order. Each adds any number of details. */
  details: readonly ((
    message: Checked<Required>,
    at: ExplainContext,
  ) => Detail | readonly Detail[] | undefined)[]
}

export const defineExplainer = <Required extends Readers>({
  types,
  title,
  required,
  summary,
  details,
}: Definition<Required>): TypedExplainer => ({
  types,
  explain: (message, at) => {
    const members = Object.entries(required).map(([name, read]) => [name, read(message, name)])
    const checked: JsonObject = { ...message, ...Object.fromEntries(members) }
    if (!hasRequired(checked, required)) return undefined
    return {
      title,
      summary: summary(checked, at),
      details: details.flatMap((toDetails) => toDetails(checked, at) ?? []),
    }
  },
})
