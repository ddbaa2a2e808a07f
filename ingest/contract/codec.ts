// Bytes in the log ⇄ governance events: strict on the way in, honest about what cannot be read.
import type { Static, TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { EventEnvelope } from './envelope.ts'
import { GovernanceEvent, type Marker } from './events.ts'

/** What a record turned out to be. An unread one keeps its envelope where that much was legible. */
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

/** JSON, UTF-8. The event is trusted to match its schema: `decodeEvent` is where that is checked. */
export const encodeEvent = (event: GovernanceEvent): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(event))

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Never throws: bytes that are no event come back with the reason. */
export const decodeEvent = (bytes: Uint8Array): Decoded => {
  try {
    return decodeText(utf8.decode(bytes))
  } catch (cause) {
    return { ok: false, reason: `not JSON: ${(cause as Error).message}`, envelope: undefined }
  }
}

/** As `decodeEvent`, for a reader that needs the text as well. */
export const decodeText = (text: string): Decoded => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    return { ok: false, reason: `not JSON: ${(cause as Error).message}`, envelope: undefined }
  }
  const check = checks.get((value as { type?: string } | null)?.type ?? '')
  // An event's schema says all that the envelope's does: nearly every record is checked once.
  if (check?.Check(value)) return { ok: true, event: value as GovernanceEvent }
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

/** The marker that a record is; undefined where it is anything else. */
export const markerIn = (decoded: Decoded): Marker | undefined =>
  decoded.ok && decoded.event.type === 'rollcall.block.indexed.v1' ? decoded.event : undefined
