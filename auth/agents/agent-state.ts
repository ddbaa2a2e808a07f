// Agent events → what is valid now: attempts, claims, registrations, logins, revocations. Pure except for its maps: the same events
// in the same order give the same answers in every instance. Every map is bounded, and each has a ceiling of its own.
import type { AgentEvent, AgentEventOf } from '../contract/agent-events.ts'
import { createRevokedSet } from './revoked-set.ts'

export type Attempt = AgentEventOf<'rollcall.claim.started.v1'>['data'] & {
  expiresMs: number
  state: 'started' | 'denied' | 'completed'
  /** The registration was revoked: the attempt can no longer be completed. */
  isRevoked: boolean
}
export type Claim = AgentEventOf<'rollcall.claim.completed.v1'>['data'] & {
  eventId: string
  /** The event by which the agent collected its tokens. */
  redeemedBy: string | undefined
}
type Registration = { eventId: string; registrationId: string }
/** `eventId`: the use that counts. `isEnded`: it was revoked, or a step was used twice. */
type LoginUse = { step: number; eventId: string; isEnded: boolean }

/** About 1 kB each. Beyond it the oldest attempts are dropped: they expire after minutes, and an agent can start another. */
const MAX_ATTEMPTS = 50_000
/** A claim must not be dropped while it is in force, so no more are written beyond it. */
const MAX_CLAIMS = 100_000
/** Used assertions of identity providers. If one were dropped it could be used again, so no more are accepted beyond this limit. */
const MAX_REGISTRATIONS = 200_000
/** About 200 bytes each. Beyond it the login that was not used for longest is dropped: its refresh token is then refused. */
const MAX_LOGINS = 200_000
/** Access tokens and anonymous registrations, each; about 100 bytes an entry. */
const MAX_REVOKED = 500_000

/** A map whose entries expire. With a maximum size, a new entry replaces the oldest one. */
class ExpiringMap<Value> {
  readonly #kept = new Map<string, { value: Value; untilMs: number }>()
  readonly #maxSize: number

  constructor(maxSize = Number.POSITIVE_INFINITY) {
    this.#maxSize = maxSize
  }

  size(): number {
    return this.#kept.size
  }

  get(key: string): Value | undefined {
    return this.#kept.get(key)?.value
  }

  set(key: string, value: Value, untilMs: number): void {
    // Moves the key to the end, so that the first key is the oldest.
    this.#kept.delete(key)
    this.#kept.set(key, { value, untilMs })
    const [oldest] = this.#kept.size > this.#maxSize ? this.#kept.keys() : []
    if (oldest !== undefined) this.#kept.delete(oldest)
  }

