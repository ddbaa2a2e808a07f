// Finds the parameters that a proposal changes: compares its messages, and those that they execute on this chain, with the current
// parameters. Messages are untrusted, so the walk is bounded. A change that cannot be compared is unknown, with the reason. Pure.
import { isDeepStrictEqual } from 'node:util'
import { toUpstreamGovType } from '../../ingest/contract/gov-type.ts'
import { isJsonObject, isNestedWithin, type JsonObject } from '../../ingest/contract/json.ts'
import type {
  ContextObservation,
  ParameterChange,
  ParameterChanges,
} from '../contract/proposal-json.ts'
import { getMember } from './json.ts'
import { findObservation, type KeptContext } from './proposal-context.ts'

/** `message`: the index of the proposal's own message that contains it. */
type PlacedMessage = { message: number; type: string; fields: JsonObject }

type MessageWalk = { messages: readonly PlacedMessage[] } | { unknown: string }

/** The member with the messages that a message executes. */
const CONTENTS: ReadonlyMap<string, string> = new Map([
  ['/cosmos.authz.v1beta1.MsgExec', 'msgs'],
  ['/cosmos.group.v1.MsgSubmitProposal', 'messages'],
  ['/cosmos.gov.v1.MsgExecLegacyContent', 'content'],
])

const MAX_DEPTH = 16
const MAX_MESSAGES = 10_000

/** Bytes or a digest instead of the fields. */
const isUndecoded = (fields: JsonObject): boolean =>
  ['@reason', 'value', 'sha256'].some((name) => typeof getMember(fields, name) === 'string')

const readType = (fields: JsonObject): string => {
  const type = getMember(fields, '@type')
  return typeof type === 'string' ? type : ''
}

const readContents = ({ type, fields }: PlacedMessage): readonly JsonObject[] => {
  const contents = getMember(fields, CONTENTS.get(toUpstreamGovType(type)) ?? '')
  return (Array.isArray(contents) ? contents : [contents]).filter(isJsonObject)
}

const walkMessages = (messages: readonly unknown[]): MessageWalk => {
  const found: PlacedMessage[] = []
  let level = messages.flatMap((fields, message): PlacedMessage[] =>
    isJsonObject(fields) ? [{ message, type: readType(fields), fields }] : [],
  )
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return { unknown: `messages are nested deeper than ${MAX_DEPTH} levels` }
    if (found.length + level.length > MAX_MESSAGES) {
      return { unknown: `there are more than ${MAX_MESSAGES} messages` }
    }
    for (const each of level) found.push(each)
    const closed = level.find(({ type, fields }) => CONTENTS.has(type) && isUndecoded(fields))
    if (closed) return { unknown: `message ${closed.message}: ${closed.type} is not decoded` }
    level = level.flatMap((each) =>
      readContents(each).map((fields) => ({
        message: each.message,
        type: readType(fields),
        fields,
      })),
    )
  }
  // The order of the proposal, not of the levels.
  return { messages: found.toSorted((one, other) => one.message - other.message) }
}

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

/** Far deeper than any parameter: deeper JSON could overflow the stack when it is written again. */
const MAX_NESTING = 100

const NOT_OBSERVED = 'the current parameters were not observed'

const explainUnknown = ({ reason }: ContextObservation): string =>
  `the current parameters are unknown: ${reason ?? 'the node did not return them'}`

/** As in JSON, an absent member equals null. */
const valueAt = (object: JsonObject, name: string): unknown => getMember(object, name) ?? null

/** Equal members are not listed. The events limit the depth. */
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
    if (name === UNKNOWN_FIELDS) yield { unknown: 'the message has unknown fields' }
    else if (isJsonObject(pair.from) && isJsonObject(pair.to)) {
      yield* differences(pair.from, pair.to, `${pair.path}.`)
    } else yield pair
  }
}

/** Reads no more differences than the limit. */
const listed = (pairs: Iterable<Pair | Unknown>): Compared => {
  const found: Pair[] = []
  for (const pair of pairs) {
    if ('unknown' in pair) return pair
    found.push(pair)
    if (found.length > MAX_CHANGES) break
  }
  return { pairs: found }
}

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

const only = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => names.includes(name)))

/** The parameters of the message, and the current ones that they replace. */
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
  return listed(differences(...sides, ''))
}

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/** Numbers, outside of strings, that JavaScript may not represent exactly. */
const hasLongNumbers = (json: string): boolean => /[\d.]{16}|\de/i.test(json.replace(STRING, ''))

/** Values of the params module are usually JSON; any other text is kept unchanged. */
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

/** `messages` as in the log. One message that cannot be compared makes all changes unknown. */
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
