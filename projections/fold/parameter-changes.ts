// Which parameters a proposal changes: its messages compared with the parameters in force. Pure. What cannot be compared is not
// known, with the reason; nothing is guessed.
import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, isNestedWithin, type JsonObject } from '../../ingest/contract/json.ts'
import type {
  ContextObservation,
  ParameterChange,
  ParameterChanges,
} from '../contract/proposal-json.ts'
import { getMember } from './json.ts'
import { isUndecoded, type PlacedMessage, walkMessages } from './nested-messages.ts'
import { findObservation, type KeptContext } from './proposal-context.ts'

/** One parameter on both sides. */
type Pair = { path: string; from: unknown; to: unknown }
type Unknown = { unknown: string }
type Compared = { pairs: readonly Pair[] } | Unknown

const UPDATE = /^\/(.+)\.MsgUpdateParams$/
const LEGACY = '/cosmos.params.v1beta1.ParameterChangeProposal'
const LEGACY_QUERY = '/cosmos.params.v1beta1.Query/Params'
const UNKNOWN_FIELDS = '@unknownFields'

export const MAX_CHANGES = 1_000
export const MAX_CHANGES_BYTES = 256 * 2 ** 10

/** Far deeper than any parameter: deeper JSON cannot be written again, which needs the stack. */
const MAX_NESTING = 100

const NOT_OBSERVED = 'the parameters in force were not observed'

const explainUnknown = ({ reason }: ContextObservation): string =>
  `the parameters in force are not known: ${reason ?? 'the node did not show them'}`

/** As comparison and JSON have it, a member that is absent is null. */
const valueAt = (object: JsonObject, name: string): unknown => getMember(object, name) ?? null

/** Equal members are not listed. Depth is bounded by that of the events. */
function* differences(
  from: JsonObject,
  to: JsonObject,
  prefix: string,
): Generator<Pair | Unknown, void> {
  const names = [
    ...Object.keys(to),
    ...Object.keys(from).filter((name) => !Object.hasOwn(to, name)),
  ]
  for (const name of names) {
    const pair = { path: `${prefix}${name}`, from: valueAt(from, name), to: valueAt(to, name) }
    if (isDeepStrictEqual(pair.from, pair.to)) continue
    if (name === UNKNOWN_FIELDS) yield { unknown: 'the message has fields that are not known' }
    else if (isJsonObject(pair.from) && isJsonObject(pair.to)) {
      yield* differences(pair.from, pair.to, `${pair.path}.`)
    } else yield pair
  }
}

/** Takes no more of the differences than are kept. */
const listed = (pairs: Iterable<Pair | Unknown>): Compared => {
  const found: Pair[] = []
  for (const pair of pairs) {
    if ('unknown' in pair) return pair
    found.push(pair)
    if (found.length > MAX_CHANGES) break
  }
  return { pairs: found }
}

const inCamelCase = (name: string): boolean => /[A-Z]/.test(name)
const snakeCase = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Earlier versions wrote messages in camel case, with other forms of durations and decimals. */
const hasOtherForm = (from: JsonObject, to: JsonObject): boolean =>
  Object.keys(to).some(
    (name) =>
      inCamelCase(name) && !Object.hasOwn(from, name) && Object.hasOwn(from, snakeCase(name)),
  )

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

const only = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))

/** The parameters of the message, and those in force that they replace. */
const toSides = (fields: JsonObject, inForce: JsonObject): [JsonObject, JsonObject] | undefined => {
  const params = getMember(fields, 'params')
  if (isJsonObject(params)) return [inForce, params]
  const members = without(fields, ['@type', 'authority', 'params'])
  const names = Object.keys(members)
  return names.length === 0 ? undefined : [only(inForce, names), members]
}

const paramsIn = ({ response }: ContextObservation): JsonObject | undefined => {
  const params = response === null ? undefined : getMember(response, 'params')
  return isJsonObject(params) ? params : undefined
}

