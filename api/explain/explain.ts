// Explains the messages of a proposal: common types by their templates, changes of parameters by old and new values, others by
// their members, and those that were not decoded by the reason.
import { toUpstreamGovType } from '../../ingest/contract/gov-type.ts'
import { isJsonObject, type JsonObject } from '../../ingest/contract/json.ts'
import type { ParameterChange } from '../../projections/contract/proposal-json.ts'
import type { ExplanationDetail } from '../schemas/explanation.ts'
import { type Explanation, MAX_DETAILS } from '../schemas/explanation.ts'
import type { DisplayUnit } from '../words/display-unit.ts'
import { plainReason } from '../words/in-words.ts'
import { cut } from '../words/shortened.ts'
import {
  getMember,
  getOmittedBytes,
  getText,
  messageName,
  moduleName,
  toInteger,
  visitNested,
} from './members.ts'
import { findTemplate } from './messages.ts'
import { explainParameters, isParameterChange } from './parameters.ts'
import { type ExplainContext, type Explained, fillTemplate } from './template.ts'
import { codeDetail, inQuotes, sizeText, textDetail, valueDetails } from './values.ts'

export type ExplainedProposal = {
  /** The changes of all messages; null with a reason if they are not known. */
  changes: readonly ParameterChange[] | null
  changesReason: string | null
  displayUnit: DisplayUnit | undefined
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The bytes, or their digest if they are too long for a page. */
const bytesDetails = (value: unknown): ExplanationDetail[] => {
  if (typeof value === 'string' && BASE64.test(value)) {
    const size = Math.floor((value.replace(/=+$/, '').length * 3) / 4)
    return [textDetail('Size', sizeText(`${size}`)), codeDetail('Bytes in base64', value)]
  }
  const omitted = getOmittedBytes(value)
  return omitted
    ? [textDetail('Size', sizeText(omitted.size)), codeDetail('SHA-256', omitted.sha256)]
    : []
}

const explainUndecoded = (type: string, reason: string, value: unknown): Explained => ({
  title: messageName(type),
  summary: `This message was not decoded: ${plainReason(reason)}.`,
  details: [codeDetail('Type', type), ...bytesDetails(value)],
})

/** A message of any type. */
const explainMembers = (type: string, message: JsonObject, at: ExplainContext): Explained => {
  const members = Object.entries(message).filter(([name]) => !name.startsWith('@'))
  const title = messageName(type)
  const module = type === '' ? '' : ` of the module ${moduleName(type)}`
  const fields = members.length === 0 ? ' without fields' : ''
  return {
    title,
    summary: `Executes ${inQuotes(title)}${module}${fields}.`,
    details: members.flatMap(([name, value]) => valueDetails(name, value, at.unit)),
  }
}

const LEGACY_CONTENT = '/cosmos.gov.v1.MsgExecLegacyContent'

/** A message with a known meaning. Undefined if it lacks the members of its type. */
const explainKnown = (
  type: string,
  message: JsonObject,
  at: ExplainContext,
): Explained | undefined => {
  if (type === LEGACY_CONTENT && isJsonObject(message['content'])) {
    const { title, summary, details, ...content } = at.explainNested(message['content'])
    return { title, summary, details: [...details, codeDetail('Legacy content', content.type)] }
  }
  if (isParameterChange(type)) return explainParameters(type, message, at)
  const template = findTemplate(type)
  return template && fillTemplate(template, message, at)
}

/** The fields that the schema lacks, including nested messages. */
const unknownFields = (message: unknown): ExplanationDetail[] => {
  let count = 0n
  for (const part of visitNested(message)) {
    count += BigInt(toInteger(getMember(part, '@unknownFields.count')) ?? 0)
  }
  return count === 0n
    ? []
    : [textDetail('Unknown fields', `${count}, not in the schema of the chain`)]
}

const MAX_DEPTH = 4
const MAX_SUMMARY = 1_000
const MAX_TITLE = 200
const MAX_TYPE = 1_000

const bounded = ({ title, summary, details }: Explained): Explained => ({
  title: cut(title, MAX_TITLE),
  summary: cut(summary, MAX_SUMMARY),
  details:
    details.length <= MAX_DETAILS
      ? details
      : [
          ...details.slice(0, MAX_DETAILS - 1),
          textDetail('More values', 'See the JSON of the message'),
        ],
})

type Shared = Omit<ExplainContext, 'explainNested'>

const explainOne = (message: unknown, shared: Shared, depth = 0): Explained & { type: string } => {
  const fields = isJsonObject(message) ? message : {}
  const type = getText(fields, '@type') ?? ''
  const explainNested = (inner: unknown) => explainOne(inner, shared, depth + 1)
  const at: ExplainContext = { ...shared, explainNested }
  const reason = getText(fields, '@reason')
  const known = depth <= MAX_DEPTH ? explainKnown(toUpstreamGovType(type), fields, at) : undefined
  const { details, ...explained } =
    reason === undefined
      ? (known ?? explainMembers(type, fields, at))
      : explainUndecoded(type, reason, fields['value'])
  const all = { ...explained, details: [...unknownFields(fields), ...details] }
  return { ...bounded(all), type: cut(type, MAX_TYPE) }
}

const SEVERAL = 'several messages inside this message change parameters'

/** Changes refer to the outer message only, so they are ambiguous if several nested messages change parameters. */
const selectChanges = (
  { changes, changesReason }: ExplainedProposal,
  message: unknown,
  index: number,
): Pick<ExplainContext, 'changes' | 'changesReason'> => {
  if (changes === null) return { changes: null, changesReason }
  const types = [...visitNested(message)].map((part) => getText(part, '@type') ?? '')
  return types.filter(isParameterChange).length > 1
    ? { changes: null, changesReason: SEVERAL }
    : { changes: changes.filter((change) => change.message === index), changesReason: null }
}

/** Explains a message, in the JSON format of the REST API of the node, with its index. It never throws, whatever the input contains. */
export function createMessageExplainer(
  proposal: ExplainedProposal,
): (message: unknown, index: number) => Explanation {
  const unit = proposal.displayUnit
  return (message, index) => {
    const shared = { unit, ...selectChanges(proposal, message, index) }
    const { type, ...explained } = explainOne(message, shared)
    return { message: index, type, ...explained }
  }
}
