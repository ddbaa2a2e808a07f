// Agent events as bytes: old events stay readable.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
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

it('agent events of every kind that was ever written are decoded, and encoded to the same bytes', () => {
  const types = KEPT.map((line) => {
    const decoded = decodeAgentEvent(Buffer.from(line))
    if (!decoded.ok) throw new Error(decoded.reason)
    expect(Buffer.from(encodeAgentEvent(decoded.event)).toString()).toBe(line)
    return decoded.event.type
  })
  expect(new Set(types).size).toBe(AgentEvent.anyOf.length)
})
