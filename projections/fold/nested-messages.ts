// Lists the messages of a proposal and those that they execute on this chain. Messages are untrusted: the walk is bounded.
import { toUpstreamGovType } from '../../ingest/contract/gov-type.ts'
import { isJsonObject, type JsonObject } from '../../ingest/contract/json.ts'
import { getMember } from './json.ts'

/** `message`: the index of the proposal's own message that contains it. */
export type PlacedMessage = { message: number; type: string; fields: JsonObject }

export type MessageWalk = { messages: readonly PlacedMessage[] } | { unknown: string }

/** The member with the messages that a message executes. */
const CONTENTS: ReadonlyMap<string, string> = new Map([
  ['/cosmos.authz.v1beta1.MsgExec', 'msgs'],
  ['/cosmos.group.v1.MsgSubmitProposal', 'messages'],
  ['/cosmos.gov.v1.MsgExecLegacyContent', 'content'],
])

const MAX_DEPTH = 16
const MAX_MESSAGES = 10_000

/** Bytes or a digest instead of the fields. */
export const isUndecoded = (fields: JsonObject): boolean =>
  ['@reason', 'value', 'sha256'].some((name) => typeof getMember(fields, name) === 'string')

const readType = (fields: JsonObject): string => {
  const type = getMember(fields, '@type')
  return typeof type === 'string' ? type : ''
}

const readContents = ({ type, fields }: PlacedMessage): readonly JsonObject[] => {
  const contents = getMember(fields, CONTENTS.get(toUpstreamGovType(type)) ?? '')
  return (Array.isArray(contents) ? contents : [contents]).filter(isJsonObject)
}

export const walkMessages = (messages: readonly unknown[]): MessageWalk => {
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
