// What every route of this room is given.
import { createHash, randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Clock } from '../infra/runtime/clock.ts'
import { createRateLimiter, type RateLimiter } from '../infra/runtime/rate-limit.ts'
import type { AgentFacts } from './agent-facts.ts'
import type { AuthMetrics } from './auth-metrics.ts'
import type { AuthConfig } from './config.ts'
import type { ServiceDescription } from './contract/service.ts'
import type { IdJagVerifier } from './id-jag.ts'
import type { KeyRing } from './keys.ts'
import { AuthError, rateLimited } from './oauth-error.ts'
import type { Tokens } from './tokens.ts'

export type AuthContext = {
  config: AuthConfig
  clock: Clock
  /** Known once the service listens. */
  service: () => ServiceDescription
  ring: KeyRing
  tokens: Tokens
  facts: AgentFacts
  idJag: IdJagVerifier
  metrics: AuthMetrics
  limits: Limits
}

/** Each of them a count of its own, per address. */
type Limits = Readonly<Record<'register' | 'clientCredentials' | 'write', RateLimiter>>

export const createLimits = (perMinute: number, clock: Clock): Limits => {
  const limiter = () => createRateLimiter(perMinute, () => clock.now())
  return { register: limiter(), clientCredentials: limiter(), write: limiter() }
}

export const takeQuota = (limiter: RateLimiter, request: FastifyRequest): void => {
  const quota = limiter.take(request.ip)
  if (quota.isExceeded) throw rateLimited(quota.resetSeconds)
}

/** What was revoked or claimed must be known before anything is given out on the strength of it. */
export const requireFresh = ({ facts }: AuthContext): void => {
  if (facts.isFresh()) return
  throw new AuthError('temporarily_unavailable', 'What was revoked is not known just now.')
}

/** Secrets and identifiers of others are compared and kept as their hash alone. */
export const hashOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/** 122 random bits. */
export const newId = (prefix: string): string =>
  prefix + Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url')

export const instant = (ms: number): string => new Date(ms).toISOString()
