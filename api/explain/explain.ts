// Explains the messages of a proposal, with a table of explainers for common types and a generic one for others.
import { toUpstreamGovType } from '../../ingest/contract/gov-type.ts'
import { isJsonObject, type JsonObject } from '../../ingest/contract/json.ts'
import type { ParameterChange } from '../../projections/contract/proposal-json.ts'
import type { DisplayUnit } from '../display-unit.ts'
import { type Explanation, MAX_DETAILS } from '../schemas/explanation.ts'
import { createUnitLookup } from './amounts.ts'
import { cut, type Explained, textDetail } from './details.ts'
import type { ExplainContext, Explainer } from './explainer.ts'
import { explainGeneric, explainUndecoded, unknownFieldsDetail } from './generic.ts'
import { getText, visitNested } from './members.ts'
import { AUTHZ_EXPLAINERS } from './modules/authz.ts'
import { BANK_EXPLAINERS } from './modules/bank.ts'
import { COMMUNITY_POOL_EXPLAINERS } from './modules/community-pool.ts'
import { GOV_EXPLAINERS } from './modules/gov.ts'
import { GROUP_EXPLAINERS } from './modules/group.ts'
import { IBC_CLIENT_EXPLAINERS } from './modules/ibc-client.ts'
import {
  explainUpdateParams,
  isUpdateParams,
  LEGACY_PARAMETER_CHANGE,
  PARAMETER_EXPLAINERS,
} from './modules/parameters.ts'
import { UPGRADE_EXPLAINERS } from './modules/upgrade.ts'
import { WASM_EXPLAINERS } from './modules/wasm.ts'

/** Explainers by `@type`. A `MsgUpdateParams` that is not listed uses the explainer of parameters. */
export const EXPLAINERS: ReadonlyMap<string, Explainer> = new Map(
  [
    ...PARAMETER_EXPLAINERS,
    ...UPGRADE_EXPLAINERS,
    ...COMMUNITY_POOL_EXPLAINERS,
    ...IBC_CLIENT_EXPLAINERS,
    ...WASM_EXPLAINERS,
    ...AUTHZ_EXPLAINERS,
    ...GROUP_EXPLAINERS,
    ...BANK_EXPLAINERS,
    ...GOV_EXPLAINERS,
  ].flatMap(({ types, explain }) => types.map((type) => [type, explain] as const)),
)

export type ExplainedProposal = {
  /** The changes of all messages; null with a reason if they are not known. */
  changes: readonly ParameterChange[] | null
  changesReason: string | null
  displayUnit: DisplayUnit | undefined
}

type Nested = Explained & { type: string }
type Shared = Omit<ExplainContext, 'changes' | 'explainNested'>

const MAX_DEPTH = 4
const MAX_SUMMARY = 1_000
const MAX_TITLE = 200
const MAX_TYPE = 1_000

const findExplainer = (type: string): Explainer | undefined =>
  EXPLAINERS.get(toUpstreamGovType(type)) ??
  (isUpdateParams(type) ? explainUpdateParams : undefined)

const bounded = ({ title, summary, details }: Explained, message: JsonObject): Explained => {
  const unknown = unknownFieldsDetail(message)
  const all = unknown ? [unknown, ...details] : details
  const kept = all.length <= MAX_DETAILS ? all : all.slice(0, MAX_DETAILS - 1)
  const more = textDetail('More values', 'See the JSON of the message')
  return {
    title: cut(title, MAX_TITLE),
    summary: cut(summary, MAX_SUMMARY),
    details: kept.length === all.length ? kept : [...kept, more],
  }
}

const explainOne = (
  message: unknown,
  at: Pick<ExplainContext, 'changes'> & { shared: Shared; depth: number },
): Nested => {
  const { shared, depth, changes } = at
  const fields = isJsonObject(message) ? message : {}
  const type = getText(fields, '@type') ?? ''
  const context: ExplainContext = {
    ...shared,
    changes,
    explainNested: (inner) => explainOne(inner, { ...at, depth: depth + 1 }),
  }
  const explained =
    explainUndecoded(fields, context) ??
    (depth <= MAX_DEPTH ? findExplainer(type)?.(fields, context) : undefined) ??
    explainGeneric(fields, context)
  return { ...bounded(explained, fields), type: cut(type, MAX_TYPE) }
}

/** The number of messages that change parameters, including nested ones. */
const countParameterMessages = (message: unknown): number => {
  const types = [...visitNested(message)].map((part) => getText(part, '@type') ?? '')
  return types.filter((type) => isUpdateParams(type) || type === LEGACY_PARAMETER_CHANGE).length
}

const SEVERAL = 'several messages inside this message change parameters'

/** Changes refer to the outer message only, so they are ambiguous if several nested messages change parameters. */
const selectChanges = (
  { changes, changesReason }: ExplainedProposal,
  message: unknown,
  index: number,
): Pick<ExplainContext, 'changes' | 'changesReason'> => {
  if (changes === null) return { changes: null, changesReason }
  return countParameterMessages(message) > 1
    ? { changes: null, changesReason: SEVERAL }
    : { changes: changes.filter((change) => change.message === index), changesReason: null }
}

/** Explains a message, in the JSON format of the REST API of the node, with its index. It never throws, whatever the input contains. */
export const createMessageExplainer = (
  proposal: ExplainedProposal,
): ((message: unknown, index: number) => Explanation) => {
  const findUnit = createUnitLookup(proposal.displayUnit)
  return (message, index) => {
    const { changes, changesReason } = selectChanges(proposal, message, index)
    const shared = { findUnit, changesReason }
    const { type, ...explained } = explainOne(message, { changes, shared, depth: 0 })
    return { message: index, type, ...explained }
  }
}
