// Claims of registrations: the newest attempt of each, how it ended, and who redeemed it. The first event of each type counts.
import { type ClaimEvent, type ClaimState, decideClaim } from '../contract/claim-state.ts'
import type { AgentEventOf } from '../contract/claims.ts'
import { createExpiringMap } from './expiring-map.ts'

export type Attempt = AgentEventOf<'rollcall.claim.started.v1'>['data'] &
  ClaimState & { expiresMs: number }
export type Claim = AgentEventOf<'rollcall.claim.completed.v1'>['data'] & {
  eventId: string
  /** The event by which the agent collected its tokens. */
  redeemedBy: string | undefined
}

/** About 1 kB each. Beyond it the oldest attempts are dropped: they expire after minutes, and an agent can start another. */
const MAX_ATTEMPTS = 50_000
/** A claim must not be dropped while it is in force, so no more are written beyond it. */
const MAX_CLAIMS = 100_000

export const createAgentClaims = (keepMs: number) => {
  const attempts = createExpiringMap<Attempt>(MAX_ATTEMPTS)
  const latest = createExpiringMap<Attempt>(MAX_ATTEMPTS)
  const claims = createExpiringMap<Claim>()

  /** A completed claim may outlive its attempt here. */
  const find = (registrationId: string): ClaimState | undefined => {
    const claim = claims.get(registrationId)
    if (!claim) return latest.get(registrationId)
    return { attemptId: claim.attemptId, state: 'completed', isRevoked: false }
  }
  /** The next state of the registration's attempt; false if the event changes nothing. */
  const change = (registrationId: string, event: ClaimEvent): boolean => {
    const next = decideClaim(find(registrationId), event)
    const attempt = latest.get(registrationId)
    if (next && attempt) Object.assign(attempt, next)
    return next !== undefined
  }
  return {
    start: (event: AgentEventOf<'rollcall.claim.started.v1'>): void => {
      const { data, time } = event
      const next = decideClaim(find(data.registrationId), event)
      if (!next) return
      const attempt = { ...data, ...next, expiresMs: Date.parse(data.expires) }
      const untilMs = Date.parse(time) + keepMs
      attempts.set(data.attemptTokenHash, attempt, untilMs)
      latest.set(data.registrationId, attempt, untilMs)
    },
    complete: (event: AgentEventOf<'rollcall.claim.completed.v1'>): void => {
      const { id, data, time } = event
      if (!change(data.registrationId, event)) return
      const claim = { ...data, eventId: id, redeemedBy: undefined }
      claims.set(data.registrationId, claim, Date.parse(time) + keepMs)
    },
    redeem: ({ id, data }: AgentEventOf<'rollcall.claim.redeemed.v1'>): void => {
      const claim = claims.get(data.registrationId)
      if (claim?.attemptId === data.attemptId) claim.redeemedBy ??= id
    },
    deny: (event: AgentEventOf<'rollcall.claim.denied.v1'>): void => {
      change(event.data.registrationId, event)
    },
    /** Ends the attempt if the event revokes its registration. */
    end: (event: AgentEventOf<'rollcall.token.revoked.v1'>): void => {
      change(event.data.subject, event)
    },
    prune: (nowMs: number): void => {
      for (const map of [attempts, latest, claims]) map.prune(nowMs)
    },
    attemptOf: (tokenHash: string) => {
      const attempt = attempts.get(tokenHash)
      if (!attempt) return undefined
      const newest = latest.get(attempt.registrationId)
      return { attempt, isSuperseded: newest?.attemptId !== attempt.attemptId }
    },
    latestAttempt: (registrationId: string) => latest.get(registrationId),
    claimOf: (registrationId: string) => claims.get(registrationId),
    isClaimed: (registrationId: string): boolean => claims.has(registrationId),
    hasCapacity: (): boolean => claims.size() < MAX_CLAIMS,
    size: (): number => attempts.size() + claims.size(),
  }
}
