// Agent events → what is valid now: attempts, claims, registrations, logins, revocations. Pure except for its maps: the same events
// in the same order give the same answers in every instance. Every map is bounded, and each has a ceiling of its own.

import type { AgentEvent, AgentEventOf } from '../contract/claims.ts'
import { type Attempt, type Claim, createAgentClaims } from './agent-claims.ts'
import { createAgentLogins, type LoginUse } from './agent-logins.ts'
import { createAgentRevocations } from './agent-revocations.ts'
import { createExpiringMap } from './expiring-map.ts'

type Registration = { eventId: string; registrationId: string }

export type AgentState = {
  apply(event: AgentEvent): void
  /** Drops expired entries. */
  prune(nowMs: number): void
  /** The newest attempt of its registration, or one that a newer attempt replaced. */
  attemptOf(tokenHash: string): { attempt: Attempt; isSuperseded: boolean } | undefined
  latestAttempt(registrationId: string): Attempt | undefined
  claimOf(registrationId: string): Claim | undefined
  registrationOf(jtiHash: string): Registration | undefined
  /** The latest use of a login; undefined if it is not known. */
  loginOf(loginId: string): LoginUse | undefined
  /** For an access token. */
  isTokenRevoked(tokenId: string, expiresMs: number): boolean
  /** Also of a login. `registeredMs` of an unclaimed anonymous registration; undefined for others, or if it is not known. */
  isRegistrationRevoked(registrationId: string, registeredMs: number | undefined): boolean
  /** The token whose revocation ended a claimed or asserted registration. */
  revokingToken(registrationId: string): string | undefined
  /** False if an event of this type would exceed its limit: it must not be written. */
  hasCapacityFor(type: AgentEvent['type']): boolean
  size(): number
}

export type ReadableState = Omit<AgentState, 'apply' | 'prune'>

/** Used assertions of identity providers. If one were dropped it could be used again, so no more are accepted beyond this limit. */
const MAX_REGISTRATIONS = 200_000

/** `keepMs` is the longest lifetime of anything issued. */
export const createAgentState = (keepMs: number): AgentState => {
  const claims = createAgentClaims(keepMs)
  const revocations = createAgentRevocations(keepMs, claims.isClaimed)
  const registrations = createExpiringMap<Registration>()
  const logins = createAgentLogins()

  const register = ({ id, data, time }: AgentEventOf<'rollcall.agent.registered.v1'>): void => {
    if (registrations.has(data.jtiHash)) return
    const { registrationId } = data
    registrations.set(data.jtiHash, { eventId: id, registrationId }, Date.parse(time) + keepMs)
  }
  const apply = (event: AgentEvent): void => {
    switch (event.type) {
      case 'rollcall.claim.started.v1':
        claims.start(event)
        break
      case 'rollcall.claim.completed.v1':
        claims.complete(event)
        break
      case 'rollcall.claim.redeemed.v1':
        claims.redeem(event)
        break
      case 'rollcall.claim.denied.v1':
        claims.deny(event)
        break
      case 'rollcall.agent.registered.v1':
        register(event)
        break
      case 'rollcall.login.advanced.v1':
        logins.advance(event)
        break
      case 'rollcall.token.revoked.v1':
        if (logins.end(event)) break
        claims.end(event)
        revocations.apply(event)
    }
  }
  return {
    apply,
    prune: (nowMs) => {
      for (const part of [claims, revocations, registrations, logins]) part.prune(nowMs)
    },
    attemptOf: claims.attemptOf,
    latestAttempt: claims.latestAttempt,
    claimOf: claims.claimOf,
    registrationOf: (jtiHash) => registrations.get(jtiHash),
    loginOf: logins.get,
    isTokenRevoked: revocations.isTokenRevoked,
    isRegistrationRevoked: (id, registeredMs) =>
      logins.get(id)?.isEnded === true || revocations.isRegistrationRevoked(id, registeredMs),
    revokingToken: revocations.revokingToken,
    hasCapacityFor: (type) => {
      if (type === 'rollcall.claim.completed.v1') return claims.hasCapacity()
      return type !== 'rollcall.agent.registered.v1' || registrations.size() < MAX_REGISTRATIONS
    },
    size: () => claims.size() + registrations.size() + revocations.size() + logins.size(),
  }
}
