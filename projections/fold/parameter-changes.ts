// Finds the parameters that a proposal changes: compares its messages, and those that they execute on this chain, with the current
// parameters. Messages are untrusted, so the walk is bounded. A change that cannot be compared is unknown, with the reason. Pure.
import { isDeepStrictEqual } from 'node:util'
import type { StateObservation } from '../../ingest/contract/context-events.ts'
import { toUpstreamGovType } from '../../ingest/contract/gov-type.ts'
import { isJsonObject, isNestedWithin, type JsonObject } from '../../ingest/contract/json.ts'
import type { ParameterChange, ParameterChanges } from '../contract/proposal-json.ts'

/** The current parameters, as the last event with them has them. */
type Observed = readonly StateObservation[]

/** `message`: the index of the proposal's own message that contains it. */
type PlacedMessage = { message: number; type: string; fields: JsonObject }

/** One parameter on both sides. */
type Pair = { path: string; from: unknown; to: unknown }

/** Why no change is known. */
class UnknownChanges extends Error {}

/** The member with the messages that a message executes. */
const CONTENTS: ReadonlyMap<string, string> = new Map([
  ['/cosmos.authz.v1beta1.MsgExec', 'msgs'],
  ['/cosmos.group.v1.MsgSubmitProposal', 'messages'],
  ['/cosmos.gov.v1.MsgExecLegacyContent', 'content'],
])
const UPDATE = /^\/(.+)\.MsgUpdateParams$/
const LEGACY = '/cosmos.params.v1beta1.ParameterChangeProposal'
const LEGACY_QUERY = '/cosmos.params.v1beta1.Query/Params'
const UNKNOWN_FIELDS = '@unknownFields'

export const MAX_CHANGES = 1_000
export const MAX_CHANGES_BYTES = 256 * 2 ** 10
/** Far deeper than any parameter: deeper JSON could overflow the stack when it is written again. */
const MAX_NESTING = 100

const NOT_DECODED = 'the message is not decoded'
const NOT_OBSERVED = 'the current parameters were not observed'

/** Undefined if there is no such member; `__proto__` is a name like any other. */
function getMember(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** Bytes or a digest instead of the fields. */
function isUndecoded(fields: JsonObject): boolean {
  return ['@reason', 'value', 'sha256'].some((name) => typeof getMember(fields, name) === 'string')
}

function place(
  messages: readonly unknown[],
  toMessage: (index: number) => number,
): PlacedMessage[] {
  return messages.flatMap((fields, index): PlacedMessage[] => {
    if (!isJsonObject(fields)) return []
    const type = getMember(fields, '@type')
    return [{ message: toMessage(index), type: typeof type === 'string' ? type : '', fields }]
  })
}

/** The messages of the proposal in order, each followed by those that it executes. Events limit their number and depth. */
function walkMessages(messages: readonly unknown[]): PlacedMessage[] {
  const found = place(messages, (message) => message)
  // The list grows during the walk.
  for (const { message, type, fields } of found) {
    const member = CONTENTS.get(toUpstreamGovType(type))
    if (member === undefined) continue
    if (isUndecoded(fields)) throw new UnknownChanges(`message ${message}: ${type} is not decoded`)
    const contents = [getMember(fields, member)].flat()
    found.push(...place(contents, () => message))
  }
  return found.toSorted((one, other) => one.message - other.message)
}

/** Equal members are not listed; as in JSON, an absent member equals null. The events limit the depth. */
function* differences(from: JsonObject, to: JsonObject, prefix = ''): Generator<Pair, void> {
  for (const name of new Set([...Object.keys(to), ...Object.keys(from)])) {
    const [before, after] = [getMember(from, name) ?? null, getMember(to, name) ?? null]
    if (isDeepStrictEqual(before, after)) continue
    if (name === UNKNOWN_FIELDS) throw new UnknownChanges('the message has unknown fields')
    const path = `${prefix}${name}`
    if (isJsonObject(before) && isJsonObject(after)) yield* differences(before, after, `${path}.`)
    else yield { path, from: before, to: after }
  }
}

function readParams(fields: JsonObject | null): JsonObject | undefined {
  const params = fields && getMember(fields, 'params')
  return isJsonObject(params) ? params : undefined
}

function findCurrent(observed: Observed, packageName: string): JsonObject {
  const own = observed.filter(({ query }) => query.startsWith(`/${packageName}.Query/`))
  for (const { response } of own) {
    const params = readParams(response)
    if (params) return params
  }
  return refuse(own.find(({ response }) => response === null))
}

function refuse(observation: StateObservation | undefined): never {
  if (!observation) throw new UnknownChanges(NOT_OBSERVED)
  const reason = observation.reason ?? 'the node did not return them'
  throw new UnknownChanges(`the current parameters are unknown: ${reason}`)
}

/** The parameters of the message: in one member, or as its own members, of which the others are not changed. */
function compareUpdate(fields: JsonObject, packageName: string, observed: Observed) {
  if (isUndecoded(fields) && getMember(fields, 'params') === undefined) {
    throw new UnknownChanges(NOT_DECODED)
  }
  const current = findCurrent(observed, packageName)
  const params = readParams(fields)
  if (params) return differences(current, params)
  const { '@type': _, authority, params: none, ...members } = fields
  if (Object.keys(members).length === 0) {
    throw new UnknownChanges('the message has no parameters')
  }
  const replaced = Object.entries(current).filter(([name]) => Object.hasOwn(members, name))
  return differences(Object.fromEntries(replaced), members)
}

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g

/** Numbers, outside of strings, that JavaScript may not represent exactly. */
function hasLongNumbers(json: string): boolean {
  return /[\d.]{16}|\de/i.test(json.replace(STRING, ''))
}

/** Values of the params module are usually JSON; any other text is kept unchanged. */
function parseValue(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return isNestedWithin(MAX_NESTING, value) && !hasLongNumbers(text) ? value : text
  } catch {
    return text
  }
}

