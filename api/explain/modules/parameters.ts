// Explains parameter changes, with the old and the new values.
import { isJsonObject, type JsonObject } from '../../../ingest/contract/json.ts'
import { plainReason, pluralize } from '../../in-words.ts'
import { type Detail, type Explained, textDetail } from '../details.ts'
import type { ExplainContext, Explainer } from '../explainer.ts'
import { getList, getMember, getText, parseJson } from '../members.ts'
import { moduleName } from '../names.ts'
import { readable } from '../values.ts'
import { parameterMeaning } from './parameter-meanings.ts'

const MAX_NAMED = 3
/** The maximum length of two values on one line. */
const MAX_SIDE = 200
const MAX_DEPTH = 6
const MAX_PARAMETERS = 1_000
const SEPARATOR = ' › '
const TITLE = 'Parameter change'
const OTHER_MEMBERS = new Set(['@type', '@unknownFields', 'authority', 'signer'])

type Parameter = { name: string; value: unknown }
type Change = { name: string; from: unknown; to: unknown; meaning: string | undefined }

/** A list is one parameter. */
const flattenParameters = (params: JsonObject): Parameter[] => {
  const found: Parameter[] = []
  const visit = (value: unknown, path: readonly string[]): void => {
    const isBranch = isJsonObject(value) && path.length < MAX_DEPTH && found.length < MAX_PARAMETERS
    const members = isBranch ? Object.entries(value) : []
    if (members.length === 0) return void found.push({ name: path.join(SEPARATOR), value })
    for (const [name, each] of members) visit(each, [...path, name])
  }
  for (const [name, value] of Object.entries(params)) visit(value, [name])
  return found
}

/** Most modules have `params`. x/consensus has groups of parameters next to the authority. */
const getParams = (message: JsonObject): JsonObject => {
  const params = getMember(message, 'params')
  if (isJsonObject(params)) return params
  return Object.fromEntries(Object.entries(message).filter(([name]) => !OTHER_MEMBERS.has(name)))
}

const sideText = (name: string, value: unknown, { findUnit }: ExplainContext): string =>
  value === null || value === undefined ? '(none)' : readable(name, value, findUnit)

const valueDetails = ({ name, from, to }: Change, at: ExplainContext): readonly Detail[] => {
  const [before, after] = [sideText(name, from, at), sideText(name, to, at)]
  return before.length > MAX_SIDE || after.length > MAX_SIDE
    ? [textDetail(`${name}, before`, before), textDetail(`${name}, after`, after)]
    : [textDetail(name, `${before} → ${after}`)]
}

/** The values, and then what the parameter means. */
const changeDetails = (change: Change, at: ExplainContext): readonly Detail[] => {
  const { name, meaning } = change
  const values = valueDetails(change, at)
  return meaning === undefined ? values : [...values, textDetail(name, meaning)]
}

/** `quorum 33.4 % → 35 %`. */
const named = (change: Change, at: ExplainContext): string => {
  const [first, ...others] = valueDetails(change, at)
  return first && others.length === 0 ? `${change.name} ${first.value.text}` : change.name
}

/** `suffix` follows the word "parameters". */
const explainChanges = (
  changes: readonly Change[],
  { total, suffix }: { total: number; suffix: string },
  at: ExplainContext,
): Explained => {
  const all = `${pluralize(total, 'parameter')}${suffix}`
  if (changes.length === 0) {
    const summary = `Changes none of ${all}: the values are the current ones.`
    return { title: TITLE, summary, details: [] }
  }
  const shown = changes.slice(0, MAX_NAMED).map((change) => named(change, at))
  const others = changes.length - shown.length
  const list = [...shown, ...(others > 0 ? [`and ${others} more`] : [])].join('; ')
  return {
    title: TITLE,
    summary: `Changes ${changes.length} of ${all}: ${list}.`,
    details: changes.flatMap((change) => changeDetails(change, at)),
  }
}

const explainWithoutChanges = (
  parameters: readonly Parameter[],
  suffix: string,
  at: ExplainContext,
): Explained => {
  const reason = plainReason(at.changesReason ?? 'the parameters in force are not known')
  const count = pluralize(parameters.length, 'parameter')
  return {
    title: TITLE,
    summary: `Sets ${count}${suffix}. It is not known which of them change.`,
    details: [
      textDetail('Reason for unknown changes', reason),
      ...parameters.map(({ name, value }) => textDetail(name, readable(name, value, at.findUnit))),
    ],
  }
}

export const isUpdateParams = (type: string): boolean => type.endsWith('.MsgUpdateParams')

/** Any `MsgUpdateParams`. The path of a change has dots. */
export const explainUpdateParams: Explainer = (message, at) => {
  const parameters = flattenParameters(getParams(message))
  const module = moduleName(getText(message, '@type') ?? '')
  const suffix = ` of the module ${module}`
  if (at.changes === null) return explainWithoutChanges(parameters, suffix, at)
  const changes = at.changes.map(({ path, from, to }) => ({
    name: path.replaceAll('.', SEPARATOR),
    from,
    to,
    meaning: parameterMeaning(module, path.split('.')),
  }))
  const names = new Set([...parameters, ...changes].map(({ name }) => name))
  return explainChanges(changes, { total: names.size, suffix }, at)
}

/** A value is JSON in a text. */
const readValue = (text: string): unknown => parseJson(text) ?? text

export const LEGACY_PARAMETER_CHANGE = '/cosmos.params.v1beta1.ParameterChangeProposal'

/** `ParameterChangeProposal`. The path of a change is `subspace/key`. */
const explainLegacyChange: Explainer = (message, at) => {
  const listed = getList(message, 'changes').map((change) => ({
    name: `${getText(change, 'subspace') ?? '?'} › ${getText(change, 'key') ?? '?'}`,
    value: readValue(getText(change, 'value') ?? ''),
  }))
  if (listed.length === 0) return undefined
  if (at.changes === null) return explainWithoutChanges(listed, '', at)
  const changes = at.changes.map(({ path, from, to }) => {
    const [subspace = '', ...key] = path.split('/')
    const meaning = parameterMeaning(subspace, key.join('/').split('.'))
    return { name: path.replace('/', SEPARATOR), from, to, meaning }
  })
  return explainChanges(changes, { total: listed.length, suffix: ' that it names' }, at)
}

export const PARAMETER_EXPLAINERS = [
  { types: [LEGACY_PARAMETER_CHANGE], explain: explainLegacyChange },
]