const compareUpdate = (
  packageName: string,
  fields: JsonObject,
  { observations }: KeptContext,
): Compared => {
  if (isUndecoded(fields) && getMember(fields, 'params') === undefined) {
    return { unknown: 'the message is not decoded' }
  }
  const service = `/${packageName}.Query/`
  const observed = [...observations.values()].filter(({ query }) => query.startsWith(service))
  const found = observed.find((each) => paramsIn(each) !== undefined)
  const inForce = found && paramsIn(found)
  if (!inForce) {
    const empty = observed.find(({ response }) => response === null)
    return { unknown: empty ? explainUnknown(empty) : NOT_OBSERVED }
  }
  const sides = toSides(fields, inForce)
  if (!sides) return { unknown: 'the message has no parameters' }
  if (hasOtherForm(...sides)) {
    return { unknown: 'an earlier version wrote the message in another form' }
  }
  return listed(differences(...sides, ''))
}

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/** Numbers, outside of strings, that JavaScript may not hold exactly. */
const hasLongNumbers = (json: string): boolean => /[\d.]{16}|\de/i.test(json.replace(STRING, ''))

/** Values of the params module are JSON mostly; a text that is none is kept as it is. */
const parsedValue = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return isNestedWithin(MAX_NESTING, value) && !hasLongNumbers(text) ? value : text
  } catch {
    return text
  }
}

const compareLegacyChange = (change: unknown, context: KeptContext): Pair | Unknown => {
  const fields = isJsonObject(change) ? change : {}
  const [subspace, key, to] = ['subspace', 'key', 'value'].map((name) => getMember(fields, name))
  if (typeof subspace !== 'string' || typeof key !== 'string' || typeof to !== 'string') {
    return { unknown: 'the message has a change without subspace, key or value' }
  }
  const found = findObservation(context, { query: LEGACY_QUERY, request: { subspace, key } })
  if (!found) return { unknown: NOT_OBSERVED }
  if (found.response === null) return { unknown: explainUnknown(found) }
  const param = getMember(found.response, 'param')
  const from = isJsonObject(param) ? getMember(param, 'value') : undefined
  if (typeof from !== 'string') return { unknown: NOT_OBSERVED }
  return { path: `${subspace}/${key}`, from: parsedValue(from), to: parsedValue(to) }
}

const compareLegacy = (fields: JsonObject, context: KeptContext): Compared => {
  const changes = getMember(fields, 'changes')
  if (!Array.isArray(changes)) return { unknown: 'the message is not decoded' }
  const pairs: Pair[] = []
  for (const change of changes) {
    const pair = compareLegacyChange(change, context)
    if ('unknown' in pair) return pair
    if (!isDeepStrictEqual(pair.from, pair.to)) pairs.push(pair)
    if (pairs.length > MAX_CHANGES) break
  }
  return { pairs }
}

const NO_PARAMETERS: Compared = { pairs: [] }

const compare = ({ type, fields }: PlacedMessage, context: KeptContext): Compared => {
  if (type === LEGACY) return compareLegacy(fields, context)
  const [, packageName] = UPDATE.exec(type) ?? []
  return packageName === undefined ? NO_PARAMETERS : compareUpdate(packageName, fields, context)
}

const unknown = (reason: string): ParameterChanges => ({ changes: null, reason })

const bytesOf = ({ path, from, to }: Pair): number =>
  path.length + JSON.stringify(from).length + JSON.stringify(to).length

/** `messages` as the log has them. One message that cannot be compared makes all changes unknown. */
export const readParameterChanges = (
  messages: readonly unknown[],
  context: KeptContext,
): ParameterChanges => {
  const walk = walkMessages(messages)
  if ('unknown' in walk) return unknown(walk.unknown)
  const changes: ParameterChange[] = []
  let bytes = 0
  for (const placed of walk.messages) {
    const compared = compare(placed, context)
    if ('unknown' in compared) return unknown(`message ${placed.message}: ${compared.unknown}`)
    for (const pair of compared.pairs) {
      changes.push({ message: placed.message, ...pair })
      bytes += bytesOf(pair)
      if (changes.length > MAX_CHANGES) return unknown(`there are more than ${MAX_CHANGES} changes`)
      if (bytes > MAX_CHANGES_BYTES) {
        return unknown(`the changes have more than ${MAX_CHANGES_BYTES} bytes`)
      }
    }
  }
  return { changes, reason: null }
}
