// Compares the context of proposals with the state of the chain, and long fields with their digests.
import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isKnown } from '../../../../../ingest/chain/answer.ts'
import { ORDINAL, SUB_LIMIT } from '../../../../../ingest/contract/envelope.ts'
import type { EventOf } from '../../../../../ingest/contract/events.ts'
import type { StateNode } from '../../../../../ingest/enrich/height-state.ts'
import { builtInSchema } from '../../../../../ingest/schema/built-in.ts'
import { createModuleState } from '../../../../../ingest/schema/module-query.ts'
import type { SchemaSource } from '../../../../../ingest/schema/schema-source.ts'
import type { Logged } from './compare-facts.ts'
import type { Findings } from './findings.ts'

type Reader = { node: StateNode; schemas: SchemaSource; findings: Findings }

type LoggedContext = Logged<EventOf<'rollcall.proposal.context.v1'>>
type LoggedBytes = Logged<EventOf<'rollcall.message.bytes.v1'>>

const isContext = (logged: Logged): logged is LoggedContext =>
  logged.event.type === 'rollcall.proposal.context.v1'
const isBytes = (logged: Logged): logged is LoggedBytes =>
  logged.event.type === 'rollcall.message.bytes.v1'

const compareContext = async (
  { offset, event }: LoggedContext,
  { node, schemas, findings }: Reader,
): Promise<void> => {
  const { id, type, height, index, data } = event
  // Next to a snapshot, the context is of the state before the log.
  const isBefore = Math.floor(index / SUB_LIMIT) === ORDINAL.before
  const modules = createModuleState(node, isBefore ? height - 1 : height)
  const schema = (await schemas.latest()) ?? builtInSchema()
  for (const { query, request, response } of data.observations) {
    const now = await modules.read(schema, { query, request })
    if (!isKnown(now)) findings.skip(type, now.unavailable, height)
    else if (response === null) findings.skip(type, 'the log has none', height)
    else if (isDeepStrictEqual(response, now.value)) findings.compared.parts++
    else findings.report('differs', { offset, height }, `${id}: ${query} differs from the chain`)
  }
  findings.compared.events++
}

const compareBytes = (chunks: readonly LoggedBytes[], { findings }: Reader): void => {
  const [first] = chunks
  if (!first) return
  const { event, offset } = first
  const bytes = Buffer.concat(chunks.map((each) => Buffer.from(each.event.data.bytes, 'base64')))
  if (hash('sha256', bytes, 'hex') !== event.data.sha256) {
    const position = { offset, height: event.height }
    findings.report('differs', position, `${event.id}: the bytes do not match their digest`)
  }
  findings.compared.events += chunks.length
}

/** The events of one height that follow the messages of its proposals. */
export const compareFollowing = async (
  logged: readonly Logged[],
  reader: Reader,
): Promise<void> => {
  for (const context of logged.filter(isContext)) await compareContext(context, reader)
  const fields = new Map<string, LoggedBytes[]>()
  for (const each of logged.filter(isBytes)) {
    const { proposalId, message, path } = each.event.data
    const key = JSON.stringify([proposalId, message, path])
    fields.set(key, [...(fields.get(key) ?? []), each])
  }
  for (const chunks of fields.values()) compareBytes(chunks, reader)
}
