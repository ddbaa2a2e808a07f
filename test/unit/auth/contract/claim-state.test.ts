// Tests which events change the newest claim of a registration.
import { describe, expect, it } from 'vitest'
import {
  type ClaimEvent,
  type ClaimState,
  decideClaim,
} from '../../../../auth/contract/claim-state.ts'

const event = (type: string, data: object): ClaimEvent => ({ type, data }) as ClaimEvent
const started = (attemptId: string) => event('rollcall.claim.started.v1', { attemptId })
const completed = (attemptId: string) => event('rollcall.claim.completed.v1', { attemptId })
const denied = (attemptId: string) => event('rollcall.claim.denied.v1', { attemptId })
const revoked = (kind: string) => event('rollcall.token.revoked.v1', { kind })

/** The state after the events; those that change nothing leave it as it is. */
const stateAfter = (...events: ClaimEvent[]): ClaimState | undefined => {
  let state: ClaimState | undefined
  for (const each of events) state = decideClaim(state, each) ?? state
  return state
}

describe('the newest claim of a registration', () => {
  it.each([
    ['starts with an attempt', [started('a')], 'a', 'started'],
    ['is that of the newest attempt', [started('a'), started('b'), completed('a')], 'b', 'started'],
    ['is completed once', [started('a'), completed('a'), denied('a')], 'a', 'completed'],
    ['is denied once', [started('a'), denied('a'), completed('a')], 'a', 'denied'],
    ['can start again after a denial', [started('a'), denied('a'), started('b')], 'b', 'started'],
    ['stays completed', [started('a'), completed('a'), started('b')], 'a', 'completed'],
  ] as const)('%s', (_name, events, attemptId, state) => {
    expect(stateAfter(...events)).toEqual({ attemptId, state, isRevoked: false })
  })

  it('cannot be completed or denied after its registration was revoked, and can start again', () => {
    const ended = [started('a'), revoked('identity_assertion')]
    const state = { attemptId: 'a', state: 'started', isRevoked: true }
    expect(stateAfter(...ended, completed('a'), denied('a'))).toEqual(state)
    expect(stateAfter(...ended, started('b'))).toMatchObject({ attemptId: 'b', isRevoked: false })
  })

  it('does not end with one of its access tokens', () => {
    expect(decideClaim(stateAfter(started('a')), revoked('access_token'))).toBeUndefined()
  })

  it('does not begin with a completion, a denial or a revocation', () => {
    expect(stateAfter(completed('a'), denied('a'), revoked('identity_assertion'))).toBeUndefined()
  })
})