function* compareLegacy(fields: JsonObject, observed: Observed): Generator<Pair, void> {
  const changes = getMember(fields, 'changes')
  if (!Array.isArray(changes)) throw new UnknownChanges(NOT_DECODED)
  for (const change of changes) {
    const members = isJsonObject(change) ? change : {}
    const [subspace, key, to] = ['subspace', 'key', 'value'].map((name) => getMember(members, name))
    if (typeof subspace !== 'string' || typeof key !== 'string' || typeof to !== 'string') {
      throw new UnknownChanges('the message has a change without subspace, key or value')
    }
    const found = observed.find(
      ({ query, request }) =>
        query === LEGACY_QUERY && request['subspace'] === subspace && request['key'] === key,
    )
    if (!found?.response) refuse(found)
    const param = getMember(found.response, 'param')
    const from = isJsonObject(param) ? getMember(param, 'value') : undefined
    if (typeof from !== 'string') refuse(undefined)
    const pair = { path: `${subspace}/${key}`, from: parseValue(from), to: parseValue(to) }
    if (!isDeepStrictEqual(pair.from, pair.to)) yield pair
  }
}

function compare({ type, fields }: PlacedMessage, observed: Observed): Iterable<Pair> {
  if (type === LEGACY) return compareLegacy(fields, observed)
  const [, packageName] = UPDATE.exec(type) ?? []
  return packageName === undefined ? [] : compareUpdate(fields, packageName, observed)
}

/** `messages` as in the log. One message that cannot be compared makes all changes unknown. */
export function readParameterChanges(
  messages: readonly unknown[],
  observed: Observed,
): ParameterChanges {
  const changes: ParameterChange[] = []
  let bytes = 0
  let prefix = ''
  try {
    for (const placed of walkMessages(messages)) {
      const { message } = placed
      prefix = `message ${message}: `
      for (const { path, from, to } of compare(placed, observed)) {
        changes.push({ message, path, from, to })
        bytes += path.length + JSON.stringify(from).length + JSON.stringify(to).length
        if (changes.length > MAX_CHANGES) {
          return { changes: null, reason: `there are more than ${MAX_CHANGES} changes` }
        }
        if (bytes > MAX_CHANGES_BYTES) {
          return { changes: null, reason: `the changes have more than ${MAX_CHANGES_BYTES} bytes` }
        }
      }
    }
    return { changes, reason: null }
  } catch (error) {
    if (!(error instanceof UnknownChanges)) throw error
    return { changes: null, reason: `${prefix}${error.message}` }
  }
}