  prune(nowMs: number): void {
    for (const [key, { untilMs }] of this.#kept) if (untilMs <= nowMs) this.#kept.delete(key)
  }
}

/** `keepMs` is the longest lifetime of anything issued to a registration. */
export function createAgentState(keepMs: number) {
  /** By the hash of the token in their link, and the newest one by registration. */
  const attempts = new ExpiringMap<Attempt>(MAX_ATTEMPTS)
  const latest = new ExpiringMap<Attempt>(MAX_ATTEMPTS)
  /** By registration. A claim may outlive its attempt. */
  const claims = new ExpiringMap<Claim>()
  /** By the hash of their assertion. */
  const registrations = new ExpiringMap<Registration>()
  const logins = new ExpiringMap<LoginUse>(MAX_LOGINS)
  /** By the time until which each is kept. */
  const revokedTokens = createRevokedSet(MAX_REVOKED)
  /** Unclaimed anonymous registrations. */
  const revokedAnonymous = createRevokedSet(MAX_REVOKED)
  /** All other registrations, with the token that ended each: bounded by the ceilings of claims and registrations. */
  const revokedOthers = new ExpiringMap<string>()
  const revoked = [revokedTokens, revokedAnonymous, revokedOthers]
  const all = [attempts, claims, registrations, logins, ...revoked]

  const untilMs = ({ time }: AgentEvent): number => Date.parse(time) + keepMs
  const isClaimed = (registrationId: string): boolean => claims.get(registrationId) !== undefined

  /** The newest attempt, neither denied nor revoked nor completed. */
  const findLive = (data: { registrationId: string; attemptId: string }): Attempt | undefined => {
    const attempt = latest.get(data.registrationId)
    const isLive = attempt?.state === 'started' && !attempt.isRevoked
    return isLive && attempt.attemptId === data.attemptId ? attempt : undefined
  }
  const startClaim = (event: AgentEventOf<'rollcall.claim.started.v1'>): void => {
    const { data } = event
    if (isClaimed(data.registrationId)) return
    const expiresMs = Date.parse(data.expires)
    const attempt: Attempt = { ...data, expiresMs, state: 'started', isRevoked: false }
    attempts.set(data.attemptTokenHash, attempt, untilMs(event))
    latest.set(data.registrationId, attempt, untilMs(event))
  }
  const completeClaim = (event: AgentEventOf<'rollcall.claim.completed.v1'>): void => {
    const { id: eventId, data } = event
    const attempt = findLive(data)
    if (!attempt) return
    attempt.state = 'completed'
    claims.set(data.registrationId, { ...data, eventId, redeemedBy: undefined }, untilMs(event))
  }
  const advanceLogin = ({ id, data }: AgentEventOf<'rollcall.login.advanced.v1'>): void => {
    const { loginId, step, expires } = data
    const known = logins.get(loginId)
    // The same event was appended twice.
    if (known?.eventId === id) return
    if (known && (known.isEnded || step <= known.step)) known.isEnded = true
    else logins.set(loginId, { step, eventId: id, isEnded: false }, Date.parse(expires))
  }
  const revoke = (event: AgentEventOf<'rollcall.token.revoked.v1'>): void => {
    const { kind, subject, registeredAt, tokenId, expires } = event.data
    if (kind === 'access_token') {
      revokedTokens.add(tokenId, Date.parse(expires))
      return
    }
    const login = logins.get(subject)
    if (login) {
      login.isEnded = true
      return
    }
    const attempt = latest.get(subject)
    if (attempt) attempt.isRevoked = true
    if (registeredAt === undefined || isClaimed(subject)) {
      // A registration's tokens may outlive the token that ended it.
      revokedOthers.set(subject, tokenId, untilMs(event))
    } else revokedAnonymous.add(subject, Date.parse(registeredAt) + keepMs)
  }
  /** The first event of each type counts. */
  const apply = (event: AgentEvent): void => {
    switch (event.type) {
      case 'rollcall.claim.started.v1':
        startClaim(event)
        break
      case 'rollcall.claim.completed.v1':
        completeClaim(event)
        break
      case 'rollcall.claim.denied.v1': {
        const attempt = findLive(event.data)
        if (attempt) attempt.state = 'denied'
        break
      }
      case 'rollcall.claim.redeemed.v1': {
        const claim = claims.get(event.data.registrationId)
        if (claim?.attemptId === event.data.attemptId) claim.redeemedBy ??= event.id
        break
      }
      case 'rollcall.agent.registered.v1': {
        const { jtiHash, registrationId } = event.data
        if (registrations.get(jtiHash)) break
        registrations.set(jtiHash, { eventId: event.id, registrationId }, untilMs(event))
        break
      }
      case 'rollcall.login.advanced.v1':
        advanceLogin(event)
        break
      case 'rollcall.token.revoked.v1':
        revoke(event)
    }
  }
  return {
    apply,
    /** Drops expired entries. */
    prune: (nowMs: number): void => {
      for (const map of [latest, ...all]) map.prune(nowMs)
    },
    /** The newest attempt of its registration, or one that a newer attempt replaced. */
    attemptOf: (tokenHash: string) => {
      const attempt = attempts.get(tokenHash)
      if (!attempt) return undefined
      const newest = latest.get(attempt.registrationId)
      return { attempt, isSuperseded: newest?.attemptId !== attempt.attemptId }
    },
    latestAttempt: (registrationId: string) => latest.get(registrationId),
    claimOf: (registrationId: string) => claims.get(registrationId),
    registrationOf: (jtiHash: string) => registrations.get(jtiHash),
    /** The latest use of a login; undefined if it is not known. */
    loginOf: (loginId: string) => logins.get(loginId),
    isTokenRevoked: (tokenId: string, expiresMs: number): boolean =>
      revokedTokens.has(tokenId, expiresMs),
    /** Also of a login. `registeredMs` of an unclaimed anonymous registration; undefined for others, or if it is not known. */
    isRegistrationRevoked: (id: string, registeredMs: number | undefined): boolean => {
      if (logins.get(id)?.isEnded || revokedOthers.get(id) !== undefined) return true
      // Only its own revocation ends a claimed registration.
      const isDated = registeredMs !== undefined && !isClaimed(id)
      return revokedAnonymous.has(id, isDated ? registeredMs + keepMs : undefined)
    },
    /** The token whose revocation ended a claimed or asserted registration. */
    revokingToken: (registrationId: string) => revokedOthers.get(registrationId),
    /** False if an event of this type would exceed its limit: it must not be written. */
    hasCapacityFor: (type: AgentEvent['type']): boolean => {
      if (type === 'rollcall.claim.completed.v1') return claims.size() < MAX_CLAIMS
      return type !== 'rollcall.agent.registered.v1' || registrations.size() < MAX_REGISTRATIONS
    },
    size: (): number => all.reduce((sum, map) => sum + map.size(), 0),
  }
}

export type AgentState = ReturnType<typeof createAgentState>
export type ReadableState = Omit<AgentState, 'apply' | 'prune'>
