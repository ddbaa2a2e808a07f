// Reads the parameters that the messages of a proposal would change, and builds the events that follow the messages: these parameters,
// and bytes that are too long for JSON.
import { reasonOrNull, valueOrNull } from '../chain/answer.ts'
import type { StateObservation } from '../contract/context-events.ts'
import type { GovernanceEvent } from '../contract/events.ts'
import type { Message } from '../contract/facts.ts'
import { isJsonObject, type JsonObject } from '../contract/json.ts'
import {
  type At,
  type BlockReference,
  base64Chunks,
  eventAt,
  proposalSubject,
} from '../derive/event-at.ts'
import type { ChainSchema } from '../schema/chain-schema.ts'
import type { ModuleQuery, ModuleState } from '../schema/module-query.ts'
import type { KeptBytes } from '../schema/proposal-messages.ts'
import type { DecodedProposal } from './proposal.ts'

/** Limit for one proposal. */
const MAX_QUERIES = 64
/** Limit of objects that are visited in the messages of one proposal. */
const MAX_VISITED = 20_000
/** Limit for one request: no parameter has a longer name. */
const MAX_REQUEST_LENGTH = 1_024
/** Limit for one proposal, as JSON. Further responses are not kept. */
const MAX_CONTEXT_BYTES = 256 * 2 ** 10

const UPDATE_PARAMS = /^\/(.+)\.MsgUpdateParams$/
const LEGACY_CHANGE = '/cosmos.params.v1beta1.ParameterChangeProposal'

/** The query of the module whose response has `params`: `Query/Params` nearly everywhere. */
const paramsQuery = (schema: ChainSchema, packageName: string): ModuleQuery => {
  const methods = schema
    .queriesOf(packageName)
    .filter(({ output }) => output.fields.some(({ name, message }) => name === 'params' && message))
  const method =
    methods.find(({ name }) => name === 'Params') ??
    methods.find(({ input }) => input.fields.length === 0)
  return { query: `/${packageName}.Query/${method?.name ?? 'Params'}`, request: {} }
}

const legacyQueries = ({ changes }: JsonObject): ModuleQuery[] =>
  (Array.isArray(changes) ? changes : []).filter(isJsonObject).flatMap(({ subspace, key }) => {
    const isNamed = typeof subspace === 'string' && typeof key === 'string'
    const query = '/cosmos.params.v1beta1.Query/Params'
    return isNamed && subspace && key ? [{ query, request: { subspace, key } }] : []
  })

/** Every nested object, the messages included. */
const visited = (messages: readonly Message[]): JsonObject[] => {
  const found: JsonObject[] = []
  const waiting: unknown[] = [...messages]
  for (let at = 0; at < waiting.length && at < MAX_VISITED; at += 1) {
    const value = waiting[at]
    if (typeof value !== 'object' || value === null) continue
    if (isJsonObject(value)) found.push(value)
    for (const each of Object.values(value)) {
      if (typeof each === 'object' && each !== null) waiting.push(each)
    }
  }
  return found
}

/** In the order of the messages, each once. */
const parameterQueries = (schema: ChainSchema, messages: readonly Message[]): ModuleQuery[] => {
  const byKey = new Map<string, ModuleQuery>()
  for (const members of visited(messages)) {
    const type = String(members['@type'] ?? '')
    const [, packageName] = UPDATE_PARAMS.exec(type) ?? []
    const found = packageName ? [paramsQuery(schema, packageName)] : []
    for (const each of type === LEGACY_CHANGE ? legacyQueries(members) : found) {
      const key = JSON.stringify(each)
      if (key.length <= MAX_REQUEST_LENGTH) byKey.set(key, each)
    }
  }
  return [...byKey.values()].slice(0, MAX_QUERIES)
}

/** The event with the parameters as of `state`; none if the messages change no parameters. */
export async function readContext(
  block: BlockReference,
  {
    state,
    proposalId,
    decoded,
  }: { state: ModuleState; proposalId: string; decoded: DecodedProposal },
  at: At,
): Promise<GovernanceEvent[]> {
  const { schema, messages } = decoded
  if (!schema) return []
  const queries = parameterQueries(schema, messages)
  if (queries.length === 0) return []
  const answers = await Promise.all(queries.map((each) => state.read(schema, each)))
  let left = MAX_CONTEXT_BYTES
  const observations = answers.map((answer, n): StateObservation => {
    const { query, request } = queries[n]!
    const asked = { query, request: { ...request } }
    const response = valueOrNull(answer)
    left -= Buffer.byteLength(JSON.stringify(response))
    if (left >= 0) return { ...asked, response, reason: reasonOrNull(answer) }
    const reason = `left out: the responses have more than ${MAX_CONTEXT_BYTES} bytes`
    return { ...asked, response: null, reason }
  })
  const data = { proposalId, observations }
  const subject = proposalSubject(proposalId)
  return [eventAt(block, at, { type: 'rollcall.proposal.context.v1', subject, data })]
}

/** Numbers the events from `sub`, in order. Fields beyond `end` are not kept: the message has their digest. */
export function bytesEvents(
  block: BlockReference,
  kept: readonly (KeptBytes & { proposalId: string })[],
  { ordinal, sub, end }: At & { end: number },
): GovernanceEvent[] {
  const events: GovernanceEvent[] = []
  for (const { proposalId, message, path, sha256, bytes } of kept) {
    const chunks = base64Chunks(bytes)
    if (sub + events.length + chunks.length > end) break
    for (const [chunk, part] of chunks.entries()) {
      const about = { chunk, chunks: chunks.length, proposalId, message, path, sha256 }
      const type = 'rollcall.message.bytes.v1'
      const subject = proposalSubject(proposalId)
      const data = { ...about, size: bytes.length, bytes: part }
      const at = { ordinal, sub: sub + events.length }
      events.push(eventAt(block, at, { type, subject, data }))
    }
  }
  return events
}
