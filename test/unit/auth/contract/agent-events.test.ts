// Agent events as bytes: old events stay readable, and other bytes give a reason.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  AgentEvent,
  decodeAgentEvent,
  encodeAgentEvent,
} from '../../../../auth/contract/agent-events.ts'

const KEPT = readFileSync(
  new URL('../../../fixtures/agents/events.v1.jsonl', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '')
const bytes = (text: string) => new TextEncoder().encode(text)

describe('agent events', () => {
  it('of every kind that was ever written are decoded, and encoded to the same bytes', () => {
    const types = KEPT.map((line) => {
      const decoded = decodeAgentEvent(bytes(line))
      if (!decoded.ok) throw new Error(decoded.reason)
      expect(new TextDecoder().decode(encodeAgentEvent(decoded.event))).toBe(line)
      return decoded.event.type
    })
    expect(new Set(types).size).toBe(AgentEvent.anyOf.length)
  })

  it.each([
    ['\xff\xfe', 'not JSON'],
    ['{"type":"rollcall.claim.started.v2"}', 'unknown event type rollcall.claim.started.v2'],
    ['{"type":"rollcall.claim.denied.v1"}', 'does not match its schema'],
  ])('%j is refused as an event: %s', (text, reason) => {
    const decoded = decodeAgentEvent(Buffer.from(text, 'latin1'))
    expect(decoded).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
  })
})
