// Claims of registrations: the newest attempt of each, how it ended, and who redeemed it. The first event of each type counts.
import type { AgentEventOf } from '../contract/claims.ts'
import { createExpiringMap } from './expiring-map.ts'

export type Attempt = AgentEventOf<'rollcall.claim.started.v1'>['data'] & {
  expiresMs: number
  isDenied: boolean
  /** The registration was revoked: the claim can no longer be completed. */
  isRevoked: boolean
}
export type Claim = AgentEventOf<'rollcall.claim.completed.v1'>['data'] & {
  eventId: string
  /** The event by which the agent collected its tokens. */
  redeemedBy: string | undefined
}
type ClaimIds = { registrationId: string; attemptId: string }

/** About 1 kB each. Beyond it the oldest attempts are dropped: they expire after minutes, and an agent can start another. */
const MAX_ATTEMPTS = 50_000
/** A claim must not be dropped while it is in force, so no more are written beyond it. */
const MAX_CLAIMS = 100_000

export const createAgentClaims = (keepMs: number) => {
  const attempts = createExpiringMap<Attempt>(MAX_ATTEMPTS)
  const latest = createExpiringMap<Attempt>(MAX_ATTEMPTS)
  const claims = createExpiringMap<Claim>()

  /** The newest attempt of its registration, neither denied nor revoked nor completed. */
  const liveAttempt = ({ registrationId, attemptId }: ClaimIds) => {
    const attempt = latest.get(registrationId)
    if (claims.has(registrationId) || attempt?.isDenied || attempt?.isRevoked) return undefined
    return attempt?.attemptId === attemptId ? attempt : undefined
  }
  return {
    start: ({ data, time }: AgentEventOf<'rollcall.claim.started.v1'>): void => {
      if (claims.has(data.registrationId)) return
      const state = { isDenied: false, isRevoked: false }
      const attempt = { ...data, expiresMs: Date.parse(data.expires), ...state }
      const untilMs = Date.parse(time) + keepMs
      attempts.set(data.attemptTokenHash, attempt, untilMs)
      latest.set(data.registrationId, attempt, untilMs)
    },
    complete: ({ id, data, time }: AgentEventOf<'rollcall.claim.completed.v1'>): void => {
      if (!liveAttempt(data)) return
      const claim = { ...data, eventId: id, redeemedBy: undefined }
      claims.set(data.registrationId, claim, Date.parse(time) + keepMs)
    },
    redeem: ({ id, data }: AgentEventOf<'rollcall.claim.redeemed.v1'>): void => {
      const claim = claims.get(data.registrationId)
      if (claim?.attemptId === data.attemptId) claim.redeemedBy ??= id
    },
    deny: ({ data }: AgentEventOf<'rollcall.claim.denied.v1'>): void => {
      const attempt = liveAttempt(data)
      if (attempt) attempt.isDenied = true
    },
    /** The registration was revoked. */
    end: (registrationId: string): void => {
      const attempt = latest.get(registrationId)
      if (attempt) attempt.isRevoked = true
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
