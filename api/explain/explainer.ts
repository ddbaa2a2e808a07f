// The types of explainers. Explainers are pure and never throw, whatever a message contains.
import type { Explanation } from '../schemas/explanation.ts'
import type { JsonObject } from './members.ts'
import type { ObservationLookup } from './observations.ts'
import type { UnitLookup } from './units.ts'

/** A parameter that the message with this index changes. A missing value is null. */
export type ParameterChange = { message: number; path: string; from: unknown; to: unknown }

/** An explanation before it has the index and the type of its message. */
export type Explained = Omit<Explanation, 'message' | 'type'>

export type ExplainContext = {
  findObservation: ObservationLookup
  findUnit: UnitLookup
  earlierBlock: { height: number; time: string } | null
  submission: { height: number; time: string } | null
  /** The parameters that this message changes; null if they are not known. */
  changes: readonly Omit<ParameterChange, 'message'>[] | null
  changesReason: string | null
  /** Explains a nested message. */
  explainNested: (message: unknown) => Explained & { type: string }
}

/** Undefined if the message lacks the members of its type. */
export type Explainer = (message: JsonObject, at: ExplainContext) => Explained | undefined
