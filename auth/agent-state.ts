// Agent events → what holds now: attempts, claims, registrations, revocations. Pure but for its maps: the same events in the
// same order give the same answers in every instance. Remembers as long as anything it is about can still be used.
import type { AgentEvent, AgentEventOf } from './contract/claims.ts'

export type Attempt = AgentEventOf<'rollcall.claim.started.v1'>['data'] & {
  expiresMs: number
  isDenied: boolean
}
export type Claim = AgentEventOf<'rollcall.claim.completed.v1'>['data'] & { eventId: string }
type ClaimIds = { registrationId: string; attemptId: string }
type Registration = { eventId: string; registrationId: string }

export type AgentState = {
  apply(event: AgentEvent): void
  /** Drops what has outlived its use. */
  forget(nowMs: number): void
  /** The newest attempt of its registration, or one that a newer one took the place of. */
  attemptOf(tokenHash: string): { attempt: Attempt; isSuperseded: boolean } | undefined
  latestAttempt(registrationId: string): Attempt | undefined
  claimOf(registrationId: string): Claim | undefined
  registrationOf(jtiHash: string): Registration | undefined
  isTokenRevoked(tokenId: string): boolean
  isRegistrationRevoked(registrationId: string): boolean
  size(): number
}

type Kept<Value> = { value: Value; untilMs: number }

const createShelf = <Value>() => {
  const kept = new Map<string, Kept<Value>>()
  return {
    get: (key: string): Value | undefined => kept.get(key)?.value,
    set: (key: string, value: Value, untilMs: number) => void kept.set(key, { value, untilMs }),
    has: (key: string): boolean => kept.has(key),
    forget: (nowMs: number) => {
      for (const [key, { untilMs }] of kept) if (untilMs <= nowMs) kept.delete(key)
    },
    size: () => kept.size,
  }
}

/** `keepMs` is the longest life of anything issued. */
export const createAgentState = (keepMs: number): AgentState => {
  const attempts = createShelf<Attempt>()
  const latest = createShelf<Attempt>()
  const claims = createShelf<Claim>()
  const registrations = createShelf<Registration>()
  const revokedTokens = createShelf<true>()
  const revokedRegistrations = createShelf<true>()
  const shelves = [
    ...[attempts, latest, claims, registrations],
    ...[revokedTokens, revokedRegistrations],
  ]

  const start = ({ data, time }: AgentEventOf<'rollcall.claim.started.v1'>) => {
    if (claims.has(data.registrationId)) return
    const attempt = { ...data, expiresMs: Date.parse(data.expires), isDenied: false }
    const untilMs = Date.parse(time) + keepMs
    attempts.set(data.attemptTokenHash, attempt, untilMs)
    latest.set(data.registrationId, attempt, untilMs)
  }
  /** Of a live attempt: the newest of its registration, neither denied nor completed. */
  const liveAttempt = ({ registrationId, attemptId }: ClaimIds) => {
    const attempt = latest.get(registrationId)
    if (claims.has(registrationId) || attempt?.isDenied) return undefined
    return attempt?.attemptId === attemptId ? attempt : undefined
  }
  const complete = ({ id, data, time }: AgentEventOf<'rollcall.claim.completed.v1'>) => {
    if (!liveAttempt(data)) return
    claims.set(data.registrationId, { ...data, eventId: id }, Date.parse(time) + keepMs)
  }
  const register = ({ id, data, time }: AgentEventOf<'rollcall.agent.registered.v1'>) => {
    if (registrations.has(data.jtiHash)) return
    const { registrationId } = data
    registrations.set(data.jtiHash, { eventId: id, registrationId }, Date.parse(time) + keepMs)
  }
  const revoke = ({ data, time }: AgentEventOf<'rollcall.token.revoked.v1'>) => {
    revokedTokens.set(data.tokenId, true, Date.parse(data.expires))
    if (data.kind !== 'identity_assertion') return
    // Its tokens and its claim token may outlive the assertion.
    revokedRegistrations.set(data.subject, true, Date.parse(time) + keepMs)
  }

  const apply = (event: AgentEvent): void => {
    switch (event.type) {
      case 'rollcall.claim.started.v1':
        start(event)
        break
      case 'rollcall.claim.completed.v1':
        complete(event)
        break
      case 'rollcall.claim.denied.v1': {
        const attempt = liveAttempt(event.data)
        if (attempt) attempt.isDenied = true
        break
      }
      case 'rollcall.agent.registered.v1':
        register(event)
        break
      case 'rollcall.token.revoked.v1':
        revoke(event)
    }
  }

  return {
    apply,
    forget: (nowMs) => {
      for (const shelf of shelves) shelf.forget(nowMs)
    },
    attemptOf: (tokenHash) => {
      const attempt = attempts.get(tokenHash)
      if (!attempt) return undefined
      const newest = latest.get(attempt.registrationId)
      return { attempt, isSuperseded: newest?.attemptId !== attempt.attemptId }
    },
    latestAttempt: (registrationId) => latest.get(registrationId),
    claimOf: (registrationId) => claims.get(registrationId),
    registrationOf: (jtiHash) => registrations.get(jtiHash),
    isTokenRevoked: (tokenId) => revokedTokens.has(tokenId),
    isRegistrationRevoked: (registrationId) => revokedRegistrations.has(registrationId),
    size: () => shelves.reduce((sum, shelf) => sum + shelf.size(), 0),
  }
}
