// Encodes and decodes governance events of the log: every record is validated, and errors are values.
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { EventEnvelope } from './envelope.ts'
import { GovernanceEvent, type Marker } from './events.ts'

/** The result of decoding a record. An undecodable record keeps its envelope if that part is valid. */
export type Decoded =
  | { ok: true; event: GovernanceEvent }
  | { ok: false; reason: string; envelope: EventEnvelope | undefined }

const envelopeCheck = Compile(EventEnvelope)
const checks = new Map<string, Validator>()
for (const schema of GovernanceEvent.anyOf) {
  const type = (schema as { properties: { type: { const: string } } }).properties.type.const
  checks.set(type, Compile(schema as TSchema))
}

const explain = (check: { Errors(value: unknown): unknown }, value: unknown): string => {
  const [first] = check.Errors(value) as { instancePath: string; message: string }[]
  return first ? `${first.instancePath || '/'} ${first.message}` : 'does not match its schema'
}

/** UTF-8 JSON. Encoding does not validate the event: `decodeEvent` does. */
export const encodeEvent = (event: GovernanceEvent): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(event))

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Never throws: bytes that are not an event return a reason. */
export const decodeEvent = (bytes: Uint8Array): Decoded => {
  try {
    return decodeText(utf8.decode(bytes))
  } catch (cause) {
    return { ok: false, reason: `not JSON: ${(cause as Error).message}`, envelope: undefined }
  }
}

/** As `decodeEvent`, for a caller that also needs the text. */
export const decodeText = (text: string): Decoded => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return { ok: false, reason: `not JSON: ${(cause as Error).message}`, envelope: undefined }
  }
  const check = checks.get((value as { type?: string } | null)?.type ?? '')
  // The schema of an event includes the envelope, so nearly every record is validated only once.
  if (check?.Check(value)) {
    return { ok: true, event: value as GovernanceEvent }
  }
  if (!envelopeCheck.Check(value)) {
    return {
      ok: false,
      reason: `not an event envelope: ${explain(envelopeCheck, value)}`,
      envelope: undefined,
    }
  }
  const envelope = value as Static<typeof EventEnvelope>
  const reason = check
    ? `${envelope.type}: ${explain(check, value)}`
    : `unknown event type ${envelope.type}`
  return { ok: false, reason, envelope }
}

/** The marker in a record; undefined for any other record. */
export const markerIn = (decoded: Decoded): Marker | undefined =>
  decoded.ok && decoded.event.type === 'rollcall.block.indexed.v1' ? decoded.event : undefined
