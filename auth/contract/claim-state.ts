// The newest claim of a registration: which events start, complete, deny or end it. Pure.
import type { AgentEventOf } from './claims.ts'

export type ClaimState = {
  attemptId: string
  state: 'started' | 'denied' | 'completed'
  /** The registration was revoked: the attempt can no longer be completed. */
  isRevoked: boolean
}

export type ClaimEvent = AgentEventOf<
  | 'rollcall.claim.started.v1'
  | 'rollcall.claim.completed.v1'
  | 'rollcall.claim.denied.v1'
  | 'rollcall.token.revoked.v1'
>

/** The newest attempt, neither denied nor revoked nor completed. */
const isLive = (known: ClaimState | undefined, attemptId: string): known is ClaimState =>
  known?.state === 'started' && !known.isRevoked && known.attemptId === attemptId

/** `known`: of the event's registration, undefined without a claim. Returns undefined if the event changes nothing. */
export const decideClaim = (
  known: ClaimState | undefined,
  event: ClaimEvent,
): ClaimState | undefined => {
  switch (event.type) {
    case 'rollcall.claim.started.v1': {
      if (known?.state === 'completed') return undefined
      return { attemptId: event.data.attemptId, state: 'started', isRevoked: false }
    }
    case 'rollcall.claim.completed.v1':
      return isLive(known, event.data.attemptId) ? { ...known, state: 'completed' } : undefined
    case 'rollcall.claim.denied.v1':
      return isLive(known, event.data.attemptId) ? { ...known, state: 'denied' } : undefined
    case 'rollcall.token.revoked.v1':
      return known && event.data.kind === 'identity_assertion'
        ? { ...known, isRevoked: true }
        : undefined
  }
}
