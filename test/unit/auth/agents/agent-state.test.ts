// The state after agent events: the first of each kind wins by order, and every entry expires.
import { describe, expect, it } from 'vitest'
import { createAgentState } from '../../../../auth/agents/agent-state.ts'
import type { AgentEvent } from '../../../../auth/contract/agent-events.ts'

const TIME = '2026-01-01T00:00:00.000Z'
const KEEP_MS = 86_400_000
const registrationId = 'reg_0123456789abcdef'
/** With the members that the state reads. */
const event = (type: string, data: object) =>
  ({ type: `rollcall.${type}.v1`, time: TIME, data }) as unknown as AgentEvent
const started = (attemptId: string) =>
  event('claim.started', { registrationId, attemptId, registeredAt: TIME, expires: TIME })
const completed = (attemptId: string, address: string) =>
  event('claim.completed', { registrationId, attemptId, address })
const denied = (attemptId: string) => event('claim.denied', { registrationId, attemptId })

const stateAfter = (...events: AgentEvent[]) => {
  const state = createAgentState(KEEP_MS)
  for (const each of events) state.apply(each)
  return state
}
const findWinner = (...events: AgentEvent[]) =>
  stateAfter(...events).claimOf(registrationId)?.address

describe('a registration', () => {
  it('is not claimed by an attempt that was replaced, denied or never started', () => {
    expect(findWinner(started('a'), started('b'), completed('a', 'x'))).toBeUndefined()
    expect(findWinner(started('a'), denied('a'), completed('a', 'x'))).toBeUndefined()
    expect(findWinner(completed('a', 'x'))).toBeUndefined()
    expect(findWinner(started('a'), denied('b'), completed('a', 'x'))).toBe('x')
    expect(findWinner(started('a'), denied('a'), started('b'), completed('b', 'x'))).toBe('x')
  })
})

describe('expired state', () => {
  it('is removed: a token at its expiry, other state after the longest lifetime', () => {
    const revoke = (kind: 'access_token' | 'identity_assertion') =>
      event('token.revoked', {
        kind,
        tokenId: kind,
        subject: registrationId,
        expires: '2026-01-01T00:15:00.000Z',
      })
    const state = stateAfter(started('a'), revoke('access_token'), revoke('identity_assertion'))
    const now = Date.parse(TIME)
    state.prune(now + 900_000 - 1)
    const isTokenRevoked = () => state.isTokenRevoked('access_token', now + 900_000)
    const isEnded = () => state.isRegistrationRevoked(registrationId, undefined)
    expect(isTokenRevoked()).toBe(true)
    state.prune(now + 900_000)
    expect(isTokenRevoked()).toBe(false)
    expect(isEnded()).toBe(true)
    state.prune(now + KEEP_MS)
    expect(isEnded()).toBe(false)
    expect(state.size()).toBe(0)
  })
})
