// Bytes in the log `rollcall.agents` ⇄ agent events: strict when encoding, with a reason for undecodable bytes.
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { AgentEvent } from './claims.ts'

export type DecodedAgentEvent = { ok: true; event: AgentEvent } | { ok: false; reason: string }

const checks = new Map<string, Validator>()
for (const schema of AgentEvent.anyOf) {
  const type = (schema as { properties: { type: { const: string } } }).properties.type.const
  checks.set(type, Compile(schema as TSchema))
}

/** JSON, UTF-8. Does not check the schema; `decodeAgentEvent` does. */
export const encodeAgentEvent = (event: AgentEvent): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(event))

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Never throws: returns the reason for bytes that are not an event. */
export const decodeAgentEvent = (bytes: Uint8Array): DecodedAgentEvent => {
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch (cause) {
    return { ok: false, reason: `not JSON: ${(cause as Error).message}` }
  }
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : ''
  const check = checks.get(String(type))
  if (!check) return { ok: false, reason: `unknown event type ${String(type)}` }
  if (!check.Check(value))
    return { ok: false, reason: `${String(type)}: does not match its schema` }
  return { ok: true, event: value as AgentEvent }
}
