// What an explainer is given and what it returns. Explainers are pure, and they never throw, whatever a message has in it.
import type { Explanation } from '../schemas/explanation.ts'
import type { JsonObject } from './members.ts'
import type { ObservationLookup } from './observations.ts'
import type { UnitLookup } from './units.ts'

/** A parameter that the message of that index changes; null where there is no value. */
export type ParameterChange = { message: number; path: string; from: unknown; to: unknown }

/** An explanation before it has the index and the type of its message. */
export type Explained = Omit<Explanation, 'message' | 'type'>

export type ExplainContext = {
  findObservation: ObservationLookup
  findUnit: UnitLookup
  earlierBlock: { height: number; time: string } | null
  submission: { height: number; time: string } | null
  /** The parameters that this message changes; null where that is not known. */
  changes: readonly Omit<ParameterChange, 'message'>[] | null
  changesReason: string | null
  /** Explains a message that is inside this one. */
  explainNested: (message: unknown) => Explained & { type: string }
}

/** Undefined where the message does not have the members that its type should have. */
export type Explainer = (message: JsonObject, at: ExplainContext) => Explained | undefined
